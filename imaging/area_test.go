package imaging

import (
	"image"
	"image/color"
	"math"
	"testing"

	"golang.org/x/image/draw"
	"pgregory.net/rapid"
)

// boxMean is the mean colour of what target pixel (x, y) covers, weighted by
// area and, for colours, by alpha, in floating point.
func boxMean(m image.Image, w, h, x, y int) (c [4]float64) {
	b := m.Bounds()
	sx, sy := float64(b.Dx())/float64(w), float64(b.Dy())/float64(h)
	total := 0.0
	for v := int(float64(y) * sy); v < b.Dy() && float64(v) < float64(y+1)*sy; v++ {
		for u := int(float64(x) * sx); u < b.Dx() && float64(u) < float64(x+1)*sx; u++ {
			part := overlap(u, float64(x)*sx, float64(x+1)*sx) * overlap(v, float64(y)*sy, float64(y+1)*sy)
			p := exact(m, u, v)
			alpha := part * p[3]
			for i := range 3 {
				c[i] += alpha * p[i]
			}
			c[3] += alpha
			total += part
		}
	}
	if c[3] > 0 {
		for i := range 3 {
			c[i] /= c[3]
		}
	}
	c[3] /= total
	return c
}

// exact is a pixel as values up to 255.
func exact(m image.Image, x, y int) [4]float64 {
	if g, ok := m.(*image.Gray16); ok {
		v := float64(g.Gray16At(x, y).Y) / 257
		return [4]float64{v, v, v, 255}
	}
	c := atOf(m, x, y)
	return [4]float64{float64(c.R), float64(c.G), float64(c.B), float64(c.A)}
}

func overlap(pixel int, from, to float64) float64 {
	return max(0, min(float64(pixel+1), to)-max(float64(pixel), from))
}

// drawn returns a random picture of one of the kinds that decoders give.
func drawn(t *rapid.T) image.Image {
	w, h := rapid.IntRange(1, 15).Draw(t, "width"), rapid.IntRange(1, 15).Draw(t, "height")
	b := image.Rect(0, 0, w, h)
	pix := rapid.SliceOfN(rapid.Byte(), 8*w*h, 8*w*h).Draw(t, "pixels")
	switch rapid.SampledFrom([]string{"rgba", "nrgba", "gray", "gray16", "nrgba64", "cmyk", "palette", "alpha planes"}).Draw(t, "kind") {
	case "rgba":
		for i := 3; i < len(pix); i += 4 {
			pix[i] = 255
		}
		return &image.RGBA{Pix: pix[:4*w*h], Stride: 4 * w, Rect: b}
	case "nrgba":
		return &image.NRGBA{Pix: pix[:4*w*h], Stride: 4 * w, Rect: b}
	case "gray":
		return &image.Gray{Pix: pix[:w*h], Stride: w, Rect: b}
	case "gray16":
		return &image.Gray16{Pix: pix[:2*w*h], Stride: 2 * w, Rect: b}
	case "nrgba64": // 16 bits are rounded to 8 first, so these hold no more
		for i := 0; i < len(pix); i += 2 {
			pix[i+1] = pix[i]
		}
		return &image.NRGBA64{Pix: pix, Stride: 8 * w, Rect: b}
	case "cmyk":
		return &image.CMYK{Pix: pix[:4*w*h], Stride: 4 * w, Rect: b}
	case "palette":
		p := make(color.Palette, 256)
		for i := range p {
			p[i] = color.NRGBA{byte(i), byte(3 * i), byte(7 * i), byte(255 - i%2*i)}
		}
		return &image.Paletted{Pix: pix[:w*h], Stride: w, Rect: b, Palette: p}
	}
	m := image.NewNYCbCrA(b, image.YCbCrSubsampleRatio420)
	for _, plane := range [][]byte{m.Y, m.Cb, m.Cr, m.A} {
		copy(plane, pix)
	}
	return m
}

