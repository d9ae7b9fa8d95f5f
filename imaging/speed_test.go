package imaging

import (
	"fmt"
	"image"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/image/draw"
)

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

// A picture that was worked on is not decoded again, nor is one that could not
// be decoded (I-B06).
func TestDecodedOnce(t *testing.T) {
	var decoded atomic.Int64
	plain := decoders[PNG]
	decoders[PNG] = func(in *input, i *Info) (image.Image, image.Point, error) {
		decoded.Add(1)
		return plain(in, i)
	}
	defer func() { decoders[PNG] = plain }()
	var list []Job
	for i := range 10 {
		file := pngOf(photo(60+i, 40))
		list = append(list, Job{Picture: picture(file)}, Job{Picture: picture(file[:300])})
	}
	r := NewReducer()
	first := r.FitAll(bg, list, Limits{MaxSide: 50})
	if decoded.Load() != 20 {
		t.Errorf("%d pictures were decoded", decoded.Load())
	}
	for i, again := range r.FitAll(bg, list, Limits{MaxSide: 50}) {
		if again.Picture != first[i].Picture || again.Err != first[i].Err {
			t.Errorf("picture %d differs", i)
		}
	}
	if decoded.Load() != 20 {
		t.Errorf("the second time %d", decoded.Load()-20)
	}
}

// What fits costs a look at its header, and no memory (I-16, I-B13).
func TestFitsForFree(t *testing.T) {
	for name, file := range map[string][]byte{"png": pngOf(photo(600, 400)), "jpeg": jpegOf(photo(600, 400)), "gif": gifOf(paletted(photo(600, 400)))} {
		p := picture(file)
		n := testing.AllocsPerRun(10, func() {
			if v := (Limits{}).Judge(p); !v.Fits() {
				t.Error(v)
			}
		})
		if n > 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// BenchmarkFilter holds the filter against the usual one of the same quality.
func BenchmarkFilter(b *testing.B) {
	p := picture(jpegOf(photo(4000, 3000)))
	i := Probe(p)
	f := must(decode(bg, p, &i, 4000))
	b.Run("area", func(b *testing.B) {
		for b.Loop() {
			shrink(f, DefaultSide, 1)
		}
	})
	b.Run("catmull-rom", func(b *testing.B) {
		for b.Loop() {
			catmullRom(f.Image)
		}
	})
}

// catmullRom makes a picture fit the default side.
func catmullRom(m image.Image) image.Image {
	w, h := fit(m.Bounds().Dx(), m.Bounds().Dy(), DefaultSide)
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.CatmullRom.Scale(out, out.Rect, m, m.Bounds(), draw.Src, nil)
	return out
}

// BenchmarkTen measures ten pictures of a request: one after the other, together,
// and together for the second time.
func BenchmarkTen(b *testing.B) {
	var list []Job
	for i := range 10 {
		list = append(list, Job{Picture: picture(jpegOf(photo(1600+i, 1200)))})
	}
	b.Run("alone", func(b *testing.B) {
		for b.Loop() {
			for r, i := NewReducer(), 0; i < len(list); i++ {
				r.Fit(bg, list[i], Limits{})
			}
		}
	})
	b.Run("together", func(b *testing.B) {
		for b.Loop() {
			NewReducer().FitAll(bg, list, Limits{})
		}
	})
	b.Run("again", func(b *testing.B) {
		r := NewReducer()
		r.FitAll(bg, list, Limits{})
		for b.Loop() {
			r.FitAll(bg, list, Limits{})
		}
	})
}

// BenchmarkUnchanged measures what a picture costs that goes out as it is.
func BenchmarkUnchanged(b *testing.B) {
	for _, n := range []int{100, 1100} {
		for name, file := range map[string][]byte{"png": pngOf(photo(n, n)), "jpeg": jpegOf(photo(n, n)), "gif": gifOf(paletted(photo(n, n)))} {
			p := picture(file)
			b.Run(fmt.Sprint("header/", name, "-", n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if v := (Limits{}).Judge(p); !v.Fits() {
						b.Fatal(v)
					}
				}
			})
			b.Run(fmt.Sprint("base64/", name, "-", n), func(b *testing.B) {
				b.SetBytes(int64(len(p.Data)))
				for b.Loop() {
					if _, err := Read(p.Data, ""); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
