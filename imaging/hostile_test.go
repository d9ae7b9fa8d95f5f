package imaging

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"os"
	"os/exec"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

// bomb is a file that promises or does more than it looks like.
type bomb struct {
	name   string
	data   string // as stored
	limits Limits
	want   string // reason, "" for a picture that comes out
}

// bombs of 8 … 40 MB.
func bombs() []bomb {
	pngOnly := Limits{Types: []string{PNG}}
	jpegHead := jpegOf(image.NewGray(image.Rect(0, 0, 8, 8)))
	at := bytes.Index(jpegHead, []byte{0xff, sof0})
	binary.BigEndian.PutUint32(jpegHead[at+5:], 65500<<16|65500)
	gifHead := gifOf(uniform(1, 1, color.White))
	binary.LittleEndian.PutUint32(gifHead[6:], 65535<<16|65535)
	frames := make([]*image.Paletted, 10_000)
	for i := range frames {
		frames[i] = uniform(64, 64, color.Gray{byte(i)})
	}
	sixteen := hugePNG(10_000, 10_000)
	sixteen[24], sixteen[25] = 16, 6
	return []bomb{
		{"png header", Encode(hugePNG(100_000, 100_000)), Limits{}, "too many pixels (100000x100000)"},
		{"jpeg header", Encode(jpegHead), Limits{}, "too many pixels (65500x65500)"},
		{"gif header", Encode(gifHead), pngOnly, "too many pixels (65535x65535)"},
		{"webp header", Encode(webpFile(canvas(0, 1<<24, 1<<24), losslessWebP(logo(8, 8)))), Limits{}, "too many pixels (16777216x16777216)"},
		{"gif of 10000 frames", Encode(gifOf(frames...)), pngOnly, ""},
		{"png of 100 million pixels", Encode(flatPNG(10_000, 10_000, 2)), Limits{}, ""},
		{"png of 16 bits", Encode(sixteen), Limits{}, "too many pixels (10000x10000)"},
		{"png of one line", Encode(flatPNG(1<<20, 1, 0)), Limits{}, ""},
		{"png of one column", Encode(flatPNG(1, 1<<20, 0)), Limits{}, ""},
		{"png of a longer line", Encode(hugePNG(1<<20+1, 1)), Limits{}, "too many pixels (1048577x1)"},
		{"png of a longer column", Encode(hugePNG(1, 100_000_000)), Limits{}, "too many pixels (1x100000000)"},
		{"png of tiny chunks", Encode(append(pngOf(photo(9, 9))[:33], bytes.Repeat([]byte("\x00\x00\x00\x00teSt\x4f\x6b\x39\x61"), 2_000_000)...)), Limits{}, "cannot decode"},
		{"jpeg of tiny segments", Encode(append([]byte{0xff, soi}, bytes.Repeat([]byte{0xff, com, 0, 2}, 8_000_000)...)), Limits{}, "cannot decode"},
		{"jpeg of fill bytes", Encode(bytes.Repeat([]byte{0xff}, 30_000_000)), Limits{}, "not a picture"},
		{"gif of tiny blocks", Encode(append(gifOf(uniform(9, 9, color.White))[:30], bytes.Repeat([]byte{1, 0xff}, 15_000_000)...)), pngOnly, "cannot decode"},
		{"jpeg of many scans", Encode(manyScans(2000, 2000, 20_000)), Limits{}, "cannot decode"},
		{"garbage", strings.Repeat("!@#$", 10_000_000), Limits{}, "invalid base64"},
		{"base64 of nothing", strings.Repeat("A", 40_000_000), Limits{}, "not a picture"},
		{"base64 in base64", Encode([]byte(strings.Repeat("iVBORw0KGgoAAAAA", 2_000_000))), Limits{}, "cannot decode"},
		{"nested boxes", Encode(append([]byte("\x00\x00\x00\x10ftypheic\x00\x00\x00\x00"), bytes.Repeat([]byte("\x00\x00\x00\x00meta\x00\x00\x00\x00"), 2_000_000)...)), Limits{}, "unsupported format image/heic"},
	}
}

// flatPNG is a PNG of zeros, which compress a thousand times.
func flatPNG(w, h int, colour byte) []byte {
	channels := map[byte]int{0: 1, 2: 3}[colour]
	var idat bytes.Buffer
	z := must(zlib.NewWriterLevel(&idat, zlib.BestSpeed))
	zeros := make([]byte, 1<<20)
	for left := h * (1 + w*channels); left > 0; left -= len(zeros) {
		z.Write(zeros[:min(left, len(zeros))])
	}
	z.Close()
	out := []byte("\x89PNG\r\n\x1a\n")
	head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(w)), uint32(h))
	for _, c := range [][2]string{{"IHDR", string(append(head, 8, colour, 0, 0, 0))}, {"IDAT", idat.String()}, {"IEND", ""}} {
		out = binary.BigEndian.AppendUint32(out, uint32(len(c[1])))
		out = append(out, c[0]+c[1]...)
		out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE([]byte(c[0]+c[1])))
	}
	return out
}

// manyScans is a progressive JPEG whose scans each go over the whole picture and
// say that there is nothing.
func manyScans(w, h, n int) []byte {
	file := oddJPEG(8, 8, true, -1, make([]byte, 64))
	at := bytes.Index(file, []byte{0xff, sof2})
	binary.BigEndian.PutUint32(file[at+5:], uint32(h<<16|w))
	j := &jpegWriter{}
	j.segment(sos, "\x01\x01\x00\x01\x3f\x00")
	for left := (w + 7) / 8 * ((h + 7) / 8); left > 0; left -= 1 << 14 {
		j.put(0xe0, 8) // a run of 2¹⁴ blocks that end
		j.put(0, 14)
	}
	for j.n > 0 {
		j.put(1, 1)
	}
	file = file[:bytes.Index(file, []byte{0xff, sos})]
	return append(append(file, bytes.Repeat(j.out, n)...), 0xff, eoi)
}

