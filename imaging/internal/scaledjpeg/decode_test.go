package scaledjpeg

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"image"
	"image/jpeg"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// writer writes pictures of any subsampling, with restarts, out of random
// coefficients. The Huffman codes are long for all but the most frequent symbols.
type writer struct {
	out  []byte
	bits uint32
	n    int
}

// shape is what a picture looks like from the outside.
type shape struct {
	w, h, wide, high, components, restart int
	wideQuantisers                        bool
}

func (s shape) write(r *rand.Rand) []byte {
	j := &writer{out: []byte{0xff, soi}}
	quant := []byte{0}
	if s.wideQuantisers {
		quant[0] = 0x10
	}
	for range 64 {
		if s.wideQuantisers {
			quant = append(quant, 0)
		}
		quant = append(quant, byte(1+r.IntN(3)))
	}
	j.segment(dqt, quant)
	frame := []byte{8, byte(s.h >> 8), byte(s.h), byte(s.w >> 8), byte(s.w), byte(s.components)}
	scan := []byte{byte(s.components)}
	for c := range s.components {
		sampling := byte(0x11)
		if c == 0 {
			sampling = byte(s.wide<<4 | s.high)
		}
		frame = append(frame, byte(c+1), sampling, 0)
		scan = append(scan, byte(c+1), 0)
	}
	j.segment(sof0, frame)
	for _, class := range []byte{0x00, 0x10} {
		table := make([]byte, 17, 17+256)
		table[0], table[4], table[13] = class, 8, 248 // 8 codes of 4 bits, 248 of 13
		for i := range 256 {
			table = append(table, byte(i))
		}
		j.segment(dht, table)
	}
	if s.restart > 0 {
		j.segment(dri, []byte{0, byte(s.restart)})
	}
	j.segment(sos, append(scan, 0, 63, 0))
	wide, high := 8*s.wide, 8*s.high
	if s.components == 1 {
		wide, high = 8, 8
	}
	units := (s.w + wide - 1) / wide * ((s.h + high - 1) / high)
	for i := range units {
		if s.restart > 0 && i > 0 && i%s.restart == 0 {
			j.pad()
			j.out = append(j.out, 0xff, byte(rst0+(i/s.restart-1)%8))
		}
		for range wide*high/64 + s.components - 1 {
			j.block(r)
		}
	}
	j.pad()
	return append(j.out, 0xff, eoi)
}

func (j *writer) segment(marker byte, body []byte) {
	j.out = append(j.out, 0xff, marker)
	j.out = binary.BigEndian.AppendUint16(j.out, uint16(len(body)+2))
	j.out = append(j.out, body...)
}

// block writes random coefficients, small enough for samples that do not have to
// be cut off.
func (j *writer) block(r *rand.Rand) {
	j.value(0, r.IntN(41)-20)
	for k := 1; k < 64; k++ {
		run := r.IntN(40)
		if k+run > 63 || r.IntN(20) == 0 {
			j.symbol(0)
			return
		}
		for ; run > 15; run -= 16 {
			j.symbol(0xf0)
			k += 16
		}
		k += run
		v := r.IntN(41) - 20
		if v == 0 {
			v = 1
		}
		j.value(run, v)
	}
}

func (j *writer) value(run, v int) {
	size, bits := 0, v
	for n := max(v, -v); n > 0; n >>= 1 {
		size++
	}
	if v < 0 {
		bits--
	}
	j.symbol(run<<4 | size)
	j.put(uint32(bits)&(1<<size-1), size)
}

func (j *writer) symbol(s int) {
	if s < 8 {
		j.put(uint32(s), 4)
		return
	}
	j.put(uint32(8<<9+s-8), 13)
}

