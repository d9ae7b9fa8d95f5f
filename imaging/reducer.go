package imaging

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Reducer makes pictures fit limits. It holds what all its pictures share: the
// bound on memory and the results that are remembered. It is safe for
// concurrent use; one serves a whole process.
type Reducer struct {
	memory budget
	done   cache
}

// maxRemembered is how many bytes of results a Reducer keeps.
const maxRemembered = 64 << 20

// NewReducer returns a Reducer that has done nothing yet.
func NewReducer() *Reducer {
	return &Reducer{memory: budget{free: maxMemory}, done: cache{free: maxRemembered}}
}

// Job is a picture that is to fit.
type Job struct {
	Picture
	// Sum is that of the picture, zero if nobody knows it yet.
	Sum Sum
}

// Result is what becomes of one picture.
type Result struct {
	Verdict
	// Picture is what goes out: the one that came in if it fits.
	Picture Picture
	// Quality is that of a JPEG which was encoded for this, from 35 to 90; 0 for
	// any other picture.
	Quality int
	// Sum is that of the picture that came in, if it had to be known.
	Sum Sum
	// Err is an *Omission if nothing goes out, or the error of the context.
	Err error
}

// Fit returns the picture to send in the place of another: itself if it keeps
// the limits, else one that does. The error is an *Omission, or that of the context.
func (r *Reducer) Fit(ctx context.Context, j Job, l Limits) Result {
	v := l.Judge(j.Picture)
	res := Result{Verdict: v, Picture: j.Picture, Sum: j.Sum, Err: v.Err}
	if v.Fits() || v.Err != nil {
		return res
	}
	if res.Sum == (Sum{}) {
		res.Sum = j.Picture.Sum()
	}
	out, err := r.done.get(ctx, keyOf(res.Sum, &v, l), func() (made, error) { return r.work(ctx, j.Picture, &v, l) })
	if out.Data != "" {
		res.Picture, res.Quality = out.Picture, out.quality
	}
	res.Err = err
	return res
}

// work does what the header says is necessary. Without data, the picture stays
// as it is. A picture that makes a decoder panic cannot be decoded.
func (r *Reducer) work(ctx context.Context, p Picture, v *Verdict, l Limits) (out made, err error) {
	defer func() {
		if recover() != nil {
			out, err = made{}, errDecode
		}
	}()
	if v.onlyStrip() && !v.Verify {
		return stripped(p, &v.Info)
	}
	held := l.holds(p, v)
	if err := r.memory.acquire(ctx, held); err != nil {
		return made{}, err
	}
	defer r.memory.release(held)
	if !v.Verify {
		return reduce(ctx, p, v, l)
	}
	if _, err := decode(ctx, p, &v.Info, max(v.Width, v.Height)); err != nil || !v.onlyStrip() {
		return made{}, err
	}
	return stripped(p, &v.Info)
}

func stripped(p Picture, i *Info) (made, error) {
	out, err := strip(p, i)
	return made{Picture: out}, err
}

// holds returns about how many bytes the work on a picture holds: what the
// decoder needs, the file twice, and the smaller picture in its forms.
func (l Limits) holds(p Picture, v *Verdict) int {
	n := v.memory() + 2*p.Bytes()
	if !v.Verify {
		w, h := fit(v.Width, v.Height, l.sideOf(&v.Info))
		n += 16 * w * h
	}
	return min(n, maxMemory)
}

// FitAll is Fit for the pictures of one request. They are worked on at the same
// time, as many as there are processors (I-B11); results are in order.
func (r *Reducer) FitAll(ctx context.Context, list []Job, l Limits) []Result {
	results := make([]Result, len(list))
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(list)) {
		all.Go(func() {
			for i := next.Add(1) - 1; int(i) < len(list); i = next.Add(1) - 1 {
				results[i] = r.Fit(ctx, list[i], l)
			}
		})
	}
	all.Wait()
	return results
}
