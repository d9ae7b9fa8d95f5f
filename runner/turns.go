package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"hygeia/session"
)

// ErrNotStored says that the session does not hold the prompt of a run that failed.
var ErrNotStored = errors.New("the prompt was not stored")

// defaultWait is how long a run waits for one of another process.
const defaultWait = 10 * time.Minute

// Claim waits until nobody runs in the session file at path, in this process or in
// another one, and keeps others from it until leave is called. Every run does; it is
// for other work on a file that a run would take for a takeover (F-43). Another
// process is waited for as long as wait says (see [Options.Wait]), after tell, which
// may be nil, was told of it. The error is that of the context or a
// [*session.LockedError].
//
// The lock of the file cannot see to that: it is given up while a run waits for its
// model. So there is a second one.
func Claim(ctx context.Context, path string, wait time.Duration, tell func(what string)) (leave func(), err error) {
	name := realPath(path)
	next, err := inTurn.enter(ctx, name)
	if err != nil {
		return nil, err
	}
	const unnoticed = 100 * time.Millisecond // that a wait may take before people are told
	o := session.LockOptions{Wait: unnoticed, MaxHold: longestFlow, Stale: longestFlow}
	lock, err := session.Acquire(ctx, name+".run", o)
	var held *session.LockedError
	if errors.As(err, &held) {
		o.Wait = cmp.Or(wait, defaultWait)
		if tell != nil {
			tell(fmt.Sprintf("process %d runs in %s; waiting for %s", held.PID, path, patience(o.Wait)))
		}
		lock, err = session.Acquire(ctx, name+".run", o)
	}
	if errors.As(err, &held) {
		err = fmt.Errorf("session %s: %w", path, held) // by its name
	}
	if err != nil {
		next()
		return nil, err
	}
	return func() {
		_ = lock.Release() // the file of the lock is all that could stay
		next()
	}, nil
}

// patience tells how long somebody waits.
func patience(wait time.Duration) string {
	if wait < 0 {
		return "as long as it takes"
	}
	return "at most " + wait.String()
}

// inTurn is of the whole process, as the locks are.
var inTurn turns

// turns lets the runs of one session file in this process come one after the other.
type turns struct {
	mu     sync.Mutex
	queues map[string]*turn
}

// turn is the right to run in one session.
type turn struct {
	free  chan struct{} // holds one value while nobody runs
	users int
}

// enter waits until nobody runs in the session with that [realPath]. The error is
// that of the context.
func (t *turns) enter(ctx context.Context, name string) (leave func(), err error) {
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
