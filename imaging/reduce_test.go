package imaging

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"testing"
)

// I-25, I-B01: hidden colours of transparent pixels never show. As a PNG the picture
// stays transparent; where that does not fit it lies on white.
func TestAlpha(t *testing.T) {
	largePictures(t)
	m := logo(1400, 1400)
	p, got := fitted(t, pngOf(m), Limits{})
	if p.MediaType != PNG {
		t.Fatalf("got %s", p.MediaType)
	}
	for _, at := range []int{0, 600, 1199} {
		want := boxMean(m, 1200, 1200, at, at)
		c := atOf(got, at, at)
		if d := int(want[3]) - int(c.A); d > 1 || d < -1 {
			t.Errorf("pixel %d: alpha %d, want %.1f", at, c.A, want[3])
		}
		if c.A > 0 && apart(c, color.NRGBA{0, 0, 255, c.A}) > 1 {
			t.Errorf("pixel %d: %v", at, c)
		}
	}
	for name, l := range map[string]Limits{"too large": {MaxBytes: source(p.Data).size() - 1}, "jpeg only": {Types: []string{JPEG}}} {
		p, got = fitted(t, pngOf(m), l)
		if p.MediaType != JPEG || apart(atOf(got, 0, 0), color.NRGBA{255, 255, 255, 255}) > 3 || apart(atOf(got, 600, 600), color.NRGBA{0, 0, 255, 255}) > 3 {
			t.Errorf("%s: %s with %v and %v", name, p.MediaType, atOf(got, 0, 0), atOf(got, 600, 600))
		}
	}
}

// Blending onto white is exact, pixel by pixel.
func TestOnWhite(t *testing.T) {
	m := logo(64, 64)
	got := onWhite(m)
	for i := range 64 * 64 {
		c, have := atOf(m, i%64, i/64), atOf(got, i%64, i/64)
		for k, v := range []byte{c.R, c.G, c.B} {
			want := (float64(v)*float64(c.A) + 255*float64(255-c.A)) / 255
			if d := want - float64([]byte{have.R, have.G, have.B}[k]); d > 0.51 || d < -0.51 {
				t.Fatalf("%v became %v", c, have)
			}
		}
	}
}

// I-B08: with few colours the smaller of PNG and JPEG goes out.
func TestFewColours(t *testing.T) {
	largePictures(t)
	for name, test := range map[string]struct {
		m    image.Image
		want string
	}{
		"text": {screenshot(2880, 400), PNG}, "photo": {photo(1600, 400), JPEG}, "flat": {image.NewGray(image.Rect(0, 0, 1600, 400)), PNG},
	} {
		if p, _ := fitted(t, pngOf(test.m), Limits{}); p.MediaType != test.want {
			t.Errorf("%s: got %s", name, p.MediaType)
		}
	}
	// What was stored with losses stays a JPEG.
	if p, _ := fitted(t, jpegOf(screenshot(1600, 400)), Limits{}); p.MediaType != JPEG {
		t.Errorf("JPEG became %s", p.MediaType)
	}
}

// A PNG is tried only where it may be the smaller one: it takes long to make.
func TestIsDrawn(t *testing.T) {
	small := func(m image.Image) image.Image {
		b := m.Bounds()
		return shrink(&frame{Image: m, width: b.Dx(), height: b.Dy(), scale: 1}, b.Dx()/3, 1)
	}
	grey := image.NewGray(image.Rect(0, 0, 900, 600))
	for i, p := 0, photo(900, 600).Pix; i < len(grey.Pix); i++ {
		grey.Pix[i] = p[4*i]
	}
	checks := image.NewGray(grey.Rect)
	for i := range checks.Pix {
		checks.Pix[i] = byte(i % 900 % 2 * 255)
	}
	for name, test := range map[string]struct {
		m    image.Image
		want bool
	}{
		"photo": {small(photo(900, 600)), false}, "grey photo": {small(grey), false}, "text": {small(screenshot(900, 600)), true},
		"flat": {small(image.NewGray(grey.Rect)), true}, "two colours": {checks, true}, "noise": {noise(90, 60), false},
	} {
		if got := isDrawn(test.m); got != test.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// quarters is a picture of four colours, by which its orientation is seen.
func quarters(w, h int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			m.SetRGBA(x, y, color.RGBA{byte(2 * x * 100 / w), byte(2 * y * 100 / h), byte(200 - x*100/w), 255})
		}
	}
	return m
}

