package scaledjpeg

import "math"

// transform makes the samples of a block.
type transform func(b *block, to []byte, stride int)

// transforms are there for each scale.
var transforms = map[int]transform{2: half, 4: quarter, 8: eighth}

// natural maps the order of coefficients in a file to their place in a block.
var natural = [64]uint8{
	0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
	35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
}

// Numbers with a binary point: coefficients and the constants below.
const (
	point      = 13
	cosPoint   = 14
	cosPi8     = 15137 // cos(π/8) · 2¹⁴
	sinPi8     = 6270  // sin(π/8) · 2¹⁴
	halfSample = 1 << (point - 1)
	middle     = 128<<point + halfSample
)

// weigh makes the weights by which coefficients are multiplied as they are read:
// the quantiser, what the transform of 8 × 8 samples gives a coefficient, and what
// is left of its wave in the mean over scale samples.
//
// The mean of two neighbours of the wave cos((2x+1)uπ/16) is cos(uπ/16) times the
// wave cos((2x+1)uπ/8) of half as many samples. There the wave 4 is zero, and the
// waves 5, 6 and 7 are the waves 3, 2 and 1 upside down.
func (c *component) weigh(quantisers *[64]uint16, scale int) {
	for k, at := range natural {
		w := float64(quantisers[k]) * wave(int(at&7), scale) * wave(int(at>>3), scale)
		c.weights[k] = int32(math.Round(float64(w * (1 << point))))
	}
}

// wave is the weight of one wave in one direction.
func wave(u, scale int) float64 {
	if u == 0 {
		return math.Sqrt2 / 4
	}
	w, left := 0.5, 8
	for ; left > 8/scale; left /= 2 {
		w *= math.Cos(float64(u) * math.Pi / float64(2*left))
	}
	// Which of the waves of fewer samples it is.
	if u %= 4 * left; u > 2*left {
		u = 4*left - u
	}
	if u > left {
		u, w = 2*left-u, -w
	}
	switch {
	case u == left:
		return 0
	case 2*u == left: // its only value is cos(π/4)
		return w * math.Sqrt2 / 2
	}
	return w
}

// half makes 4 × 4 samples: columns first, then rows.
func half(b *block, to []byte, stride int) {
	if b.flat {
		fill(to, stride, 4, b.of[0])
		return
	}
	var rows [4][8]int32
	for u := range 8 {
		if b.columns>>u&1 == 0 {
			continue
		}
		f := b.of[u : u+57]
		rows[0][u], rows[1][u], rows[2][u], rows[3][u] = four(f[0], f[8]+f[56], f[16]+f[48], f[24]+f[40])
	}
	for y := range rows {
		r, row := &rows[y], to[y*stride:y*stride+4]
		s0, s1, s2, s3 := four(r[0]+middle, r[1]+r[7], r[2]+r[6], r[3]+r[5])
		row[0], row[1], row[2], row[3] = sample(s0), sample(s1), sample(s2), sample(s3)
	}
}

// four is the transform of four waves, of which g2 holds its only value already.
func four(g0, g1, g2, g3 int32) (s0, s1, s2, s3 int32) {
	even, odd := g0+g2, g0-g2
	outer := int32((int64(g1)*cosPi8 + int64(g3)*sinPi8) >> cosPoint)
	inner := int32((int64(g1)*sinPi8 - int64(g3)*cosPi8) >> cosPoint)
	return even + outer, odd + inner, odd - inner, even - outer
}

// quarter makes 2 × 2 samples, of waves that hold their only value already.
func quarter(b *block, to []byte, stride int) {
	if b.flat {
		fill(to, stride, 2, b.of[0])
		return
	}
	var sums, differences [8]int32
	for u := range 8 {
		if b.columns>>u&1 != 0 {
			f := b.of[u : u+57]
			odd := f[8] + f[24] + f[40] + f[56]
			sums[u], differences[u] = f[0]+odd, f[0]-odd
		}
	}
	for y, r := range []*[8]int32{&sums, &differences} {
		even, odd := r[0]+middle, r[1]+r[3]+r[5]+r[7]
		to[y*stride], to[y*stride+1] = sample(even+odd), sample(even-odd)
	}
}

// eighth makes one sample.
func eighth(b *block, to []byte, _ int) { to[0] = sample(b.of[0] + middle) }

func fill(to []byte, stride, side int, first int32) {
	s := sample(first + middle)
	for y := range side {
		row := to[y*stride : y*stride+side]
		for x := range row {
			row[x] = s
		}
	}
}

// sample rounds off the binary point.
func sample(v int32) byte {
	v >>= point
	if uint32(v) > 255 {
		v = ^(v >> 31) & 255
	}
	return byte(v)
}
