package runner

import (
	"context"
	"path/filepath"
	"sync"
)

// inTurn is of the whole process, as the locks are.
var inTurn turns

// turns lets the runs of one session file come one after the other. The lock of
// the file cannot: it is given up while a run waits for its model (F-43).
type turns struct {
	mu     sync.Mutex
	queues map[string]*turn
}

// turn is the right to run in one session.
type turn struct {
	free  chan struct{} // holds one value while nobody runs
	users int
}

// enter waits until nobody runs in the session. The error is that of the context.
func (t *turns) enter(ctx context.Context, path string) (leave func(), err error) {
	name := realPath(path)
	t.mu.Lock()
	if t.queues == nil {
		t.queues = map[string]*turn{}
	}
	q := t.queues[name]
	if q == nil {
		q = &turn{free: make(chan struct{}, 1)}
		q.free <- struct{}{}
		t.queues[name] = q
	}
	q.users++
	t.mu.Unlock()
	end := func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if q.users--; q.users == 0 {
			delete(t.queues, name)
		}
	}
	select {
	case <-q.free:
		return func() { q.free <- struct{}{}; end() }, nil
	case <-ctx.Done():
		end()
		return nil, context.Cause(ctx)
	}
}

// realPath returns the one name of a file that has several, as far as it is known:
// the file need not be there.
func realPath(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		abs = filepath.Clean(path)
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		return real
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(abs)); err == nil {
		return filepath.Join(dir, filepath.Base(abs))
	}
	return abs
}
