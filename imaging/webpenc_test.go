package imaging

import (
	"encoding/binary"
	"image"
	"math/bits"
)

// losslessWebP returns the VP8L chunk of a picture, without any compression.
func losslessWebP(m *image.NRGBA) []byte {
	var out []byte
	var word uint64
	n := 0
	put := func(v uint32, count int) {
		word |= uint64(v) << n
		for n += count; n >= 8; n -= 8 {
			out = append(out, byte(word))
			word >>= 8
		}
	}
	b := m.Bounds()
	put(0x2f, 8)
	put(uint32(b.Dx()-1), 14)
	put(uint32(b.Dy()-1), 14)
	put(1, 1) // alpha is used
	put(0, 3+1+1+1)
	for _, symbols := range []int{256 + 24, 256, 256, 256} {
		put(0, 1)
		put(12-4, 4) // lengths in the order 17 18 0 1 2 3 4 5 16 6 7 8
		for _, length := range []uint32{0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1} {
			put(length, 3)
		}
		put(0, 1)
		for i := range symbols {
			put(b2u(i < 256), 1)
		}
	}
	put(1, 1) // one distance code, of no bits
	put(0, 3)
	for y := range b.Dy() {
		for x := range b.Dx() {
			p := m.Pix[m.PixOffset(b.Min.X+x, b.Min.Y+y):]
			for _, c := range []int{1, 0, 2, 3} {
				put(uint32(bits.Reverse8(p[c])), 8)
			}
		}
	}
	put(0, 7)
	return webpChunk("VP8L", out)
}

func b2u(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

func webpChunk(name string, body []byte) []byte {
	out := binary.LittleEndian.AppendUint32([]byte(name), uint32(len(body)))
	out = append(out, body...)
	return append(out, make([]byte, len(body)&1)...)
}

func webpFile(chunks ...[]byte) []byte {
	body := []byte("WEBP")
	for _, c := range chunks {
		body = append(body, c...)
	}
	return webpChunk("RIFF", body)
}

func le24(n int) []byte { return []byte{byte(n), byte(n >> 8), byte(n >> 16)} }

// canvas is the VP8X chunk.
func canvas(flags byte, w, h int) []byte {
	return webpChunk("VP8X", append(append([]byte{flags, 0, 0, 0}, le24(w-1)...), le24(h-1)...))
}

// animatedWebP shows the pictures one after the other, each at (x, y).
func animatedWebP(w, h, x, y int, frames ...*image.NRGBA) []byte {
	chunks := [][]byte{canvas(2|16, w, h), webpChunk("ANIM", make([]byte, 6))}
	for _, m := range frames {
		var body []byte
		for _, n := range []int{x / 2, y / 2, m.Rect.Dx() - 1, m.Rect.Dy() - 1, 100} {
			body = append(body, le24(n)...)
		}
		body = append(append(body, 0), losslessWebP(m)...)
		chunks = append(chunks, webpChunk("ANMF", body))
	}
	return webpFile(chunks...)
}

// lossyWebP is a file of 16 × 12 pixels.
const lossyWebP = "UklGRlAAAABXRUJQVlA4IEQAAABwAgCdASoQAAwAAgA0JbACdGuA/wFx/geiAVrwAP71hpcF8i2FBJ3Gl//v2+fqz/XjAJX/7LL7//0JReHMI+dCSgAAAA=="
