package imaging

import (
	"bytes"
	"image"
	"image/jpeg"
	"image/png"
	"math/bits"
)

// fit returns the size of a picture that is at most side pixels long, with its
// proportions kept; it is never enlarged (I-23).
func fit(width, height, side int) (w, h int) {
	longest := max(width, height)
	if longest <= side {
		return width, height
	}
	scaled := func(n int) int { return max(1, (n*side+longest/2)/longest) }
	return scaled(width), scaled(height)
}

// shrink scales a decoded picture to at most side pixels and turns it upright
// (I-23, I-24). The result has one of the forms that the encoders know directly:
// Gray; YCbCr without subsampling; RGBA if it is opaque; else NRGBA.
func shrink(f *frame, side, orientation int) image.Image {
	w, h := fit(f.width, f.height, side)
	x, y := newAxis(f.across(), f.scale, f.width, w), newAxis(f.down(), f.scale, f.height, h)
	return upright(resample(f, x, y), orientation)
}

func resample(f *frame, x, y axis) image.Image {
	w, h := len(x.spans), len(y.spans)
	area := x.target * y.target
	if m, ok := f.Image.(*image.YCbCr); ok && f.covers() {
		return resampleYCbCr(m, f, w, h)
	}
	if rows, ok := grey(f); ok {
		m := image.NewGray(image.Rect(0, 0, w, h))
		average(rows, x, y, func(k int, sums []int64) { mean(m.Pix[k*w:], 1, sums, area) })
		return m
	}
	if rows, ok := opaque(f); ok {
		m := image.NewRGBA(image.Rect(0, 0, w, h))
		average(rows, x, y, func(k int, sums []int64) {
			for c := range 3 {
				mean(m.Pix[4*k*w+c:], 4, sums[c*w:(c+1)*w], area)
			}
		})
		for i := 3; i < len(m.Pix); i += 4 {
			m.Pix[i] = 0xff
		}
		return m
	}
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	average(blended(f), x, y, func(k int, sums []int64) { unblend(m.Pix[4*k*w:4*(k+1)*w], sums, area) })
	if m.Opaque() {
		return &image.RGBA{Pix: m.Pix, Stride: m.Stride, Rect: m.Rect}
	}
	return m
}

// unblend turns a row of sums into pixels.
func unblend(pix []byte, sums []int64, area int64) {
	w := len(pix) / 4
	for j := range w {
		alpha := sums[3*w+j]
		if alpha == 0 {
			continue
		}
		for c := range 3 {
			pix[4*j+c] = byte((sums[c*w+j]*full + alpha/2) / alpha)
		}
		pix[4*j+3] = byte((alpha + area*full/2) / (area * full))
	}
}

// resampleYCbCr scales the planes as they are; those of chroma lose their
// subsampling, as they are read where they lie.
func resampleYCbCr(m *image.YCbCr, f *frame, w, h int) *image.YCbCr {
	b := m.Bounds()
	out := image.NewYCbCr(image.Rect(0, 0, w, h), image.YCbCrSubsampleRatio444)
	plane := func(dst, src []byte, stride, subX, subY int) {
		x := newAxis((b.Dx()+subX-1)/subX, subX*f.scale, f.width, w)
		y := newAxis((b.Dy()+subY-1)/subY, subY*f.scale, f.height, h)
		rows := raster[uint8]{func(y int) []uint8 { return src[y*stride:] }, 1, 1}
		average(rows, x, y, func(k int, sums []int64) { mean(dst[k*w:], 1, sums, x.target*y.target) })
	}
	subX, subY := subsampling(m.SubsampleRatio)
	plane(out.Y, m.Y[m.YOffset(b.Min.X, b.Min.Y):], m.YStride, 1, 1)
	plane(out.Cb, m.Cb[m.COffset(b.Min.X, b.Min.Y):], m.CStride, subX, subY)
	plane(out.Cr, m.Cr[m.COffset(b.Min.X, b.Min.Y):], m.CStride, subX, subY)
	return out
}

func subsampling(r image.YCbCrSubsampleRatio) (x, y int) {
	switch r {
	case image.YCbCrSubsampleRatio422:
		return 2, 1
	case image.YCbCrSubsampleRatio420:
		return 2, 2
	case image.YCbCrSubsampleRatio440:
		return 1, 2
	case image.YCbCrSubsampleRatio411:
		return 4, 1
	case image.YCbCrSubsampleRatio410:
		return 4, 2
	}
	return 1, 1
}

