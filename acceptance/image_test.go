package acceptance_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	_ "image/gif"
	_ "image/jpeg"
	"net/http"
	"slices"
	"strconv"
)

var imageRules = []rule{
	{"images", "N", "N pictures go out", each(images)},
	{"images-at-most", "N", "no more than N pictures go out", each(imagesAtMost)},
	{"images-are", "TYPE…", "each picture that goes out has one of these types, and its data is canonical base64 of bytes of that type", each(imagesAre)},
	{"image-size", "K WxH", "the K-th picture that goes out has that size in pixels", each(imageSize)},
	{"image-colour", "K X,Y RRGGBB", "the pixel of the K-th picture that goes out has about that colour", each(imageColour)},
	{"image-kept", "K", "the K-th picture of the input goes out with the same data", imageKept},
	{"image-gone", "K", "the data of the K-th picture of the input do not go out", imageGone},
}

// pictures returns the pictures of a view, those in results included.
func (v *view) pictures() []*part {
	var list []*part
	for _, p := range v.all {
		if p.kind == imagePart {
			list = append(list, p)
		}
	}
	return list
}

func images(v *view, args []string) error {
	want, err := strconv.Atoi(args[0])
	if got := len(v.pictures()); err == nil && got != want {
		err = fmt.Errorf("%d pictures go out", got)
	}
	return err
}

func imagesAtMost(v *view, args []string) error {
	limit, err := strconv.Atoi(args[0])
	if got := len(v.pictures()); err == nil && got > limit {
		err = fmt.Errorf("%d pictures go out", got)
	}
	return err
}

func imagesAre(v *view, args []string) error {
	for _, p := range v.pictures() {
		bytes, err := base64.StdEncoding.Strict().DecodeString(p.data)
		switch {
		case err != nil:
			return fmt.Errorf("a picture is not base64: %w", err)
		case base64.StdEncoding.EncodeToString(bytes) != p.data:
			return fmt.Errorf("the base64 of a picture is not canonical: %q", p.data)
		case !slices.Contains(args, p.mime):
			return fmt.Errorf("a picture is said to be %s", p.mime)
		case http.DetectContentType(bytes) != p.mime:
			return fmt.Errorf("a picture is said to be %s and is %s", p.mime, http.DetectContentType(bytes))
		}
	}
	return nil
}

// decoded returns the K-th picture of a view.
func (v *view) decoded(k string) (image.Image, error) {
	n, err := strconv.Atoi(k)
	list := v.pictures()
	if err != nil || n < 1 || n > len(list) {
		return nil, fmt.Errorf("%d pictures go out", len(list))
	}
	file, err := base64.StdEncoding.DecodeString(list[n-1].data)
	if err != nil {
		return nil, err
	}
	m, _, err := image.Decode(bytes.NewReader(file))
	return m, err
}

func imageSize(v *view, args []string) error {
	m, err := v.decoded(args[0])
	if err != nil {
		return err
	}
	if got := fmt.Sprintf("%dx%d", m.Bounds().Dx(), m.Bounds().Dy()); got != args[1] {
		return fmt.Errorf("the size is %s", got)
	}
	return nil
}

func imageColour(v *view, args []string) error {
	m, err := v.decoded(args[0])
	if err != nil {
		return err
	}
	var x, y, r, g, b int
	if _, err := fmt.Sscanf(args[1]+" "+args[2], "%d,%d %2x%2x%2x", &x, &y, &r, &g, &b); err != nil {
		return err
	}
	c := color.RGBAModel.Convert(m.At(x, y)).(color.RGBA)
	const near = 16
	for _, d := range []int{r - int(c.R), g - int(c.G), b - int(c.B)} {
		if d > near || d < -near {
			return fmt.Errorf("the colour is %02x%02x%02x", c.R, c.G, c.B)
		}
	}
	return nil
}

// kth returns the K-th picture of the input.
func (o *outcome) kth(k string) (*part, error) {
	n, err := strconv.Atoi(k)
	if err != nil {
		return nil, err
	}
	list := o.in.pictures()
	if n < 1 || n > len(list) {
		return nil, fmt.Errorf("the input has %d pictures", len(list))
	}
	return list[n-1], nil
}

func (v *view) hasPicture(data string) bool {
	return slices.ContainsFunc(v.pictures(), func(p *part) bool { return p.data == data })
}

func imageKept(o *outcome, args []string) error {
	p, err := o.kth(args[0])
	if err != nil {
		return err
	}
	for _, v := range o.views() {
		if !v.hasPicture(p.data) {
			return fmt.Errorf("%s: the picture is gone", v.name)
		}
	}
	return nil
}

func imageGone(o *outcome, args []string) error {
	p, err := o.kth(args[0])
	if err != nil {
		return err
	}
	for _, v := range o.views() {
		if v.hasPicture(p.data) {
			return fmt.Errorf("%s: the picture goes out", v.name)
		}
	}
	return nil
}
