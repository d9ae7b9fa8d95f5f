package imaging

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"runtime"
	"testing"
	"time"

	"golang.org/x/image/draw"
)

// fastest is the shortest of n runs: what the machine does beside it counts
// least.
func fastest(n int, f func()) time.Duration {
	best := time.Duration(1<<63 - 1)
	for range n {
		start := time.Now()
		f()
		best = min(best, time.Since(start))
	}
	return best
}

// BenchmarkRatios gives speed as ratios within one run; docs/images.md holds the
// figures.
func BenchmarkRatios(b *testing.B) {
	file := jpegOf(photo(4000, 3000))
	p := picture(file)
	i := Probe(p)
	f := must(decode(bg, p, &i))
	filter := fastest(5, func() { shrink(f, DefaultSide, 1) })
	catmull := fastest(3, func() {
		out := image.NewRGBA(image.Rect(0, 0, 1200, 900))
		draw.CatmullRom.Scale(out, out.Rect, f.Image, f.Bounds(), draw.Src, nil)
	})
	whole := fastest(3, func() { fitOne(file, Limits{}) })
	common := fastest(3, func() {
		m := must(jpeg.Decode(bytes.NewReader(file)))
		out := image.NewRGBA(image.Rect(0, 0, 1200, 900))
		draw.CatmullRom.Scale(out, out.Rect, m, m.Bounds(), draw.Src, nil)
		must(encodeJPEG(out, 85))
	})
	b.ReportMetric(float64(catmull)/float64(filter), "filter-ratio")
	b.ReportMetric(float64(common)/float64(whole), "photo-ratio")

	small := picture(pngOf(photo(1100, 800)))
	header := fastest(1000, func() {
		if v := (Limits{}).Judge(small); !v.Fits() {
			b.Error(v)
		}
	})
	b.ReportMetric(float64(header.Nanoseconds()), "header-ns")
	b.ReportMetric(0, "ns/op")
}

// Pictures of one request are in work at the same time (I-B11): each decoder
// here waits for another one.
func TestAtTheSameTime(t *testing.T) {
	if runtime.GOMAXPROCS(0) < 2 {
		t.Skip("needs two processors")
	}
	meet := make(chan struct{})
	probes["image/pair"] = func(source) Info { return Info{Width: 9, Height: 9, Whole: true} }
	decoders["image/pair"] = func(*input, *Info) (image.Image, image.Point, error) {
		select {
		case meet <- struct{}{}:
		case <-meet:
		case <-time.After(time.Minute):
			t.Error("nobody else is at work")
		}
		return image.NewGray(image.Rect(0, 0, 9, 9)), image.Point{}, nil
	}
	var list []Job
	for _, data := range []string{"AAAA", "AAAB", "AAAC", "AAAD"} {
		list = append(list, Job{Picture: Picture{"image/pair", data}})
	}
	defer delete(probes, "image/pair")
	defer delete(decoders, "image/pair")
	for _, r := range NewReducer().FitAll(bg, list, Limits{}) {
		if r.Err != nil {
			t.Error(r.Err)
		}
	}
}

// Ten pictures are faster together, and cost next to nothing the second time.
func TestUsesProcessors(t *testing.T) {
	if testing.Short() || raceEnabled || runtime.GOMAXPROCS(0) < 2 {
		t.Skip("needs two processors and seconds")
	}
	var list []Job
	for i := range 10 {
		list = append(list, Job{Picture: picture(jpegOf(photo(1600+i, 1200)))})
	}
	alone := fastest(3, func() {
		r := NewReducer()
		for _, p := range list {
			r.Fit(bg, p, Limits{})
		}
	})
	together := fastest(3, func() { NewReducer().FitAll(bg, list, Limits{}) })
	t.Logf("ten pictures: one after the other %v, together %v (%.2f ×)", alone, together, float64(alone)/float64(together))
	r := NewReducer()
	r.FitAll(bg, list, Limits{})
	again := fastest(3, func() { r.FitAll(bg, list, Limits{}) })
	t.Logf("a second time %v (%.0f ×)", again, float64(together)/float64(again))
	if again > together/10 {
		t.Errorf("a second time takes %v, the first one %v", again, together)
	}
}

func BenchmarkFit(b *testing.B) {
	for name, file := range map[string][]byte{
		"jpeg-12MP": jpegOf(photo(4000, 3000)), "screenshot-2880x1800": pngOf(screenshot(2880, 1800)), "alpha-1400": pngOf(logo(1400, 1400)),
	} {
		p := picture(file)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(file)))
			for b.Loop() {
				if r := NewReducer().Fit(bg, Job{Picture: p}, Limits{}); r.Err != nil {
					b.Fatal(r.Err)
				}
			}
		})
	}
}

func BenchmarkJudge(b *testing.B) {
	for _, n := range []int{100, 1100} {
		for name, file := range map[string][]byte{"png": pngOf(photo(n, n)), "jpeg": jpegOf(photo(n, n)), "gif": gifOf(paletted(photo(n, n)))} {
			p := picture(file)
			b.Run(fmt.Sprint(name, "-", n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if v := (Limits{}).Judge(p); !v.Fits() {
						b.Fatal(v)
					}
				}
			})
		}
	}
}