// Every kind of JPEG comes out upright and with its own colours: all eight
// orientations, progressive, grey, RGB and CMYK (I-24, B112-2).
func TestJPEGKinds(t *testing.T) {
	const w, h = 64, 48
	want := quarters(w, h)
	for o := 1; o <= 8; o++ {
		stored := upright(want, []int{0, 1, 2, 3, 4, 5, 8, 7, 6}[o]).(*image.RGBA) // 6 and 8 undo each other
		_, got := fitted(t, withExif(jpegOf(stored), o), Limits{Turn: true, MaxSide: 64})
		if o == 1 {
			got = open(t, picture(jpegOf(stored)))
		}
		compare(t, fmt.Sprint("orientation ", o), got, want, 12)
	}
	planes := make([][]byte, 4)
	for i := range planes {
		planes[i] = make([]byte, w*h)
		for k := range w * h {
			planes[i][k] = 255
			if i < 3 {
				planes[i][k] = want.Pix[4*k+i]
			}
		}
	}
	grey := image.NewGray(want.Rect)
	copy(grey.Pix, planes[0])
	for name, test := range map[string]struct {
		file []byte
		want image.Image
	}{
		"rgb":              {oddJPEG(w, h, false, 0, planes[:3]...), want},
		"progressive rgb":  {oddJPEG(w, h, true, 0, planes[:3]...), want},
		"cmyk":             {oddJPEG(w, h, false, 0, planes...), want}, // stored inverted, no black
		"progressive cmyk": {oddJPEG(w, h, true, 0, planes...), want},
		"grey":             {oddJPEG(w, h, false, -1, planes[0]), grey},
		"progressive grey": {oddJPEG(w, h, true, -1, planes[0]), grey},
	} {
		_, got := fitted(t, test.file, Limits{Types: []string{PNG}})
		compare(t, name, got, test.want, 5)
	}
}

// A JPEG that is decoded at a smaller scale comes out as one that is decoded in
// full, up to its edges, in every orientation.
func TestDecodedSmaller(t *testing.T) {
	for _, size := range [][2]int{{203, 149}, {200, 160}, {97, 311}} {
		m := quarters(size[0], size[1])
		grey := image.NewGray(m.Rect)
		for i := range grey.Pix {
			grey.Pix[i] = m.Pix[4*i]
		}
		for kind, file := range map[string][]byte{"colour": jpegOf(m), "grey": jpegOf(grey)} {
			for _, side := range []int{10, 20, 60} {
				for o := 1; o <= 8; o++ {
					p := picture(withExif(file, o))
					i := Probe(p)
					full, small := must(decode(bg, p, &i, 1<<20)), must(decode(bg, p, &i, side))
					if want := jpegScale(max(size[0], size[1]), side); full.scale != 1 || small.scale != want || want == 1 {
						t.Fatalf("%v to %d px: decoded at 1/%d and 1/%d", size, side, full.scale, small.scale)
					}
					compare(t, fmt.Sprint(kind, size, side, o), shrink(small, side, o), shrink(full, side, o), 6)
				}
			}
		}
	}
}

// From which side on which scale is taken.
func TestJPEGScale(t *testing.T) {
	for _, c := range [][3]int{{1200, 1200, 1}, {3599, 1200, 1}, {3600, 1200, 2}, {7199, 1200, 2}, {7200, 1200, 4}, {14400, 1200, 8}, {65535, 1, 8}, {100, 100_000, 1}} {
		if got := jpegScale(c[0], c[1]); got != c[2] {
			t.Errorf("%d px to %d: 1/%d, want 1/%d", c[0], c[1], got, c[2])
		}
	}
}

// compare holds the pixels of two pictures of the same size against each other.
func compare(t *testing.T, name string, got, want image.Image, most int) {
	t.Helper()
	if got.Bounds().Size() != want.Bounds().Size() {
		t.Errorf("%s: size %v, want %v", name, got.Bounds().Size(), want.Bounds().Size())
		return
	}
	worst := 0
	for y := range got.Bounds().Dy() {
		for x := range got.Bounds().Dx() {
			if a, b := atOf(got, x, y), atOf(want, x, y); a.A > 0 || b.A > 0 {
				worst = max(worst, apart(a, b))
			}
		}
	}
	if worst > most {
		t.Errorf("%s: pixels differ by up to %d", name, worst)
	}
}

