package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// Errors of a lock. ErrLocked comes wrapped in a [*LockedError].
var (
	ErrLocked       = errors.New("locked by somebody else")
	ErrLockLost     = errors.New("the lock was taken by somebody else")
	ErrLockExpired  = errors.New("the lock was held for longer than it may be")
	ErrLockReleased = errors.New("the lock was released")
)

// LockOptions says how a lock is waited for and how long it may be held (F-40).
// The zero value means the defaults.
type LockOptions struct {
	Wait    time.Duration // 0 means 60 s; less than 0 waits as long as the context lets it
	Stale   time.Duration // age from which a lock is called old, 0 means 30 min
	MaxHold time.Duration // from when on the holder may write no more, 0 means 5 min
	// Reentrant lets the caller share the lock if this process has it already.
	Reentrant bool
}

// WithEnv returns the options with what the environment says in their place
// (F-40). What is no number of milliseconds there is ignored; the wait may also
// be "infinity".
func (o LockOptions) WithEnv(getenv func(string) string) LockOptions {
	const prefix = "OPENCLAW_SESSION_WRITE_LOCK_"
	for name, d := range map[string]*time.Duration{
		"ACQUIRE_TIMEOUT_MS": &o.Wait, "STALE_MS": &o.Stale, "MAX_HOLD_MS": &o.MaxHold,
	} {
		text := strings.TrimSpace(getenv(prefix + name))
		if ms, err := time.ParseDuration(text + "ms"); err == nil && ms > 0 {
			*d = ms
		} else if d == &o.Wait && strings.EqualFold(text, "infinity") {
			o.Wait = -1
		}
	}
	return o
}

// Locker returns what takes such a lock, for RepairOptions.Lock.
func (o LockOptions) Locker(ctx context.Context) func(path string) (Held, error) {
	return func(path string) (Held, error) {
		l, err := Acquire(ctx, path, o)
		if err != nil {
			return nil, err // not a *Lock that is nil
		}
		return l, nil
	}
}

func (o LockOptions) withDefaults() LockOptions {
	for _, d := range []struct {
		value *time.Duration
		is    time.Duration
	}{{&o.Wait, time.Minute}, {&o.Stale, 30 * time.Minute}, {&o.MaxHold, 5 * time.Minute}} {
		if *d.value == 0 {
			*d.value = d.is
		}
	}
	return o
}

// Lock is the right to write one file, which nobody else has at the same time:
// no other process that asks for it, and within this one nobody either, unless
// it was shared on request.
//
// It is an advisory lock of the operating system on a neighbour of the file,
// which ends with the process, and the JSON text in that neighbour, which says
// who has it and keeps out programs that only look at the text (F-40, F-B24). A
// program that takes the lock all the same, or a hold of more than the maximum,
// ends the right to write, not the writing itself: [Lock.Do] asks before each
// write and lets it end. A lock whose time is over still keeps others out until
// it is released.
type Lock struct {
	hold *hold
	once sync.Once
}

// hold is a lock of this process, whoever shares it.
type hold struct {
	name  string // of the lock file
	token string // that stands in it
	queue *queue
	refs  int // of it; guarded by queues

	mu    sync.Mutex // held while somebody writes
	file  *os.File
	err   error // why nothing may be written any more
	watch *time.Timer
}

// Acquire takes the lock on the file path, which need not be there; its folder
// is made with mode 0700. Somebody else's lock is waited for, and taken over
// when it is stale (F-41). The errors are *LockedError, the one of the context,
// and those of the file system.
func Acquire(ctx context.Context, path string, o LockOptions) (*Lock, error) {
	o = o.withDefaults()
	name, err := lockName(path)
	if err != nil {
		return nil, failed(path, fmt.Errorf("taking the lock: %w", err))
	}
	q, shared := enter(name, o.Reentrant)
	if shared != nil {
		return &Lock{hold: shared}, nil
	}
	w := waiter{name: name, o: o}
	h, err := w.acquire(ctx, q)
	if err != nil {
		q.leave(name, false)
		return nil, failed(path, err)
	}
	return &Lock{hold: h}, nil
}

// lockName returns the path of the lock file (F-40). It stands beside the file
// itself, whatever link leads there: else a file had as many locks as names.
func lockName(path string) (string, error) {
	if file, err := filepath.EvalSymlinks(path); err == nil {
		path = file
	}
	dir, err := filepath.Abs(filepath.Dir(path))
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	return filepath.Join(dir, filepath.Base(path)+".lock"), err
}

// Do calls write, during which nobody else writes who asks for the lock, this
// process included. It must not use the lock itself. If the right to write has
// ended, write is not called and the error is ErrLockLost, ErrLockExpired or
// ErrLockReleased.
func (l *Lock) Do(write func() error) error {
	h := l.hold
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.err == nil && !h.ours() {
		h.err = ErrLockLost
	}
	if h.err != nil {
		return fmt.Errorf("%s: %w", h.name, h.err)
	}
	return write()
}

// Release gives the lock up. It waits for a write that is under way. Another
// call does nothing. An error says that the lock file stayed behind.
func (l *Lock) Release() (err error) {
	l.once.Do(func() {
		if l.hold.queue.drop(l.hold) {
			err = l.hold.end()
			l.hold.queue.leave(l.hold.name, true)
		}
	})
	return err
}

// ReleaseLocks gives up every lock of this process. It is meant for a program
// that was told to end (F-41): it waits for writes that are under way, and none
// begins any more. Who waits for a lock has to be told by its context before.
func ReleaseLocks() {
	taking.Lock()
	defer taking.Unlock()
	for _, h := range holds() {
		h.end()
	}
}

// fence ends the right to write.
func (h *hold) fence(why error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.err == nil {
		h.err = why
	}
}

// ours reports whether the lock file is still the one that was written.
func (h *hold) ours() bool {
	text, err := os.ReadFile(h.name)
	return err == nil && readOwner(text).token == h.token
}

// end removes the lock file, unless it is somebody else's by now.
func (h *hold) end() error {
	h.watch.Stop()
	h.fence(ErrLockReleased)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.file == nil {
		return nil
	}
	var err error
	if h.ours() {
		err = os.Remove(h.name)
	}
	err = errors.Join(err, h.file.Close())
	h.file = nil
	return err
}