func (j *writer) put(bits uint32, n int) {
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

func (j *writer) pad() {
	for j.n > 0 {
		j.put(1, 1)
	}
}

// plane is one plane of a picture.
type plane struct {
	pix          []byte
	stride, w, h int
}

func planes(m image.Image) []plane {
	b := m.Bounds()
	if g, ok := m.(*image.Gray); ok {
		return []plane{{g.Pix, g.Stride, b.Dx(), b.Dy()}}
	}
	y := m.(*image.YCbCr)
	subX, subY := 1, 1
	for size, ratio := range ratios {
		if ratio == y.SubsampleRatio {
			subX, subY = size[0], size[1]
		}
	}
	w, h := (b.Dx()+subX-1)/subX, (b.Dy()+subY-1)/subY
	return []plane{{y.Y, y.YStride, b.Dx(), b.Dy()}, {y.Cb, y.CStride, w, h}, {y.Cr, y.CStride, w, h}}
}

// compare holds a smaller picture against the means of the full one. Samples
// that stand for something beyond the picture as well are left out.
func compare(full, small image.Image, scale int, most float64) error {
	b := full.Bounds()
	if want := image.Rect(0, 0, (b.Dx()+scale-1)/scale, (b.Dy()+scale-1)/scale); small.Bounds() != want {
		return fmt.Errorf("%v, want %v", small.Bounds(), want)
	}
	for i, p := range planes(full) {
		s := planes(small)[i]
		for y := range p.h / scale {
			for x := range p.w / scale {
				sum := 0
				for k := range scale * scale {
					sum += int(p.pix[(y*scale+k/scale)*p.stride+x*scale+k%scale])
				}
				want, got := float64(sum)/float64(scale*scale), float64(s.pix[y*s.stride+x])
				if d := got - want; d > most || d < -most {
					return fmt.Errorf("plane %d at %d,%d: got %v, want %.2f", i, x, y, got, want)
				}
			}
		}
	}
	return nil
}

// Each sample is the mean of those for which it stands, within one unit, for all
// that is read: any subsampling, size, restarts, quantisers of 16 bits.
func TestMeans(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := shape{
			w: rapid.IntRange(1, 70).Draw(t, "width"), h: rapid.IntRange(1, 70).Draw(t, "height"),
			wide: rapid.IntRange(1, 2).Draw(t, "wide"), high: rapid.IntRange(1, 2).Draw(t, "high"),
			components: rapid.SampledFrom([]int{1, 3}).Draw(t, "components"), restart: rapid.IntRange(0, 5).Draw(t, "restart"),
			wideQuantisers: rapid.Bool().Draw(t, "wide quantisers"),
		}
		file := s.write(rand.New(rand.NewPCG(1, rapid.Uint64().Draw(t, "seed"))))
		full, err := jpeg.Decode(bytes.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		for scale := range transforms {
			small, ok := Decode(context.Background(), file, scale)
			if !ok {
				t.Fatalf("%+v is not read", s)
			}
			if err := compare(full, small, scale, 1); err != nil {
				t.Fatalf("%+v at 1/%d: %v", s, scale, err)
			}
		}
	})
}

// What another encoder writes, with codes of all sizes.
func TestOtherEncoder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	m, grey := image.NewRGBA(image.Rect(0, 0, 301, 203)), image.NewGray(image.Rect(0, 0, 301, 203))
	for i := range m.Pix {
		m.Pix[i] = byte(60 + i/4%301/4 + r.IntN(60))
		grey.Pix[i/4] = m.Pix[i]
	}
	for _, quality := range []int{30, 90, 100} {
		for _, m := range []image.Image{m, grey} {
			file := encoded(t, m, quality)
			full, err := jpeg.Decode(bytes.NewReader(file))
			if err != nil {
				t.Fatal(err)
			}
			for scale := range transforms {
				small, ok := Decode(context.Background(), file, scale)
				if !ok {
					t.Fatalf("%T of quality %d is not read", m, quality)
				}
				if err := compare(full, small, scale, 1); err != nil {
					t.Errorf("%T of quality %d at 1/%d: %v", m, quality, scale, err)
				}
			}
		}
	}
}