// Only the first frame of an animation survives, where it lies on its canvas
// (I-26, B107-1).
func TestFirstFrame(t *testing.T) {
	red, green := color.NRGBA{255, 0, 0, 255}, color.NRGBA{0, 255, 0, 255}
	square := func(c color.NRGBA) *image.NRGBA {
		m := image.NewNRGBA(image.Rect(0, 0, 6, 4))
		for i := range 6 * 4 {
			m.SetNRGBA(i%6, i/6, c)
		}
		return m
	}
	inner := func(c color.NRGBA) *image.Paletted {
		return image.NewPaletted(image.Rect(2, 4, 8, 8), color.Palette{c, color.Transparent})
	}
	whole := uniform(12, 10, green)
	want := image.NewNRGBA(image.Rect(0, 0, 12, 10))
	for i := range 6 * 4 {
		want.SetNRGBA(2+i%6, 4+i/6, red)
	}
	for name, file := range map[string][]byte{
		"gif":  gifOf(inner(red), whole),
		"webp": animatedWebP(12, 10, 2, 4, square(red), square(green)),
	} {
		_, got := fitted(t, file, Limits{Types: []string{PNG}})
		compare(t, name, got, want, 0)
	}
}

// Files that PNG can hold and encoders seldom write, and WebP in each of its
// forms, keep their pixels.
func TestPixelKinds(t *testing.T) {
	m := logo(40, 30)
	wide := image.NewNRGBA64(m.Rect)
	for i := range 40 * 30 {
		c := m.NRGBAAt(i%40, i/40)
		wide.SetNRGBA64(i%40, i/40, color.NRGBA64{uint16(c.R) * 257, uint16(c.G) * 257, uint16(c.B) * 257, uint16(c.A) * 257})
	}
	p := image.NewPaletted(m.Rect, color.Palette{color.NRGBA{0, 0, 0, 0}, color.NRGBA{255, 0, 0, 255}})
	for i := range p.Pix {
		p.Pix[i] = byte(i / 7 % 2)
	}
	for name, test := range map[string]struct {
		file []byte
		want image.Image
	}{
		"16 bits": {pngOf(wide), m}, "palette": {pngOf(p), p}, "webp": {webpFile(losslessWebP(m)), m},
		"webp with canvas":         {webpFile(canvas(16, 40, 30), losslessWebP(m)), m},
		"webp with a wrong canvas": {webpFile(canvas(0, 40, 30), losslessWebP(m), webpChunk("EXIF", []byte("xyz"))), m},
	} {
		p := picture(test.file)
		got := shrink(must(decode(bg, p, ptr(Probe(p)), 40)), 40, 1)
		compare(t, name, got, test.want, 1)
	}
	if p, got := fitted(t, must(decodeAll(lossyWebP)), Limits{Types: []string{PNG, JPEG}}); got.Bounds() != image.Rect(0, 0, 16, 12) {
		t.Errorf("lossy webp: %s %v", p.MediaType, got.Bounds()) // B108-1
	}
}

func ptr[T any](v T) *T { return &v }

// A file that ends early is found out, wherever it ends (I-30, AN-42): what goes
// out unchanged still decodes.
func TestCut(t *testing.T) {
	m := photo(90, 70)
	for name, file := range map[string][]byte{
		"png": pngOf(m), "palette": pngOf(paletted(m)), "jpeg": jpegOf(m), "progressive": oddJPEG(16, 16, true, -1, m.Pix[:256], m.Pix[256:512], m.Pix[512:768]),
		"gif": gifOf(paletted(m), paletted(m)), "webp": webpFile(losslessWebP(logo(20, 20))), "lossy": must(decodeAll(lossyWebP)),
		"animation": animatedWebP(20, 20, 0, 0, logo(20, 20), logo(20, 20)), "bmp": bmpOf(m), "tiff": tiffOf(m),
	} {
		for n := 12; n < len(file); n += max(1, len(file)/97) {
			for _, l := range []Limits{{}, {MaxSide: 10}, {Types: []string{PNG}}} {
				r := fitOne(file[:n], l)
				switch {
				case r.Err != nil && r.Err != errDecode:
					t.Errorf("%s, %d of %d bytes: %v", name, n, len(file), r.Err)
				case r.Err == nil && name != "gif":
					if _, err := decode(bg, r.Picture, ptr(Probe(r.Picture)), 1<<20); err != nil {
						t.Errorf("%s, %d of %d bytes: what goes out cannot be decoded", name, n, len(file))
					}
				}
			}
		}
	}
}

