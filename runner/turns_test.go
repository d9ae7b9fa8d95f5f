package runner

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hygeia/session"
)

// TestWait holds that a run waits for one of another process, tells of it, and says
// that its prompt was not stored where it gives up.
func TestWait(t *testing.T) {
	t.Parallel()
	b := newBench(t, everyFormat[0], nil, func(o *Options) { o.Wait = time.Millisecond })
	held, err := session.Acquire(t.Context(), realPath(b.path)+".run", session.LockOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	hear := func(e Event) {
		if e.Kind == Waiting {
			told = append(told, e.Text)
		}
	}
	_, err = b.Run(t.Context(), b.path, Prompt{Body: "lost"}, hear)
	var locked *session.LockedError
	if !errors.Is(err, ErrNotStored) || !errors.As(err, &locked) || locked.PID != os.Getpid() {
		t.Errorf("%v", err)
	}
	if len(told) != 1 || !strings.Contains(told[0], "at most 1ms") {
		t.Errorf("%q", told)
	}
	b.o.Wait = -1
	_, err = b.Run(t.Context(), b.path, Prompt{Body: "patient"}, func(e Event) {
		if e.Kind == Waiting {
			if err := held.Release(); err != nil || !strings.Contains(e.Text, "as long as it takes") {
				t.Error(e.Text, err)
			}
		}
	})
	if err != nil {
		t.Error(err)
	}
	text, err := os.ReadFile(b.path)
	if err != nil || strings.Contains(string(text), "lost") || !strings.Contains(string(text), "patient") {
		t.Errorf("%s, %v", text, err)
	}
	if left, _ := filepath.Glob(b.path + ".*"); len(left) != 0 {
		t.Errorf("left: %q", left)
	}
}

// TestTurnsInOrder lets one in at a time, also where some come while others leave or
// give up, and remembers nobody afterwards.
func TestTurnsInOrder(t *testing.T) {
	var all turns
	enter := func(ctx context.Context) func() {
		leave, err := all.enter(ctx, "a")
		if err != nil {
			return nil
		}
		return leave
	}
	first := enter(t.Context())
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if enter(gone) != nil {
		t.Error("somebody who gave up is let in")
	}
	second := make(chan func())
	go func() { second <- enter(t.Context()) }()
	for users := 0; users != 2; {
		all.mu.Lock()
		users = all.queues["a"].users
		all.mu.Unlock()
	}
	first()
	leave := <-second
	if enter(gone) != nil {
		t.Error("two are let in")
	}
	leave()
	if len(all.queues) != 0 {
		t.Errorf("%d queues are left", len(all.queues))
	}
}