func encoded(t testing.TB, m image.Image, quality int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: quality}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Whatever is cut off or not read here is left to the full decoder, and so is
// everything when the context has ended.
func TestNo(t *testing.T) {
	file := shape{w: 40, h: 40, wide: 2, high: 2, components: 3, restart: 2}.write(rand.New(rand.NewPCG(1, 1)))
	for n := range len(file) - 2 {
		if _, ok := Decode(context.Background(), file[:n], 2); ok {
			t.Errorf("%d of %d bytes are read", n, len(file))
		}
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, ok := Decode(ended, file, 2); ok {
		t.Error("the context had ended")
	}
	for _, scale := range []int{0, 1, 3, 16} {
		if _, ok := Decode(context.Background(), file, scale); ok {
			t.Errorf("1/%d", scale)
		}
	}
	changed := func(what string, at int, to ...byte) []byte {
		i := bytes.Index(file, []byte(what)) + at
		return append(append(bytes.Clone(file[:i]), to...), file[i+len(to):]...)
	}
	frame, scan := "\xff\xc0", "\xff\xda"
	for name, file := range map[string][]byte{
		"progressive": changed(frame, 1, 0xc2), "extended": changed(frame, 1, 0xc1), "12 bits": changed(frame, 4, 12),
		"no lines": changed(frame, 5, 0, 0), "subsampling of 4": changed(frame, 11, 0x41), "red, green, blue": changed(frame, 10, 'R', 0x22, 0, 'G', 0x11, 0, 'B'),
		"one of two scans": changed(scan, 4, 1), "another table": changed(scan, 6, 0x33), "another restart": changed("\xff\xd0", 1, 0xd1),
		"no restart": changed("\xff\xd0", 1, 0xd8), "no picture": changed("\xff\xd8", 0, '0', '0'),
		"adobe": append([]byte("\xff\xd8\xff\xee\x00\x0eAdobe\x00\x64\x00\x00\x00\x00\x00"), file[2:]...),
		"rest":  append(bytes.Clone(file[:len(file)-2]), 0, 0, 0, 0, 0xff, eoi), "empty": nil,
	} {
		if _, ok := Decode(context.Background(), file, 2); ok {
			t.Errorf("%s is read", name)
		}
	}
}

// FuzzDecode: what is read here the full decoder reads as well, at the same size.
func FuzzDecode(f *testing.F) {
	for i := range 6 {
		s := shape{w: 20 + i, h: 17, wide: 1 + i&1, high: 1 + i>>1&1, components: 1 + 2*(i&1), restart: i % 3, wideQuantisers: i == 4}
		f.Add(s.write(rand.New(rand.NewPCG(1, uint64(i)))))
	}
	f.Add(encoded(f, image.NewGray(image.Rect(0, 0, 9, 9)), 80))
	f.Fuzz(func(t *testing.T, file []byte) {
		judge(t, file)
	})
}

// judge holds that what is read here is read by the decoder of the library too, as
// the same picture.
func judge(t testing.TB, file []byte) {
	t.Helper()
	if h, ok := readHeader(file); !ok || h.width*h.height > 1<<18 {
		return
	}
	for scale := range transforms {
		small, ok := Decode(context.Background(), file, scale)
		if !ok {
			continue
		}
		full, err := jpeg.Decode(bytes.NewReader(file))
		if err != nil {
			t.Fatalf("1/%d is read, but not all: %v", scale, err)
		}
		if err := compare(full, small, scale, 256); err != nil {
			t.Fatal(err)
		}
	}
}

// TestHeaders changes every byte of the headers of pictures, and cuts and extends
// each of their segments.
func TestHeaders(t *testing.T) {
	for i, s := range []shape{
		{w: 20, h: 17, wide: 2, high: 2, components: 3, restart: 2}, {w: 9, h: 9, wide: 1, high: 1, components: 1}, {w: 9, h: 9, wide: 2, high: 1, components: 3, wideQuantisers: true},
	} {
		file := s.write(rand.New(rand.NewPCG(2, uint64(i))))
		if _, ok := readHeader(file); !ok {
			t.Fatal("the picture itself is not read")
		}
		for at := 2; ; {
			size := int(file[at+2])<<8 | int(file[at+3])
			end := at + 2 + size
			with := func(body []byte) {
				n := len(body) + 2
				head := append(bytes.Clone(file[:at+2]), byte(n>>8), byte(n))
				judge(t, append(append(head, body...), file[end:]...))
			}
			body := file[at+4 : end]
			for k := range body {
				with(body[:k])
				for _, b := range []byte{0, body[k] ^ 1, body[k] ^ 2, body[k] ^ 0x10, 0xff} {
					other := bytes.Clone(body)
					other[k] = b
					with(other)
				}
			}
			with(append(bytes.Clone(body), 0))
			with(append(bytes.Clone(body), body...))
			if file[at+1] == sos {
				break
			}
			at = end
		}
	}
}
