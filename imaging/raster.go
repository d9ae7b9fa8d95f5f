package imaging

import (
	"image"
	"image/color"
)

// opaque returns the rows of a picture without transparency as 8-bit R, G, B,
// and false for any other picture.
func opaque(f *frame) (raster[uint8], bool) {
	if !f.covers() {
		return raster[uint8]{}, false
	}
	b := f.Bounds()
	switch m := f.Image.(type) {
	case *image.RGBA:
		if m.Opaque() {
			return raster[uint8]{func(y int) []uint8 { return m.Pix[m.PixOffset(b.Min.X, b.Min.Y+y):] }, 4, 3}, true
		}
	case *image.CMYK:
		row := make([]uint8, 3*f.width)
		return raster[uint8]{func(y int) []uint8 {
			pix := m.Pix[m.PixOffset(b.Min.X, b.Min.Y+y):]
			for x := range f.width {
				row[3*x], row[3*x+1], row[3*x+2] = color.CMYKToRGB(pix[4*x], pix[4*x+1], pix[4*x+2], pix[4*x+3])
			}
			return row
		}, 3, 3}, true
	}
	return raster[uint8]{}, false
}

// grey returns the rows of a grey picture.
func grey(f *frame) (raster[uint8], bool) {
	b := f.Bounds()
	switch m := f.Image.(type) {
	case *image.Gray:
		return raster[uint8]{func(y int) []uint8 { return m.Pix[m.PixOffset(b.Min.X, b.Min.Y+y):] }, 1, 1}, f.covers()
	case *image.Gray16:
		row := make([]uint8, f.width)
		return raster[uint8]{func(y int) []uint8 {
			pix := m.Pix[m.PixOffset(b.Min.X, b.Min.Y+y):]
			for x := range row {
				row[x] = narrow(pix[2*x], pix[2*x+1])
			}
			return row
		}, 1, 1}, f.covers()
	}
	return raster[uint8]{}, false
}

// narrow rounds 16 bits to 8.
func narrow(high, low byte) byte {
	return byte((uint32(high)<<8 | uint32(low) + 128) / 257)
}

// full is the weight of an opaque pixel in rows of 16 bits: colours are stored
// multiplied by their alpha, and alpha by full, so that means of both are exact.
const full = 255

// blended returns the rows of any picture as R, G, B multiplied by alpha, and
// alpha itself times full. What the frame does not cover is transparent.
func blended(f *frame) raster[uint16] {
	fill := filler(f)
	row := make([]uint16, 4*f.width)
	size := f.Bounds().Size()
	return raster[uint16]{func(y int) []uint16 {
		if y -= f.at.Y; y < 0 || y >= size.Y {
			clear(row)
			return row
		}
		fill(row[4*f.at.X:], y)
		return row
	}, 4, 4}
}

// filler returns a function that writes row y of the frame.
func filler(f *frame) func(row []uint16, y int) {
	b := f.Bounds()
	put := func(row []uint16, x int, c color.NRGBA) {
		a := uint16(c.A)
		row[4*x], row[4*x+1], row[4*x+2], row[4*x+3] = uint16(c.R)*a, uint16(c.G)*a, uint16(c.B)*a, full*a
	}
	switch m := f.Image.(type) {
	case *image.NRGBA:
		return func(row []uint16, y int) {
			pix := m.Pix[m.PixOffset(b.Min.X, b.Min.Y+y):]
			for x := range b.Dx() {
				put(row, x, color.NRGBA{pix[4*x], pix[4*x+1], pix[4*x+2], pix[4*x+3]})
			}
		}
	case *image.NRGBA64:
		return func(row []uint16, y int) {
			pix := m.Pix[m.PixOffset(b.Min.X, b.Min.Y+y):]
			for x := range b.Dx() {
				p := pix[8*x : 8*x+8]
				put(row, x, color.NRGBA{narrow(p[0], p[1]), narrow(p[2], p[3]), narrow(p[4], p[5]), narrow(p[6], p[7])})
			}
		}
	case *image.Paletted:
		var palette [256]color.NRGBA
		for i, c := range m.Palette[:min(len(m.Palette), 256)] {
			palette[i] = color.NRGBAModel.Convert(c).(color.NRGBA)
		}
		return func(row []uint16, y int) {
			pix := m.Pix[m.PixOffset(b.Min.X, b.Min.Y+y):]
			for x := range b.Dx() {
				put(row, x, palette[pix[x]])
			}
		}
	}
	return func(row []uint16, y int) {
		for x := range b.Dx() {
			put(row, x, color.NRGBAModel.Convert(f.At(b.Min.X+x, b.Min.Y+y)).(color.NRGBA))
		}
	}
}
