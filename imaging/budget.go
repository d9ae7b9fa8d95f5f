package imaging

import (
	"context"
	"runtime"
	"sync"
)

// budget is a semaphore over bytes of memory. Whoever asks first is served
// first, so that a large picture is not overtaken for ever by small ones.
//
// What is given back is garbage at first, which the process still holds. It
// counts as free when the collector has been through, so that the bound is one
// on the process and not only on what is in use.
type budget struct {
	mu         sync.Mutex
	free       int
	garbage    int // given back since the last collection began
	collecting bool
	waiting    []*claim
}

type claim struct {
	n     int
	ready chan struct{}
}

// acquire takes n bytes, which must not be more than the whole budget. The error
// is that of the context.
func (b *budget) acquire(ctx context.Context, n int) error {
	b.mu.Lock()
	if len(b.waiting) == 0 && b.free >= n {
		b.free -= n
		b.mu.Unlock()
		return nil
	}
	c := &claim{n, make(chan struct{})}
	b.waiting = append(b.waiting, c)
	b.serve()
	b.mu.Unlock()
	select {
	case <-c.ready:
		return nil
	case <-ctx.Done():
		b.withdraw(c)
		return ctx.Err()
	}
}

// withdraw takes back a claim, served or not.
func (b *budget) withdraw(c *claim) {
	b.mu.Lock()
	defer b.mu.Unlock()
	select {
	case <-c.ready:
		b.free += c.n
	default:
		for i := range b.waiting {
			if b.waiting[i] == c {
				b.waiting = append(b.waiting[:i], b.waiting[i+1:]...)
				break
			}
		}
	}
	b.serve()
}

// release gives back what was acquired and is not referred to any more.
func (b *budget) release(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.garbage += n
	b.serve()
}

func (b *budget) serve() {
	for len(b.waiting) > 0 && b.waiting[0].n <= b.free {
		b.free -= b.waiting[0].n
		close(b.waiting[0].ready)
		b.waiting = b.waiting[1:]
	}
	if len(b.waiting) > 0 && b.waiting[0].n <= b.free+b.garbage && !b.collecting {
		b.collecting = true
		go b.collect(b.garbage)
		b.garbage = 0
	}
}

// collect turns n bytes of garbage into free memory. That happens once for each
// time that the whole budget was used up, which is seldom.
func (b *budget) collect(n int) {
	runtime.GC()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.collecting = false
	b.free += n
	b.serve()
}