// I-B12: metadata goes, pixels and the orientation stay.
func TestStrip(t *testing.T) {
	m := photo(40, 30)
	turnedJPEG := withExif(withSegment(jpegOf(m), com, "secret"), 6)
	n := logo(40, 30)
	for name, file := range map[string][]byte{
		"jpeg": withSegment(withExif(jpegOf(m), 1), com, "secret"), "turned": turnedJPEG,
		"png": withChunk(pngOf(m), "tEXt", "Author\x00secret"), "exif": withChunk(pngOf(m), "eXIf", "MM\x00*secret"),
		"webp": webpFile(canvas(8|4|16, 40, 30), losslessWebP(n), webpChunk("EXIF", []byte("secret")), webpChunk("XMP ", []byte("secret"))),
		// A film behind the picture, as cameras of telephones put it there.
		"film behind a jpeg":       append(withExif(jpegOf(m), 1), "\x00\x00\x00\x18ftypmp42secret"...),
		"picture behind a jpeg":    append(withExif(jpegOf(m), 1), withSegment(jpegOf(n), com, "secret")...),
		"film behind one in steps": append(withExif(oddJPEG(37, 21, true, -1, make([]byte, 37*21)), 1), "\x00\x00\x00\x18ftypmp42secret"...),
		"something behind a png":   append(withChunk(pngOf(m), "tEXt", "Author\x00secret"), webpChunk("more", []byte("secret and more"))...),
		"something behind a webp":  append(webpFile(canvas(8|16, 40, 30), losslessWebP(n), webpChunk("EXIF", []byte("secret"))), webpChunk("more", []byte("secret"))...),
	} {
		r := fitOne(file, Limits{StripMetadata: true})
		if r.Err != nil || len(r.Why) != 1 || r.Why[0].Rule != "I-B12" {
			t.Fatalf("%s: %+v", name, r)
		}
		out := must(decodeAll(r.Picture.Data))
		before, after := Probe(picture(file)), Probe(r.Picture)
		if string(out) == string(file) || contains(out, "secret") || contains(out, "Cam") {
			t.Errorf("%s: metadata is left", name)
		}
		if after.Orientation != before.Orientation || !after.Whole {
			t.Errorf("%s: got %+v", name, after)
		}
		compare(t, name, must(decode(bg, r.Picture, &after, 1<<20)).Image, must(decode(bg, picture(file), &before, 1<<20)).Image, 0)
		if again := fitOne(out, Limits{StripMetadata: true}); again.Picture != r.Picture {
			t.Errorf("%s: a second run changes it", name) // G-2
		}
	}
	plain := jpegOf(m)
	if r := fitOne(plain, Limits{StripMetadata: true}); !r.Fits() || r.Picture != picture(plain) {
		t.Errorf("a file without metadata: %+v", r.Verdict)
	}
}

func contains(b []byte, s string) bool {
	for i := range b {
		if i+len(s) <= len(b) && string(b[i:i+len(s)]) == s {
			return true
		}
	}
	return false
}

// TestLossyAlpha keeps the transparency of a WebP with losses, which stands in a
// chunk of its own (I-B01), for the first frame and in front of it only.
func TestLossyAlpha(t *testing.T) {
	lossy := must(decodeAll(lossyWebP))[12:]
	alpha := func(a byte) []byte {
		return webpChunk("ALPH", append([]byte{0}, bytes.Repeat([]byte{a}, 16*12)...)) // not compressed
	}
	for name, file := range map[string][]byte{
		"one":   webpFile(canvas(1<<4, 16, 12), alpha(0x80), lossy),
		"other": webpFile(canvas(1<<4, 16, 12), alpha(0x80), lossy, alpha(0x10)),
	} {
		p, m := fitted(t, file, Limits{Types: []string{PNG}})
		if c := atOf(m, 8, 6); p.MediaType != PNG || m.Bounds().Dx() != 16 || c.A != 0x80 {
			t.Errorf("%s: %s, %v", name, p.MediaType, c)
		}
	}
}
