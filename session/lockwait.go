package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"sync"
	"time"

	"hygeia/session/internal/oslock"
)

// waiter is one that wants a lock.
type waiter struct {
	name string
	o    LockOptions
	last *LockedError // who had it when it was last asked for
}

// errWaited is the cause of a context whose end is that of the wait.
var errWaited = errors.New("waited")

// acquire waits for the turn in this process, then for the file.
func (w *waiter) acquire(ctx context.Context, q *queue) (*hold, error) {
	if w.o.Wait >= 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, w.o.Wait, errWaited)
		defer cancel()
	}
	select {
	case q.turn <- struct{}{}: // where nobody has it, however late it is by now
	default:
		select {
		case q.turn <- struct{}{}:
		case <-ctx.Done():
			return nil, w.gaveUp(ctx)
		}
	}
	for tries := 0; ; tries++ {
		h, err := w.attempt(ctx, q)
		if h == nil && err == nil {
			err = w.pause(ctx, tries)
		}
		if err != nil {
			<-q.turn
			return nil, err
		}
		if h != nil {
			return h, nil
		}
	}
}

// taking is held for reading while somebody takes a lock: there is none yet of
// which only the file knows.
var taking sync.RWMutex

// attempt tries once, unless the context has ended for another reason than that
// the wait is over.
func (w *waiter) attempt(ctx context.Context, q *queue) (*hold, error) {
	taking.RLock()
	defer taking.RUnlock()
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, errWaited) {
		return nil, w.gaveUp(ctx)
	}
	h, err := w.try()
	if h != nil {
		h.queue = q
		h.watch = time.AfterFunc(w.o.MaxHold, func() { h.fence(ErrLockExpired) })
		q.occupy(h)
	}
	return h, err
}

// pause waits before the next try. A lock of the operating system costs little
// to ask for; what only a text says is looked at less often (F-40).
func (w *waiter) pause(ctx context.Context, tries int) error {
	from, to := 50*time.Millisecond, time.Second
	if w.last == nil || w.last.locked {
		from, to = time.Millisecond, 20*time.Millisecond
	}
	t := time.NewTimer(min(from<<min(tries, 10), to))
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return w.gaveUp(ctx)
	}
}

func (w *waiter) gaveUp(ctx context.Context) error {
	if !errors.Is(context.Cause(ctx), errWaited) {
		return fmt.Errorf("waiting for %s: %w", w.name, context.Cause(ctx))
	}
	if w.last == nil {
		w.last = &LockedError{Path: w.name, PID: os.Getpid(), Alive: true} // somebody in this process
	}
	w.last.Waited = w.o.Wait
	return w.last
}

// try asks for the lock once. It returns nil when somebody else has it.
func (w *waiter) try() (*hold, error) {
	f, created, err := oslock.Open(w.name, false)
	if errors.Is(err, fs.ErrNotExist) {
		if h, err := w.make(); !errors.Is(err, errors.ErrUnsupported) {
			return h, err
		}
		f, created, err = oslock.Open(w.name, true)
	}
	if err != nil {
		return nil, fmt.Errorf("taking the lock: %w", err)
	}
	h, err := w.take(f, created)
	if h == nil {
		f.Close()
	}
	return h, err
}

// make makes the lock file, complete from the first moment on: whoever is killed
// leaves none that says nothing, with which others have patience (F-41).
func (w *waiter) make() (*hold, error) {
	me := newOwner(w.o)
	f, err := oslock.Make(w.name, me.appendTo(nil), tryLock)
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil, nil // somebody was faster
	case err != nil:
		return nil, fmt.Errorf("taking the lock: %w", err)
	}
	return &hold{name: w.name, token: me.token, file: f}, nil
}

// tryLock is replaced in tests by a system without locks.
var tryLock = oslock.Try

// take makes the lock in f this process's, if nobody has it. f was made just now
// or somebody else's.
func (w *waiter) take(f *os.File, created bool) (*hold, error) {
	free, err := tryLock(f)
	for tries := 0; created && !free && err == nil && tries < 100; tries++ {
		time.Sleep(time.Millisecond) // somebody looks whose it is
		free, err = tryLock(f)
	}
	system := true // whether the file system has locks
	if errors.Is(err, errors.ErrUnsupported) {
		free, system, err = true, false, nil
	}
	if err != nil {
		return nil, fmt.Errorf("taking the lock: %w", err)
	}
	if !free || !created {
		stale := w.judge(f, system)
		if !free || !stale {
			w.last.locked = !free
			return nil, nil
		}
	}
	// A stale one is written over where it stands, not removed: what stands at
	// its path may be another one by now, and then nothing happened to it.
	if !sameFile(f) {
		return nil, nil
	}
	me := newOwner(w.o)
	if err := rewrite(f, me.appendTo(nil)); err != nil {
		if created {
			os.Remove(w.name)
		}
		return nil, fmt.Errorf("taking the lock: %w", err)
	}
	h := &hold{name: w.name, token: me.token, file: f}
	if !h.ours() {
		return nil, nil
	}
	return h, nil
}

// rewrite puts text in the place of what the file holds, in one write: what is
// longer is covered with white space before it is cut off.
func rewrite(f *os.File, text []byte) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	room := make([]byte, max(0, min(info.Size(), maxLockFile)-int64(len(text))))
	for i := range room {
		room[i] = ' '
	}
	if _, err := f.WriteAt(append(text[:len(text):len(text)], room...), 0); err != nil {
		return err
	}
	return f.Truncate(int64(len(text)))
}

// judge finds out whose lock f is, and whether that is stale.
func (w *waiter) judge(f *os.File, system bool) bool {
	text, _ := io.ReadAll(io.NewSectionReader(f, 0, maxLockFile))
	o := readOwner(text)
	now := time.Now()
	since := o.created
	if info, err := f.Stat(); since.IsZero() && err == nil {
		since = info.ModTime()
	}
	alive := o.pid > 0 && oslock.Alive(o.pid)
	w.last = &LockedError{Path: w.name, PID: o.pid, Alive: alive, Age: now.Sub(since)}
	w.last.Reasons = o.stale(w.o, now, alive, system)
	if !o.text {
		// Whoever makes one may not have written it yet.
		patience := 30 * time.Second
		if 0 <= w.o.Wait && w.o.Wait < patience {
			patience = 5 * time.Second
		}
		return w.last.Age > patience
	}
	return slices.ContainsFunc(w.last.Reasons, func(r StaleReason) bool { return r != TooOld && r != HoldExceeded })
}

// sameFile reports whether f is what stands at its path, and no link leads there.
func sameFile(f *os.File) bool {
	is, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(f.Name())
	return err == nil && os.SameFile(is, there)
}
