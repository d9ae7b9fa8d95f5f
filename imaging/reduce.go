package imaging

import (
	"context"
	"fmt"
	"image"
	"math"
	"slices"
)

// qualities of a JPEG, in the order in which they are tried (I-21).
var qualities = []int{85, 75, 65, 55, 45, 35}

// turnedQuality is that of a picture that is only turned (I-B10).
const turnedQuality = 90

// sides returns the sides to try for a picture whose longest side is m pixels
// (I-20, I-B04). All but the first are smaller than the picture.
func sides(most, m int) []int {
	list := []int{min(most, m)}
	for _, side := range []int{1800, 1600, 1400, 1200, 1000, 800, 640, 512, 384, 256} {
		if side < list[0] {
			list = append(list, side)
		}
	}
	return list
}

// sideOf returns the longest side that a picture may have, which is less than the
// limit if that would leave too many pixels (I-28).
func (l Limits) sideOf(i *Info) int {
	side := l.Side()
	for w, h := fit(i.Width, i.Height, side); w*h > maxPassPixels; w, h = fit(i.Width, i.Height, side) {
		side = int(float64(max(w, h))*math.Sqrt(maxPassPixels/float64(w*h)) - 0.5)
	}
	return side
}

// reduce decodes a picture and encodes it again within the limits (I-20…I-26).
func reduce(ctx context.Context, p Picture, v *Verdict, l Limits) (made, error) {
	side := l.sideOf(&v.Info)
	f, err := decode(ctx, p, &v.Info, side)
	if err != nil {
		return made{}, err
	}
	e := encoder{most: l.MaxFile(), png: l.Takes(PNG), jpeg: l.Takes(JPEG), lossy: isLossy(f.Image), qualities: qualities}
	if !slices.ContainsFunc(v.Why, func(why Fact) bool { return why.Rule != ruleTurn }) {
		e.qualities = slices.Insert(slices.Clone(qualities), 0, turnedQuality)
	}
	for _, side := range sides(side, max(v.Width, v.Height)) {
		if ctx.Err() != nil {
			return made{}, ctx.Err()
		}
		out, err := e.encode(shrink(f, side, v.Orientation))
		if err != nil {
			return made{}, errDecode
		}
		if out.Data != "" {
			return out, nil
		}
	}
	return made{}, &Omission{"I-31", fmt.Sprintf("cannot be reduced below %s (got %s)", Size(e.most), Size(e.least))}
}

// isLossy reports whether a decoded picture was stored with losses: a PNG of it
// would keep what the losses left.
func isLossy(m image.Image) bool {
	switch m.(type) {
	case *image.YCbCr, *image.CMYK:
		return true
	}
	return false
}

// encoder chooses the format of a reduced picture.
type encoder struct {
	most      int // bytes
	least     int // bytes of the smallest form that was too large
	png, jpeg bool
	lossy     bool
	qualities []int
}

// encode returns the picture in the first form that is small enough, without
// data if none is. What is transparent stays so as a PNG if that fits, else it
// lies on white (I-B01); with few colours the smaller of PNG and JPEG goes
// (I-B08).
func (e *encoder) encode(m image.Image) (made, error) {
	_, transparent := m.(*image.NRGBA)
	var asPNG []byte
	if e.png && (!e.jpeg || transparent || !e.lossy && isDrawn(m)) {
		var err error
		if asPNG, err = encodePNG(m); err != nil {
			return made{}, err
		}
		if len(asPNG) > e.most {
			e.tooLarge(asPNG)
			asPNG = nil
		}
	}
	if asPNG != nil && (transparent || !e.jpeg) {
		return made{Picture: Picture{PNG, Encode(asPNG)}}, nil
	}
	if !e.jpeg {
		return made{}, nil
	}
	m = onWhite(m)
	for _, q := range e.qualities {
		file, err := encodeJPEG(m, q)
		switch {
		case err != nil:
			return made{}, err
		case asPNG != nil && (len(asPNG) <= len(file) || len(file) > e.most):
			return made{Picture: Picture{PNG, Encode(asPNG)}}, nil
		case len(file) <= e.most:
			return made{Picture{JPEG, Encode(file)}, q}, nil
		}
		e.tooLarge(file)
	}
	return made{}, nil
}

func (e *encoder) tooLarge(file []byte) {
	if e.least == 0 || len(file) < e.least {
		e.least = len(file)
	}
}
