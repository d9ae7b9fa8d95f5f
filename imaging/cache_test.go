package imaging

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// The same picture and limits are worked on once, whoever asks (I-B06).
func TestRemembered(t *testing.T) {
	var c cache
	c.free = 1 << 20
	var worked atomic.Int64
	work := func() (made, error) {
		worked.Add(1)
		time.Sleep(10 * time.Millisecond)
		return made{Picture: Picture{PNG, "AAAA"}}, nil
	}
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if p, err := c.get(bg, key{side: 1}, work); p.Data != "AAAA" || err != nil {
				t.Error(p, err)
			}
		})
	}
	all.Wait()
	c.get(bg, key{side: 2}, work)
	c.get(bg, key{side: 1, scope: "somebody else"}, work)
	if worked.Load() != 3 {
		t.Errorf("worked %d times", worked.Load())
	}
}

// Memory is bounded; what was used last stays.
func TestForgotten(t *testing.T) {
	var c cache
	c.free = 10 * (entrySize + 100)
	work := func() (made, error) { return made{Picture: Picture{PNG, string(make([]byte, 100))}}, nil }
	for i := range 1000 {
		c.get(bg, key{side: i}, work)
		c.get(bg, key{side: 0}, work)
	}
	if len(c.of) != 10 || c.used.Len() != 10 || c.free != 0 {
		t.Errorf("%d entries, %d bytes free", len(c.of), c.free)
	}
	c.get(bg, key{side: 0}, func() (made, error) { t.Error("the last one is forgotten"); return made{}, nil })
	// Larger than everything: not kept, and nothing leaks.
	c.get(bg, key{side: -1}, func() (made, error) { return made{Picture: Picture{PNG, string(make([]byte, 1<<20))}}, nil })
	if c.free < 0 {
		t.Errorf("%d bytes free", c.free)
	}
}

// An omission is remembered, a cancellation is not, and who waited for one that
// was cancelled does the work.
func TestRememberedErrors(t *testing.T) {
	var c cache
	c.free = 1 << 20
	for range 2 {
		if _, err := c.get(bg, key{}, func() (made, error) { return made{}, errDecode }); err != error(errDecode) {
			t.Error(err)
		}
	}
	k, started, end := key{side: 1}, make(chan struct{}), make(chan struct{})
	go c.get(bg, k, func() (made, error) {
		close(started)
		<-end
		return made{}, context.Canceled
	})
	<-started
	ctx, cancel := context.WithCancel(bg)
	cancel()
	if _, err := c.get(ctx, k, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	close(end)
	p, err := c.get(bg, k, func() (made, error) { return made{Picture: Picture{PNG, "AAAA"}}, nil })
	if p.Data != "AAAA" || err != nil {
		t.Error(p, err)
	}
}

// Claims are served in order and within the budget, and may be withdrawn.
func TestBudget(t *testing.T) {
	b := budget{free: 100}
	var used, most atomic.Int64
	var all sync.WaitGroup
	for i := range 200 {
		all.Go(func() {
			n := i%100 + 1
			ctx, cancel := context.WithCancel(bg)
			defer cancel()
			if i%7 == 0 {
				time.AfterFunc(time.Microsecond, cancel)
			}
			if b.acquire(ctx, n) != nil {
				return
			}
			for now := used.Add(int64(n)); now > most.Load(); {
				most.Store(now)
			}
			runtime.Gosched()
			used.Add(int64(-n))
			b.release(n)
		})
	}
	all.Wait()
	if all := b.whole(); most.Load() > 100 || all != 100 || len(b.waiting) != 0 {
		t.Errorf("at most %d of 100, %d are back, %d waiting", most.Load(), all, len(b.waiting))
	}
}

// whole returns what nobody has acquired, once no collection is under way.
func (b *budget) whole() int {
	for {
		b.mu.Lock()
		n, settled := b.free+b.garbage, !b.collecting
		b.mu.Unlock()
		if settled {
			return n
		}
		runtime.Gosched()
	}
}

// What was given back is free only when the collector has taken it, and the
// collector is called only for somebody who waits (I-B11).
func TestGarbageIsNotFree(t *testing.T) {
	b := budget{free: 4 << 20}
	collections := func() int {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int(m.NumForcedGC)
	}
	gone := make(chan struct{})
	b.acquire(bg, 3<<20)
	pixels := new([3 << 20]byte)
	runtime.AddCleanup(pixels, func(c chan struct{}) { close(c) }, gone)
	pixels = nil
	before := collections()
	b.release(3 << 20)
	b.acquire(bg, 1<<20)
	if n := collections(); n != before {
		t.Errorf("collected %d times while there was room", n-before)
	}
	b.acquire(bg, 3<<20)
	if n := collections(); n != before+1 {
		t.Errorf("collected %d times when there was none", n-before)
	}
	select {
	case <-gone:
	case <-time.After(time.Minute):
		t.Error("what was given back is still there")
	}
}

// The pictures of one request come back in order, each by itself (I-B11), and
// the same in every run (G-3).
func TestInOrder(t *testing.T) {
	var list []Job
	for i := range 12 {
		file := pngOf(photo(300+i, 200))
		if i%4 == 1 {
			file = file[:300]
		}
		list = append(list, Job{Picture: picture(file)})
	}
	var first []Result
	for range 3 {
		got := NewReducer().FitAll(bg, list, Limits{MaxSide: 100})
		for i, r := range got {
			if r.Width != 300+i || (r.Err != nil) != (i%4 == 1) {
				t.Errorf("picture %d: %d px, %v", i, r.Width, r.Err)
			}
			if first != nil && (r.Picture != first[i].Picture || fmt.Sprint(r.Err) != fmt.Sprint(first[i].Err)) {
				t.Errorf("picture %d differs", i)
			}
		}
		first = got
	}
	if len(NewReducer().FitAll(bg, nil, Limits{})) != 0 {
		t.Error("no pictures, but results")
	}
}
