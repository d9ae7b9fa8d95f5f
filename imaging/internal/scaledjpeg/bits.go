package scaledjpeg

import "encoding/binary"

// bits reads the bits of a scan. Behind its end there are zeros, which are
// counted.
type bits struct {
	data   []byte
	at     int
	acc    uint64 // the next bits, from the top
	n      int    // bits in acc
	beyond int    // of them, those behind the end
	passed byte   // restarts so far
}

// fill makes sure that acc holds 32 bits: a code and the value behind it.
func (in *bits) fill() {
	if in.n >= 32 {
		return
	}
	if in.at+4 <= len(in.data) {
		if four := binary.BigEndian.Uint32(in.data[in.at:]); (^four-0x01010101)&four&0x80808080 == 0 { // none is 0xff
			in.acc |= uint64(four) << (32 - in.n)
			in.n += 32
			in.at += 4
			return
		}
	}
	for in.n <= 56 {
		var b byte
		switch {
		case in.at >= len(in.data), in.data[in.at] == 0xff && (in.at+1 >= len(in.data) || in.data[in.at+1] != 0):
			in.beyond += 8
		case in.data[in.at] == 0xff:
			b = 0xff
			in.at += 2
		default:
			b = in.data[in.at]
			in.at++
		}
		in.acc |= uint64(b) << (56 - in.n)
		in.n += 8
	}
}

// skip goes on behind n bits.
func (in *bits) skip(n int) {
	in.acc <<= n
	in.n -= n
}

// value returns the number in the first size bits, 15 at most, in the form in
// which coefficients are stored.
func value(acc uint64, size uint) int32 {
	v := int32(acc >> 1 >> (63 - size))
	// Without a leading 1 it is negative.
	return v + (int32(acc>>63)-1)&(1-1<<size)
}

// whole reports whether nothing but the padding of the last byte is left.
func (in *bits) whole() bool { return in.n >= in.beyond && in.n-in.beyond < 8 }

// restarts goes on behind the restart marker that comes next.
func (in *bits) restarts() bool {
	in.fill()
	if !in.whole() || in.at+2 > len(in.data) || in.data[in.at] != 0xff || in.data[in.at+1] != rst0+in.passed&7 {
		return false
	}
	*in = bits{data: in.data, at: in.at + 2, passed: in.passed + 1}
	return true
}

// ends reports whether the scan has come to its end, and the file with it.
func (in *bits) ends() bool {
	in.fill()
	return in.whole() && in.at+2 <= len(in.data) && in.data[in.at+1] == eoi
}

// lookup is the number of bits by which most codes are found at once.
const lookup = 10

// huffman is a table of codes.
type huffman struct {
	short   [1 << lookup]uint16 // size of the code and symbol, 0 for a longer code
	end     [17]uint32          // code behind the last one of each size, from the top of 16 bits
	offset  [17]int32           // from a code to the place of its symbol
	symbols []byte
}

// newHuffman makes a table of the number of codes of each size. It is not ok if
// there are more than fit.
func newHuffman(counts [16]byte, symbols []byte) (t *huffman, ok bool) {
	t = &huffman{symbols: symbols}
	code, at := uint32(0), int32(0)
	for size := 1; size <= 16; size++ {
		t.offset[size] = at - int32(code)
		for range counts[size-1] {
			if code >= 1<<size {
				return nil, false
			}
			if size <= lookup {
				from := code << (lookup - size)
				for i := range uint32(1) << (lookup - size) {
					t.short[from+i] = uint16(size)<<8 | uint16(symbols[at])
				}
			}
			code++
			at++
		}
		t.end[size] = code << (16 - size)
		code <<= 1
	}
	return t, true
}

// find returns the symbol whose code comes next, with the size of the code in
// bits, 0 for none.
func (t *huffman) find(acc uint64) (symbol byte, size uint) {
	if e := t.short[acc>>(64-lookup)]; e != 0 {
		return byte(e), uint(e >> 8)
	}
	return t.findLong(uint32(acc >> 48))
}

func (t *huffman) findLong(next uint32) (symbol byte, size uint) {
	for size := uint(lookup + 1); size <= 16; size++ {
		if next < t.end[size] {
			return t.symbols[int32(next>>(16-size))+t.offset[size]], size
		}
	}
	return 0, 0
}