// Bombs are refused or reduced within the bound on memory (I-B11, I-28, D-45).
// They run in a process of their own, whose highest use of memory is measured;
// the log tells how long each takes.
func TestBombs(t *testing.T) {
	largePictures(t)
	if os.Getenv("HYGEIA_BOMBS") == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestBombs$", "-test.v")
		cmd.Env = append(os.Environ(), "HYGEIA_BOMBS=1")
		out, err := cmd.CombinedOutput()
		t.Logf("%s", out)
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	list := bombs()
	r := NewReducer()
	photo := jpegOf(photo(4000, 3000))
	start := time.Now()
	if res := r.Fit(bg, Job{Picture: picture(photo)}, Limits{}); res.Err != nil {
		t.Fatal(res.Err)
	}
	usual := time.Since(start)
	jobs, peak := make([]Job, len(list)), 0
	for i, b := range list {
		var err error
		start := time.Now()
		peak = max(peak, peakOf(t, func() {
			var read Reading
			read, err = Read(b.data, "")
			jobs[i].Picture = read.Picture
		}))
		if err != nil {
			b.settle(t, time.Since(start), usual, err)
		}
	}
	// A reading takes its input a few times, of 32 MiB at most.
	within(t, "reading", peak, 4*MaxInput+MaxInput)
	peak = peakOf(t, func() {
		var large []Job
		for i, b := range list {
			if jobs[i].MediaType == "" {
				continue
			}
			if b.want == "" {
				large = append(large, jobs[i])
			}
			start := time.Now()
			res := r.Fit(bg, jobs[i], b.limits)
			if res.Err == nil {
				open(t, res.Picture)
			}
			b.settle(t, time.Since(start), usual, res.Err)
		}
		// All at once: the semaphore holds the second of 100 million pixels back.
		r.FitAll(bg, append(large, Job{Picture: picture(flatPNG(12_000, 8_000, 2))}), Limits{MaxSide: 900})
	})
	// The budget, the results that are remembered, and what the runtime needs.
	within(t, "reducing", peak, maxMemory+maxRemembered+64<<20)
}

func (b *bomb) settle(t *testing.T, took, usual time.Duration, err error) {
	t.Logf("%-28s %6.1f × a photo, %v", b.name, float64(took)/float64(usual), err)
	if got := fmt.Sprint(err); got != b.want && (err != nil || b.want != "") {
		t.Errorf("%s: %v, want %q", b.name, err, b.want)
	}
}

func within(t *testing.T, what string, peak, most int) {
	t.Logf("%s: peak of %s", what, Size(peak))
	if peak > most {
		t.Errorf("%s: peak of %s, at most %s", what, Size(peak), Size(most))
	}
}

// peakOf returns by how much memory the process grew at most while f ran, in
// bytes, 0 where the system does not tell.
func peakOf(t *testing.T, f func()) int {
	t.Helper()
	debug.FreeOSMemory()
	err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // measure anew
	before := status(t, "VmRSS")
	f()
	if err != nil {
		t.Log("not measured:", err)
		return 0
	}
	return status(t, "VmHWM") - before
}

// status returns a figure about the memory of the process, in bytes.
func status(t *testing.T, name string) int {
	t.Helper()
	f, err := os.Open("/proc/self/status")
	if err != nil {
		return 0
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		var kb int
		if n, _ := fmt.Sscanf(s.Text(), name+": %d kB", &kb); n == 1 {
			return kb << 10
		}
	}
	return 0
}

// A decoder that panics costs its own picture only (I-B11).
func TestPanic(t *testing.T) {
	probes["image/panic"] = func(source) Info { return Info{Width: 9, Height: 9, Whole: true} }
	decoders["image/panic"] = func(*input, *Info) (image.Image, image.Point, error) { panic("decoder") }
	defer func() {
		delete(probes, "image/panic")
		delete(decoders, "image/panic")
	}()
	good := Job{Picture: picture(pngOf(photo(20, 20)))}
	for _, r := range NewReducer().FitAll(bg, []Job{good, {Picture: Picture{"image/panic", "AAAA"}}, good}, Limits{MaxSide: 10}) {
		if (r.Err != nil) != (r.MediaType == "image/panic") || r.Err != nil && !errors.Is(r.Err, errDecode) {
			t.Errorf("%s: %v", r.MediaType, r.Err)
		}
	}
}

// Cancellation stops the work, and what was not finished is not remembered.
func TestCancel(t *testing.T) {
	p := picture(pngOf(photo(1300, 100)))
	r := NewReducer()
	ctx, cancel := context.WithCancel(bg)
	cancel()
	if res := r.Fit(ctx, Job{Picture: p}, Limits{}); !errors.Is(res.Err, context.Canceled) {
		t.Errorf("got %v", res.Err)
	}
	if res := r.Fit(bg, Job{Picture: p}, Limits{}); res.Err != nil {
		t.Errorf("after that: %v", res.Err)
	}
	// In the middle: the decoder reads a file that ends with the context.
	ctx, cancel = context.WithCancel(bg)
	in := &input{ctx: ctx, file: must(decodeAll(p.Data))}
	in.Read(make([]byte, 1000))
	cancel()
	if _, err := in.Read(make([]byte, 1000)); !errors.Is(err, context.Canceled) {
		t.Errorf("the file goes on: %v", err)
	}
	if n := r.memory.whole(); n != maxMemory {
		t.Errorf("%d bytes are still taken", maxMemory-n)
	}
}
