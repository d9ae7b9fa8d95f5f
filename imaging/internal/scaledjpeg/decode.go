package scaledjpeg

import (
	"context"
	"image"
)

// Decode returns the picture in a file at a size of one in scale, which is 2, 4
// or 8: an [image.Gray], or an [image.YCbCr] with the subsampling of the file. Its
// sides are rounded up; the last samples may stand for fewer of the picture than
// the others. It is not ok if the file is of a kind that is not read here, if
// anything is wrong with it, or if the context has ended.
func Decode(ctx context.Context, file []byte, scale int) (m image.Image, ok bool) {
	h, ok := readHeader(file)
	if !ok || transforms[scale] == nil {
		return nil, false
	}
	for i := range h.components {
		c := &h.components[i]
		c.side = 8 / scale
		c.stride = h.across * c.wide * c.side
		c.plane = make([]byte, c.stride*h.down*c.high*c.side)
		c.weigh(&h.quantisers[c.quantiser], scale)
	}
	if !h.scan(ctx, bits{data: file[h.body:]}, transforms[scale]) {
		return nil, false
	}
	return h.picture(scale), true
}

// scan decodes the blocks of a picture and transforms them.
func (h *header) scan(ctx context.Context, in bits, to transform) bool {
	left := h.restart
	for y := range h.down {
		if ctx.Err() != nil {
			return false
		}
		for x := range h.across {
			if h.restart > 0 && left == 0 {
				if !in.restarts() {
					return false
				}
				for i := range h.components {
					h.components[i].before = 0
				}
				left = h.restart
			}
			left--
			for i := range h.components {
				if !h.components[i].unit(&in, x, y, to) {
					return false
				}
			}
		}
	}
	return in.ends()
}

// unit decodes the blocks that one component has in unit (x, y) of the picture.
func (c *component) unit(in *bits, x, y int, to transform) bool {
	for v := range c.high {
		for u := range c.wide {
			c.block = block{}
			if !c.coefficients(in, &c.block) {
				return false
			}
			at := (y*c.high+v)*c.side*c.stride + (x*c.wide+u)*c.side
			to(&c.block, c.plane[at:], c.stride)
		}
	}
	return true
}

// block holds the coefficients of 8 × 8 samples, weighted for a transform.
type block struct {
	of      [64]int32
	columns uint8 // that hold anything but zeros, one bit each
	flat    bool  // nothing but the first coefficient
}

// coefficients reads a block.
func (c *component) coefficients(in *bits, b *block) bool {
	in.fill()
	symbol, size := c.dc.find(in.acc)
	if size == 0 || symbol > 11 {
		return false
	}
	in.skip(int(size))
	c.before += value(in.acc, uint(symbol))
	in.skip(int(symbol))
	b.of[0], b.columns, b.flat = c.before*c.weights[0], 1, true
	for k := 1; k < 64; k++ {
		in.fill()
		acc := in.acc
		symbol, size := c.ac.find(acc)
		bits := uint(symbol & 15)
		in.skip(int(size + bits))
		switch {
		case size == 0:
			return false
		case symbol == 0: // end of block
			return true
		case symbol == 0xf0: // sixteen zeros
			k += 15
			continue
		}
		if k += int(symbol >> 4); bits == 0 || k > 63 {
			return false
		}
		at := natural[k&63]
		b.of[at&63] = value(acc<<size, bits) * c.weights[k&63]
		b.columns |= 1 << (at & 7)
		b.flat = false
	}
	return true
}

// picture puts the planes together.
func (h *header) picture(scale int) image.Image {
	y := &h.components[0]
	rect := image.Rect(0, 0, (h.width+scale-1)/scale, (h.height+scale-1)/scale)
	if len(h.components) == 1 {
		return &image.Gray{Pix: y.plane, Stride: y.stride, Rect: rect}
	}
	cb, cr := &h.components[1], &h.components[2]
	return &image.YCbCr{
		Y: y.plane, Cb: cb.plane, Cr: cr.plane, YStride: y.stride, CStride: cb.stride,
		SubsampleRatio: ratios[[2]int{y.wide, y.high}], Rect: rect,
	}
}
