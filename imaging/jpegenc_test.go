package imaging

import (
	"encoding/binary"
	"math"
)

// jpegWriter writes JPEGs that the standard encoder does not: progressive ones,
// with four colours, or with colours that are stored as they are. Every
// component has full resolution, all quantisers are 1, and all Huffman codes have
// eight bits.
type jpegWriter struct {
	out  []byte
	bits uint32
	n    int
}

// zigzag maps the order of coefficients in the stream to their place in a block.
var zigzag = func() (z [64]int) {
	i := 0
	for s := range 15 {
		for k := range s + 1 {
			x, y := s-k, k
			if s%2 == 0 {
				x, y = k, s-k
			}
			if x < 8 && y < 8 {
				z[i] = 8*y + x
				i++
			}
		}
	}
	return z
}()

// oddJPEG encodes planes of w times h samples. adobe is the colour transform of
// an Adobe segment, -1 for none.
func oddJPEG(w, h int, progressive bool, adobe int, planes ...[]byte) []byte {
	j := &jpegWriter{out: []byte{0xff, soi}}
	if adobe >= 0 {
		j.segment(app14, "Adobe\x00\x64\x00\x00\x00\x00"+string(rune(adobe)))
	}
	quant := make([]byte, 65)
	for i := range quant[1:] {
		quant[i+1] = 1
	}
	j.segment(0xdb, string(quant))
	frame := []byte{8, byte(h >> 8), byte(h), byte(w >> 8), byte(w), byte(len(planes))}
	for c := range planes {
		frame = append(frame, byte(c+1), 0x11, 0)
	}
	marker := byte(sof0)
	if progressive {
		marker = sof2
	}
	j.segment(marker, string(frame))
	for _, class := range []byte{0x00, 0x10} {
		table := make([]byte, 17+255)
		table[0], table[8] = class, 255
		for i := range 255 {
			table[17+i] = byte(i)
		}
		j.segment(dht, string(table))
	}
	blocks := make([][][64]int, len(planes))
	for c, p := range planes {
		blocks[c] = transform(p, w, h)
	}
	if progressive {
		j.scan(blocks, 0, 0, 0, len(planes))
		for c := range planes {
			j.scan(blocks, 1, 63, c, c+1)
		}
	} else {
		j.scan(blocks, 0, 63, 0, len(planes))
	}
	return append(j.out, 0xff, eoi)
}

func (j *jpegWriter) segment(marker byte, body string) {
	j.out = append(j.out, 0xff, marker)
	j.out = binary.BigEndian.AppendUint16(j.out, uint16(len(body)+2))
	j.out = append(j.out, body...)
}

// scan writes coefficients first…last of components from…to-1.
func (j *jpegWriter) scan(blocks [][][64]int, first, last, from, to int) {
	head := []byte{byte(to - from)}
	for c := from; c < to; c++ {
		head = append(head, byte(c+1), 0)
	}
	j.segment(sos, string(append(head, byte(first), byte(last), 0)))
	before := make([]int, len(blocks))
	for i := range blocks[from] {
		for c := from; c < to; c++ {
			b := &blocks[c][i]
			if first == 0 {
				j.value(0, b[0]-before[c])
				before[c] = b[0]
			}
			if last > 0 {
				j.rest(b, max(first, 1), last)
			}
		}
	}
	for j.n > 0 {
		j.put(1, 1)
	}
}

// rest writes the coefficients behind the first one, with the run of zeros in
// front of each.
func (j *jpegWriter) rest(b *[64]int, first, last int) {
	run := 0
	for k := first; k <= last; k++ {
		v := b[zigzag[k]]
		if v == 0 {
			run++
			continue
		}
		for ; run > 15; run -= 16 {
			j.put(0xf0, 8)
		}
		j.value(run, v)
		run = 0
	}
	if run > 0 {
		j.put(0, 8) // end of block
	}
}

func (j *jpegWriter) value(run, v int) {
	size, bits := 0, v
	for n := max(v, -v); n > 0; n >>= 1 {
		size++
	}
	if v < 0 {
		bits--
	}
	j.put(uint32(run<<4|size), 8)
	j.put(uint32(bits)&(1<<size-1), size)
}

func (j *jpegWriter) put(bits uint32, n int) {
	for i := n - 1; i >= 0; i-- {
		j.bits = j.bits<<1 | bits>>i&1
		if j.n++; j.n == 8 {
			j.out = append(j.out, byte(j.bits))
			if byte(j.bits) == 0xff {
				j.out = append(j.out, 0)
			}
			j.n = 0
		}
	}
}

// transform cuts a plane into blocks and takes the cosine transform of each.
func transform(plane []byte, w, h int) (blocks [][64]int) {
	var cos [8][8]float64
	for x := range 8 {
		for u := range 8 {
			cos[x][u] = math.Cos(float64(2*x+1)*float64(u)*math.Pi/16) / 2
			if u == 0 {
				cos[x][u] /= math.Sqrt2
			}
		}
	}
	for by := 0; by < h; by += 8 {
		for bx := 0; bx < w; bx += 8 {
			var b [64]int
			for u := range 64 {
				sum := 0.0
				for i := range 64 {
					p := plane[min(by+i/8, h-1)*w+min(bx+i%8, w-1)]
					sum += (float64(p) - 128) * cos[i%8][u%8] * cos[i/8][u/8]
				}
				b[u] = int(math.Round(sum))
			}
			blocks = append(blocks, b)
		}
	}
	return blocks
}
