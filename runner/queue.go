package runner

import (
	"context"
	"sync"
	"sync/atomic"
)

// Queue takes the prompts of one session. What comes while a run is active is
// collected and answered by the next run together. It is safe for
// concurrent use.
type Queue struct {
	runner *Runner
	path   string
	on     func(Event)

	mu      sync.Mutex
	waiting []*ticket
	active  bool
}

// ticket is a prompt that waits.
type ticket struct {
	Queued
	ctx    context.Context
	done   chan struct{}
	result *Result
	err    error
}

// NewQueue returns the queue of the session file at path, of which there should be
// one. on is told what happens in its runs; it may be nil.
func NewQueue(r *Runner, path string, on func(Event)) *Queue {
	return &Queue{runner: r, path: path, on: on}
}

// Submit adds a prompt and waits for the run that answers it; result and error are
// those of [Runner.Run]. Several callers may get the same result. A run ends early
// when all who wait for it have given up.
func (q *Queue) Submit(ctx context.Context, p Queued) (*Result, error) {
	t := &ticket{Queued: p, ctx: ctx, done: make(chan struct{})}
	if err := p.valid(); err != nil {
		return &Result{}, err
	}
	q.mu.Lock()
	q.waiting = append(q.waiting, t)
	if !q.active {
		q.active = true
		go q.work()
	}
	q.mu.Unlock()
	<-t.done
	return t.result, t.err
}

// work answers prompts until none is left.
func (q *Queue) work() {
	for {
		batch := q.next()
		if batch == nil {
			return
		}
		items := make([]Queued, len(batch))
		for i, t := range batch {
			items[i] = t.Queued
		}
		ctx, end := together(batch)
		result, err := q.runner.Run(ctx, q.path, Collect(items), q.on)
		end()
		for _, t := range batch {
			t.result, t.err = result, err
			close(t.done)
		}
	}
}

// next takes what the next run answers. A prompt that is not the user's own, or has
// to be found by its key, or is a runtime event, is answered by itself. There is
// nothing more to do when it is nil.
func (q *Queue) next() []*ticket {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := 0
	for n < len(q.waiting) && q.waiting[n].plain() {
		n++
	}
	if n == 0 && len(q.waiting) > 0 {
		n = 1
	}
	batch := q.waiting[:n:n]
	q.waiting = q.waiting[n:]
	q.active = n > 0
	if n == 0 {
		return nil
	}
	return batch
}

func (p *Prompt) plain() bool { return p.Origin == nil && p.Key == "" && !p.event() }

// together returns a context that ends when those of all tickets have.
func together(batch []*ticket) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(batch[0].ctx))
	var left atomic.Int64
	left.Store(int64(len(batch)))
	var stops []func() bool
	for _, t := range batch {
		stops = append(stops, context.AfterFunc(t.ctx, func() {
			if left.Add(-1) == 0 {
				cancel(context.Cause(t.ctx))
			}
		}))
	}
	return ctx, func() {
		for _, stop := range stops {
			stop()
		}
		cancel(nil)
	}
}
