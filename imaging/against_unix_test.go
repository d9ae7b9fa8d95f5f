//go:build unix

package imaging

import (
	"bytes"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// BenchmarkAgainst holds the whole way of a picture, from its base64 to that of
// the smaller one, against the same steps made with the usual filter, and against
// libvips where its command line is installed. On a busy machine only the time of
// the processor tells, that of the tool included.
func BenchmarkAgainst(b *testing.B) {
	vips, _ := exec.LookPath("vipsthumbnail")
	for _, test := range []struct {
		name string
		file []byte
		to   string // what it becomes
	}{
		{"jpeg-12MP", jpegOf(photo(4000, 3000)), "out.jpg[Q=85]"},
		{"jpeg-48MP", jpegOf(photo(8000, 6000)), "out.jpg[Q=85]"},
		{"png-12MP", pngOf(photo(4000, 3000)), "out.jpg[Q=85]"},
		{"png-screenshot", pngOf(screenshot(2880, 1800)), "out.png"},
		{"png-alpha", pngOf(logo(1400, 1400)), "out.png"},
		{"webp-3MP", webpFile(losslessWebP(opaque3MP())), "out.jpg[Q=85]"},
	} {
		data := Encode(test.file)
		b.Run(test.name+"/ours", func(b *testing.B) {
			onProcessor(b, func() {
				p := must(Read(data, ""))
				if r := NewReducer().Fit(bg, Job{Picture: p.Picture}, Limits{}); r.Err != nil {
					b.Fatal(r.Err)
				}
			})
		})
		b.Run(test.name+"/catmull-rom", func(b *testing.B) {
			onProcessor(b, func() {
				m, _, err := image.Decode(bytes.NewReader(must(decodeAll(data))))
				if err != nil {
					b.Fatal(err)
				}
				small := catmullRom(m)
				if test.to == "out.png" {
					Encode(must(encodePNG(small)))
				} else {
					Encode(must(encodeJPEG(small, 85)))
				}
			})
		})
		b.Run(test.name+"/vips", func(b *testing.B) {
			if vips == "" {
				b.Skip("vipsthumbnail is not installed")
			}
			dir := b.TempDir()
			in := filepath.Join(dir, "in")
			if err := os.WriteFile(in, test.file, 0o600); err != nil {
				b.Fatal(err)
			}
			onProcessor(b, func() {
				if out, err := exec.Command(vips, in, "--size", "1200x1200", "-o", filepath.Join(dir, test.to)).CombinedOutput(); err != nil {
					b.Fatalf("%v: %s", err, out)
				}
			})
		})
	}
}

func opaque3MP() *image.NRGBA {
	m := photo(2000, 1500)
	return &image.NRGBA{Pix: m.Pix, Stride: m.Stride, Rect: m.Rect}
}

// onProcessor measures the time that the processor spends on f, and the least
// that it did.
func onProcessor(b *testing.B, f func()) {
	least := time.Hour
	for b.Loop() {
		before := spent(b)
		f()
		least = min(least, spent(b)-before)
	}
	b.ReportMetric(float64(least.Microseconds())/1000, "least-cpu-ms")
}

// spent is the time of the processor that the process and the ones that it has
// waited for took so far.
func spent(b *testing.B) (all time.Duration) {
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var r syscall.Rusage
		if err := syscall.Getrusage(who, &r); err != nil {
			b.Fatal(err)
		}
		all += time.Duration(r.Utime.Nano() + r.Stime.Nano())
	}
	return all
}