// The filter is the exact mean over the area, within one unit, for all kinds of
// pixels; hidden colours of transparent pixels do not count.
func TestAreaIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawn(t)
		b := m.Bounds()
		f := &frame{Image: m, width: b.Dx(), height: b.Dy(), scale: 1}
		w, h := rapid.IntRange(1, b.Dx()).Draw(t, "to"), rapid.IntRange(1, b.Dy()).Draw(t, "by")
		got := resample(f, newAxis(b.Dx(), 1, b.Dx(), w), newAxis(b.Dy(), 1, b.Dy(), h))
		for y := range h {
			for x := range w {
				want, have := boxMean(m, w, h, x, y), atOf(got, x, y)
				for i, v := range []byte{have.R, have.G, have.B, have.A} {
					if have.A == 0 && i < 3 {
						continue
					}
					if math.Abs(float64(v)-want[i]) > 1 {
						t.Fatalf("%T %v to %dx%d, channel %d at %d,%d: got %d, want %.3f", m, b, w, h, i, x, y, v, want[i])
					}
				}
			}
		}
	})
}

// The planes of a JPEG are scaled where they lie: luma is the exact mean of its
// plane, chroma that of the pixels that it stands for.
func TestPlanesAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(1, 40).Draw(t, "width"), rapid.IntRange(1, 40).Draw(t, "height")
		ratio := image.YCbCrSubsampleRatio(rapid.IntRange(0, 5).Draw(t, "ratio"))
		m := image.NewYCbCr(image.Rect(0, 0, w, h), ratio)
		for _, plane := range [][]byte{m.Y, m.Cb, m.Cr} {
			copy(plane, rapid.SliceOfN(rapid.Byte(), len(plane), len(plane)).Draw(t, "plane"))
		}
		tw, th := rapid.IntRange(1, w).Draw(t, "to"), rapid.IntRange(1, h).Draw(t, "by")
		got := resampleYCbCr(m, &frame{Image: m, width: w, height: h, scale: 1}, tw, th)
		// Each plane as a grey picture of full size.
		luma, blue, red := image.NewGray(m.Rect), image.NewGray(m.Rect), image.NewGray(m.Rect)
		for y := range h {
			for x := range w {
				c := m.YCbCrAt(x, y)
				luma.Pix[y*w+x], blue.Pix[y*w+x], red.Pix[y*w+x] = c.Y, c.Cb, c.Cr
			}
		}
		for y := range th {
			for x := range tw {
				c := got.YCbCrAt(x, y)
				for i, v := range []byte{c.Y, c.Cb, c.Cr} {
					want := boxMean([]image.Image{luma, blue, red}[i], tw, th, x, y)[0]
					if math.Abs(float64(v)-want) > 1 {
						t.Fatalf("%v %v to %dx%d, plane %d at %d,%d: got %d, want %.3f", m.Rect, ratio, tw, th, i, x, y, v, want)
					}
				}
			}
		}
	})
}

// I-23: proportions are kept, nothing is enlarged, no side is lost.
func TestFit(t *testing.T) {
	for _, test := range [][5]int{
		{2400, 600, 1200, 1200, 300},
		{600, 2400, 1200, 300, 1200},
		{1201, 3, 1200, 1200, 3},
		{40, 20, 1200, 40, 20},
		{5000, 5000, 1200, 1200, 1200},
		{100_000, 2, 1200, 1200, 1},
		{1999, 1000, 1000, 1000, 500},
	} {
		if w, h := fit(test[0], test[1], test[2]); w != test[3] || h != test[4] {
			t.Errorf("%v: got %dx%d", test, w, h)
		}
	}
}

// All eight orientations end up as the same picture, pixel by pixel (I-24).
func TestOrientations(t *testing.T) {
	const w, h = 7, 5
	want := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range want.Pix {
		want.Pix[i] = byte(i * 37)
		if i%4 == 3 {
			want.Pix[i] = 255
		}
	}
	// Where the top row and the left column of the picture are stored, as the
	// Exif standard says it.
	stored := map[int]func(x, y int) (int, int){
		1: func(x, y int) (int, int) { return x, y },                 // top, left
		2: func(x, y int) (int, int) { return w - 1 - x, y },         // top, right
		3: func(x, y int) (int, int) { return w - 1 - x, h - 1 - y }, // bottom, right
		4: func(x, y int) (int, int) { return x, h - 1 - y },         // bottom, left
		5: func(x, y int) (int, int) { return y, x },                 // left, top
		6: func(x, y int) (int, int) { return y, w - 1 - x },         // right, top
		7: func(x, y int) (int, int) { return h - 1 - y, w - 1 - x }, // right, bottom
		8: func(x, y int) (int, int) { return h - 1 - y, x },         // left, bottom
	}
	for o := 1; o <= 8; o++ {
		m := image.NewRGBA(image.Rect(0, 0, w, h))
		if o >= 5 {
			m = image.NewRGBA(image.Rect(0, 0, h, w))
		}
		for y := range h {
			for x := range w {
				sx, sy := stored[o](x, y)
				m.Set(sx, sy, want.At(x, y))
			}
		}
		got := upright(m, o)
		if got.Bounds() != want.Rect {
			t.Errorf("orientation %d: %v", o, got.Bounds())
			continue
		}
		for y := range h {
			for x := range w {
				if got.At(x, y) != want.At(x, y) {
					t.Fatalf("orientation %d: pixel %d,%d is %v, want %v", o, x, y, got.At(x, y), want.At(x, y))
				}
			}
		}
	}
}