// upright turns a picture of the given Exif orientation (I-24).
func upright(m image.Image, orientation int) image.Image {
	if orientation == 1 {
		return m
	}
	b := m.Bounds()
	w, h := b.Dx(), b.Dy()
	rect := image.Rect(0, 0, w, h)
	if orientation >= 5 {
		rect = image.Rect(0, 0, h, w)
	}
	turned := func(pix []byte, size int) []byte { return turn(pix, w, h, size, orientation) }
	switch m := m.(type) {
	case *image.Gray:
		return &image.Gray{Pix: turned(m.Pix, 1), Stride: rect.Dx(), Rect: rect}
	case *image.YCbCr:
		return &image.YCbCr{
			Y: turned(m.Y, 1), Cb: turned(m.Cb, 1), Cr: turned(m.Cr, 1),
			YStride: rect.Dx(), CStride: rect.Dx(), SubsampleRatio: m.SubsampleRatio, Rect: rect,
		}
	case *image.RGBA:
		return &image.RGBA{Pix: turned(m.Pix, 4), Stride: 4 * rect.Dx(), Rect: rect}
	}
	return m // only a JPEG has an orientation
}

// turn reorders pixels of size bytes. Orientations 5…8 swap the axes, 2, 3, 7
// and 8 mirror the columns of the source, 3, 4, 6 and 7 its rows.
func turn(pix []byte, w, h, size, orientation int) []byte {
	out := make([]byte, len(pix))
	width := w
	if orientation >= 5 {
		width = h
	}
	flipX := orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8
	flipY := orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7
	for i := range w * h {
		x, y := i%width, i/width
		if orientation >= 5 {
			x, y = y, x
		}
		if flipX {
			x = w - 1 - x
		}
		if flipY {
			y = h - 1 - y
		}
		copy(out[i*size:(i+1)*size], pix[(y*w+x)*size:])
	}
	return out
}

// onWhite blends a transparent picture onto white; others stay (I-B01).
func onWhite(m image.Image) image.Image {
	t, ok := m.(*image.NRGBA)
	if !ok {
		return m
	}
	out := image.NewRGBA(t.Rect)
	for i := 0; i < len(t.Pix); i += 4 {
		a := int(t.Pix[i+3])
		for c := range 3 {
			out.Pix[i+c] = byte((int(t.Pix[i+c])*a + 255*(255-a) + 127) / 255)
		}
		out.Pix[i+3] = 0xff
	}
	return out
}

// isDrawn reports whether a picture is a drawing, or one of text, of which a PNG
// may be smaller than a JPEG (I-B08): it has few colours, and neighbours have the
// same one. A PNG of anything else takes long to make and is larger.
func isDrawn(m image.Image) bool {
	const hardlyAny, few = 16, 2048 // of 65 536 that are told apart
	var colours, repeats int
	switch m := m.(type) {
	case *image.Gray:
		colours, repeats = count(m.Pix, 1, func(p []byte) uint16 { return uint16(p[0]) })
	case *image.RGBA:
		colours, repeats = count(m.Pix, 4, func(p []byte) uint16 {
			return uint16(p[0]>>3)<<11 | uint16(p[1]>>2)<<5 | uint16(p[2]>>3)
		})
	default:
		return false
	}
	b := m.Bounds()
	return colours <= hardlyAny || colours <= few && repeats >= b.Dx()*b.Dy()/4
}

// count returns the number of colours in pixels of size bytes, and how many
// pixels equal the one before exactly.
func count(pix []byte, size int, colour func([]byte) uint16) (colours, repeats int) {
	var seen [1 << 16 / 64]uint64
	var before []byte
	for i := 0; i < len(pix); i += size {
		p := pix[i : i+size : i+size]
		c := colour(p)
		seen[c/64] |= 1 << (c % 64)
		if bytes.Equal(p, before) {
			repeats++
		}
		before = p
	}
	for _, word := range seen {
		colours += bits.OnesCount64(word)
	}
	return colours, repeats
}

func encodePNG(m image.Image) ([]byte, error) {
	var b bytes.Buffer
	err := png.Encode(&b, m)
	return b.Bytes(), err
}

func encodeJPEG(m image.Image, quality int) ([]byte, error) {
	var b bytes.Buffer
	err := jpeg.Encode(&b, m, &jpeg.Options{Quality: quality})
	return b.Bytes(), err
}