// resamplers are what the filter is held against.
var resamplers = map[string]draw.Interpolator{"Catmull-Rom": draw.CatmullRom, "bilinear": draw.BiLinear}

// Text of a screenshot of 2880 × 1800 stays readable at 1200 px: its structure
// is that of the same picture made by another resampler.
func TestTextStaysReadable(t *testing.T) {
	largePictures(t)
	m := screenshot(2880, 1800)
	p, got := fitted(t, pngOf(m), Limits{})
	if got.Bounds().Dx() != 1200 || got.Bounds().Dy() != 750 {
		t.Fatalf("%v", got.Bounds())
	}
	t.Logf("%s of %s", Size(source(p.Data).size()), p.MediaType)
	alike(t, got, m)
}

// So does text in a JPEG that is decoded at half its size, which happens from a
// side of 3600 px on.
func TestTextDecodedAtHalf(t *testing.T) {
	largePictures(t)
	p := picture(jpegOf(screenshot(3600, 1200)))
	i := Probe(p)
	full, half := must(decode(bg, p, &i, 2401)), must(decode(bg, p, &i, 1200))
	if full.scale != 1 || half.scale != 2 {
		t.Fatalf("decoded at 1/%d and 1/%d", full.scale, half.scale)
	}
	alike(t, shrink(half, 1200, 1), full.Image)
}

// alike holds a picture against what the resamplers make of m.
func alike(t *testing.T, got, m image.Image) {
	t.Helper()
	for name, by := range resamplers {
		want := image.NewRGBA(got.Bounds())
		by.Scale(want, want.Rect, m, m.Bounds(), draw.Src, nil)
		s := similarity(luma(got), luma(want), got.Bounds().Dx())
		t.Logf("%s: %.4f", name, s)
		if s < 0.98 {
			t.Errorf("%s: similarity %.4f", name, s)
		}
	}
}

func luma(m image.Image) []float64 {
	b := m.Bounds()
	out := make([]float64, 0, b.Dx()*b.Dy())
	for y := range b.Dy() {
		for x := range b.Dx() {
			c := atOf(m, x, y)
			out = append(out, 0.299*float64(c.R)+0.587*float64(c.G)+0.114*float64(c.B))
		}
	}
	return out
}

// similarity is the mean structural similarity over windows of 8 × 8 pixels,
// four apart.
func similarity(a, b []float64, width int) float64 {
	const size, step = 8, 4
	const c1, c2 = (0.01 * 255) * (0.01 * 255), (0.03 * 255) * (0.03 * 255)
	sum, windows := 0.0, 0
	for y := 0; y+size <= len(a)/width; y += step {
		for x := 0; x+size <= width; x += step {
			var ma, mb, aa, bb, ab float64
			for v := y; v < y+size; v++ {
				for u := x; u < x+size; u++ {
					p, q := a[v*width+u], b[v*width+u]
					ma, mb, aa, bb, ab = ma+p, mb+q, aa+p*p, bb+q*q, ab+p*q
				}
			}
			const n = size * size
			ma, mb = ma/n, mb/n
			va, vb, cov := aa/n-ma*ma, bb/n-mb*mb, ab/n-ma*mb
			sum += (2*ma*mb + c1) * (2*cov + c2) / ((ma*ma + mb*mb + c1) * (va + vb + c2))
			windows++
		}
	}
	return sum / float64(windows)
}
