package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"hygeia/session/internal/oslock"
)

func acquire(t *testing.T, path string, o LockOptions) *Lock {
	t.Helper()
	l, err := Acquire(t.Context(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Release() })
	return l
}

// brief is a wait that is over before somebody else gives a lock up.
var brief = LockOptions{Wait: 30 * time.Millisecond}

func refused(t *testing.T, path string, o LockOptions) *LockedError {
	t.Helper()
	l, err := Acquire(t.Context(), path, o)
	if err == nil {
		l.Release()
	}
	var e *LockedError
	if !errors.As(err, &e) || !errors.Is(err, ErrLocked) {
		t.Fatalf("got %v, want a lock that is held", err)
	}
	return e
}

func nothing() error { return nil }

// F-40: a lock that nobody has is taken, also where the wait is over before anybody looks:
// on a machine under load it may be.
func TestFreeLockIsTakenLate(t *testing.T) {
	path := filepath.Join(memory(t), "s.jsonl")
	for range 50 {
		l, err := Acquire(t.Context(), path, LockOptions{Wait: time.Nanosecond})
		if err != nil {
			t.Fatal(err)
		}
		l.Release()
	}
}

// F-40, F-B16: what the lock file says, where it is and who may read it.
func TestLockFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "agents", "main", "sessions")
	l := acquire(t, filepath.Join(dir, "s.jsonl"), LockOptions{MaxHold: time.Minute})
	name := filepath.Join(dir, "s.jsonl.lock")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		PID       int
		CreatedAt time.Time
		MaxHoldMs int
		Starttime int64
		Token     string
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	start, _ := oslock.StartTime(os.Getpid())
	if got.PID != os.Getpid() || got.MaxHoldMs != 60_000 || got.Starttime != start || time.Since(got.CreatedAt) > time.Minute {
		t.Errorf("%s", text)
	}
	if runtime.GOOS == "linux" && start == 0 {
		t.Error("no start time")
	}
	for path, want := range map[string]fs.FileMode{name: 0o600, dir: 0o700 | fs.ModeDir, filepath.Dir(dir): 0o700 | fs.ModeDir} {
		if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode() != want {
			t.Errorf("%s: mode %v, %v", path, info.Mode(), err)
		}
	}
	if err := l.Release(); err != nil {
		t.Error(err)
	}
	if err := l.Do(nothing); !errors.Is(err, ErrLockReleased) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the lock file is still there: %v", err)
	}
}

// F-40: the lock file stands in the folder itself, whatever link leads there; a
// folder that is there keeps its mode (F-B16).
func TestLockThroughLink(t *testing.T) {
	dir := t.TempDir()
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "real"), 0o755), os.Symlink("real", filepath.Join(dir, "link"))); err != nil {
		t.Skip(err)
	}
	acquire(t, filepath.Join(dir, "link", "s.jsonl"), LockOptions{})
	info, err := os.Stat(filepath.Join(dir, "real"))
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o755 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	e := refused(t, filepath.Join(dir, "real", "s.jsonl"), brief)
	if e.PID != os.Getpid() || !e.Alive || e.Waited != brief.Wait {
		t.Errorf("%+v", e)
	}
}

// F-40: a file has one lock, whatever name it is asked for by.
func TestLockOfLink(t *testing.T) {
	dir := t.TempDir()
	real, link := filepath.Join(dir, "real.jsonl"), filepath.Join(dir, "sub", "link.jsonl")
	if err := errors.Join(os.WriteFile(real, nil, 0o600), os.Mkdir(filepath.Dir(link), 0o700), os.Symlink("../real.jsonl", link)); err != nil {
		t.Skip(err)
	}
	l := acquire(t, link, LockOptions{})
	if e := refused(t, real, brief); filepath.Base(e.Path) != "real.jsonl.lock" {
		t.Errorf("%+v", e)
	}
	l.Release()
	acquire(t, real, brief)
	refused(t, link, brief)
}

// F-40, F-41: a new lock file says whose it is from its first moment on, so that a process that
// is killed leaves none with which others would have to have patience. Without
// that it is found empty some hundred times here.
func TestLockFileNeverEmpty(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only there it can be made at once")
	}
	path := filepath.Join(memory(t), "s.jsonl")
	stop := make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			if text, err := os.ReadFile(path + ".lock"); err == nil && !readOwner(text).text {
				t.Errorf("it says %q", text)
				return
			}
		}
	})
	for range 2000 {
		l, err := Acquire(t.Context(), path, LockOptions{})
		if err != nil {
			t.Fatal(err)
		}
		l.Release()
	}
	close(stop)
	group.Wait()
}

// F-41: what makes a lock stale that no process of this product has, and what
// does not.
func TestStaleLocks(t *testing.T) {
	ended := ended(t)
	other := exec.Command("sleep", "60")
	if err := other.Start(); err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { other.Process.Kill(); other.Wait() })
	ago := func(d time.Duration) string { return time.Now().Add(-d).UTC().Format(isoTime) }
	self, start := os.Getpid(), int64(1)
	if s, ok := oslock.StartTime(self); ok {
		start = s
	}
	parent := os.Getppid() // lives, and its start time is not that
	for _, c := range []struct {
		name, text string
		age        time.Duration // of the file
		taken      bool
		reasons    []StaleReason
		linux      bool // needs what only that system tells
	}{
		{name: "fresh", text: fmt.Sprintf(`{"pid":%d,"createdAt":%q}`, self, ago(0))},
		{name: "old", text: fmt.Sprintf(`{"pid":%d,"createdAt":%q}`, self, ago(31*time.Minute)), reasons: []StaleReason{TooOld, HoldExceeded}},
		{name: "long", text: fmt.Sprintf(`{"pid":%d,"createdAt":%q,"maxHoldMs":1000}`, self, ago(time.Minute)), reasons: []StaleReason{HoldExceeded}},
		{name: "dead", text: fmt.Sprintf(`{"pid":%d,"createdAt":%q}`, ended, ago(0)), taken: true, reasons: []StaleReason{DeadPID}},
		{name: "recycled", text: fmt.Sprintf(`{"pid":%d,"createdAt":%q,"starttime":7}`, parent, ago(0)), taken: true, reasons: []StaleReason{RecycledPID}, linux: true},
		{name: "self", text: fmt.Sprintf(`{"pid":%d,"createdAt":%q,"starttime":%d}`, self, ago(0), start), taken: true, reasons: []StaleReason{OrphanSelfPID}, linux: true},
		{name: "other program", text: fmt.Sprintf(`{"pid":%d,"createdAt":%q}`, other.Process.Pid, ago(0)), taken: true, reasons: []StaleReason{ForeignOwner}, linux: true},
		{name: "no time", text: fmt.Sprintf(`{"pid":%d,"createdAt":"soon"}`, self), taken: true, reasons: []StaleReason{InvalidCreatedAt}},
		{name: "no process", text: fmt.Sprintf(`{"createdAt":%q}`, ago(0)), taken: true, reasons: []StaleReason{MissingPID}},
		{name: "process 0", text: fmt.Sprintf(`{"pid":-1,"createdAt":%q}`, ago(0)), taken: true, reasons: []StaleReason{MissingPID}},
		{name: "ours, given up by the system", text: fmt.Sprintf(`{"pid":%d,"createdAt":%q,"token":"x"}`, self, ago(0)), taken: true, reasons: []StaleReason{Unlocked}},
		{name: "being written", text: `{"pid":`, reasons: []StaleReason{MissingPID, InvalidCreatedAt}},
		{name: "empty and young", age: 4 * time.Second, reasons: []StaleReason{MissingPID, InvalidCreatedAt}},
		{name: "empty and old", age: 6 * time.Second, taken: true, reasons: []StaleReason{MissingPID, InvalidCreatedAt}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.linux && runtime.GOOS != "linux" {
				t.Skip("not known on this system")
			}
			path := filepath.Join(t.TempDir(), "s.jsonl")
			if err := os.WriteFile(path+".lock", []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			then := time.Now().Add(-c.age)
			os.Chtimes(path+".lock", then, then)
			f, err := os.Open(path + ".lock")
			if err != nil {
				t.Fatal(err)
			}
			w := waiter{name: path + ".lock", o: brief.withDefaults()}
			w.judge(f, true)
			f.Close()
			if !slices.Equal(w.last.Reasons, c.reasons) {
				t.Errorf("reasons %q, want %q", w.last.Reasons, c.reasons)
			}
			if !c.taken {
				e := refused(t, path, brief)
				for _, r := range c.reasons {
					if !strings.Contains(e.Error(), string(r)) {
						t.Errorf("%v does not name %s", e, r)
					}
				}
				return
			}
			l := acquire(t, path, brief)
			if err := l.Do(nothing); err != nil {
				t.Error(err)
			}
		})
	}
}

// A lock file that is a link is nobody's lock, and what it leads to is never
// written to.
func TestLockIsLink(t *testing.T) {
	dir := t.TempDir()
	victim, path := filepath.Join(dir, "victim"), filepath.Join(dir, "s.jsonl")
	then := time.Now().Add(-time.Hour)
	if err := errors.Join(os.WriteFile(victim, []byte("mine"), 0o600), os.Chtimes(victim, then, then), os.Symlink(victim, path+".lock")); err != nil {
		t.Skip(err)
	}
	refused(t, path, brief)
	if text, _ := os.ReadFile(victim); string(text) != "mine" {
		t.Errorf("written over: %s", text)
	}
}

// F-41: who waits for longer has more patience with a lock that says nothing.
func TestEmptyLockPatience(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl.lock")
	os.WriteFile(path, nil, 0o600)
	then := time.Now().Add(-10 * time.Second)
	os.Chtimes(path, then, then)
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for wait, want := range map[time.Duration]bool{29 * time.Second: true, 30 * time.Second: false, -1: false} {
		w := waiter{name: path, o: LockOptions{Wait: wait}.withDefaults()}
		if w.judge(f, true) != want {
			t.Errorf("wait %v: stale is %v", wait, !want)
		}
	}
}

// ended returns the id of a process that is no more.
func ended(t *testing.T) int {
	t.Helper()
	c := otherProcess(t, "nothing")
	if err := c.Run(); err != nil {
		t.Fatal(err)
	}
	return c.Process.Pid
}

// otherProcess returns a run of this test binary that does one thing of
// TestOtherProcess.
func otherProcess(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	c := exec.CommandContext(t.Context(), os.Args[0], append([]string{"-test.run=^TestOtherProcess$", "--"}, args...)...)
	c.Env = append(os.Environ(), "HYGEIA_OTHER_PROCESS=1")
	c.Stderr = os.Stderr
	return c
}

// deeds are the things that another process does.
var deeds = map[string]func(args []string) error{
	"nothing": func([]string) error { return nil },
	"lock": func(args []string) error {
		_, err := Acquire(context.Background(), args[0], LockOptions{})
		if err == nil {
			fmt.Println("locked")
			select {} // until it is killed
		}
		return err
	},
}

func TestOtherProcess(t *testing.T) {
	if os.Getenv("HYGEIA_OTHER_PROCESS") == "" {
		return
	}
	args := os.Args[slices.Index(os.Args, "--")+1:]
	if err := deeds[args[0]](args[1:]); err != nil {
		t.Fatal(err)
	}
}

// F-B24: a lock of a process that lives is held whatever its text says, and one
// of a process that was killed is free at once.
func TestLockOfOtherProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	c := otherProcess(t, "lock", path)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	line := make([]byte, len("locked"))
	if _, err := out.Read(line); err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile(path + ".lock")
	e := refused(t, path, brief)
	if e.PID != c.Process.Pid || !e.Alive || len(e.Reasons) > 0 && e.Reasons[0] != Unlocked {
		t.Errorf("%+v", e)
	}
	gone := strings.Replace(string(text), strconv.Itoa(c.Process.Pid), strconv.Itoa(ended(t)), 1)
	if err := os.WriteFile(path+".lock", []byte(gone), 0o600); err != nil {
		t.Fatal(err)
	}
	refused(t, path, brief)

	c.Process.Kill()
	c.Wait()
	acquire(t, path, LockOptions{Wait: 10 * time.Second})
}

// F-B24: what is held for too long is fenced, not released: the write that is
// under way ends, no other begins, and nobody else gets in before the release.
func TestFence(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	l := acquire(t, path, LockOptions{MaxHold: 20 * time.Millisecond})
	ended := false
	err := l.Do(func() error {
		time.Sleep(60 * time.Millisecond)
		ended = true
		return nil
	})
	if err != nil || !ended {
		t.Errorf("the write under way: %v", err)
	}
	time.Sleep(20 * time.Millisecond)
	if err := l.Do(nothing); !errors.Is(err, ErrLockExpired) {
		t.Errorf("got %v", err)
	}
	refused(t, path, brief)
	l.Release()
	acquire(t, path, brief)
}

// F-B24: who takes a lock all the same ends the right to write of the one who
// had it, and keeps it when that one lets go.
func TestLostLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	l := acquire(t, path, LockOptions{})
	os.Remove(path + ".lock")
	theirs := `{"pid":1,"createdAt":"2026-01-01T00:00:00.000Z"}`
	if err := os.WriteFile(path+".lock", []byte(theirs), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := l.Do(nothing); !errors.Is(err, ErrLockLost) {
		t.Errorf("got %v", err)
	}
	l.Release()
	if text, _ := os.ReadFile(path + ".lock"); string(text) != theirs {
		t.Errorf("their lock is %q", text)
	}
}

// F-40: a lock is shared on request only, and given up with the last share.
func TestReentrant(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	a := acquire(t, path, LockOptions{})
	b := acquire(t, path, LockOptions{Reentrant: true})
	a.Release()
	a.Release()
	if err := b.Do(nothing); err != nil {
		t.Error(err)
	}
	refused(t, path, brief)
	b.Release()
	over := acquire(t, path, LockOptions{MaxHold: time.Millisecond})
	for over.Do(nothing) == nil {
		time.Sleep(time.Millisecond)
	}
	refused(t, path, LockOptions{Reentrant: true, Wait: brief.Wait}) // nobody shares what has ended
	over.Release()
	acquire(t, path, brief)
}

// F-41: a program that was told to end gives up all it has.
func TestReleaseLocks(t *testing.T) {
	dir := t.TempDir()
	l := acquire(t, filepath.Join(dir, "a.jsonl"), LockOptions{})
	acquire(t, filepath.Join(dir, "b.jsonl"), LockOptions{})
	ReleaseLocks()
	if list, _ := os.ReadDir(dir); len(list) > 0 {
		t.Errorf("left %v", list)
	}
	if err := l.Do(nothing); !errors.Is(err, ErrLockReleased) {
		t.Errorf("got %v", err)
	}
}

// F-44: within the process each waits for its turn, and none is left out.
func TestLockQueue(t *testing.T) {
	for name, try := range map[string]func(*os.File) (bool, error){
		"system": oslock.Try,
		"text":   func(*os.File) (bool, error) { return false, errors.ErrUnsupported },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() { tryLock = oslock.Try }()
			tryLock = try
			path := filepath.Join(t.TempDir(), "s.jsonl")
			var group sync.WaitGroup
			inside, count := 0, 0
			for range 8 {
				group.Go(func() {
					for range 10 {
						l, err := Acquire(t.Context(), path, LockOptions{})
						if err != nil {
							t.Error(err)
							return
						}
						inside++
						if err := l.Do(nothing); err != nil || inside != 1 {
							t.Errorf("%d inside, %v", inside, err)
						}
						inside--
						count++
						l.Release()
					}
				})
			}
			group.Wait()
			if count != 80 {
				t.Errorf("%d turns", count)
			}
		})
	}
}

func TestAcquireCanceled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	acquire(t, path, LockOptions{})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := Acquire(ctx, path, LockOptions{Wait: -1}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

// F-40: the environment counts more than the configuration, and only the wait
// may have no end.
func TestLockEnv(t *testing.T) {
	env := map[string]string{
		"OPENCLAW_SESSION_WRITE_LOCK_ACQUIRE_TIMEOUT_MS": "Infinity",
		"OPENCLAW_SESSION_WRITE_LOCK_STALE_MS":           "1500",
		"OPENCLAW_SESSION_WRITE_LOCK_MAX_HOLD_MS":        "infinity",
	}
	o := LockOptions{Wait: 1, Stale: 2, MaxHold: 3}.WithEnv(func(name string) string { return env[name] })
	if want := (LockOptions{Wait: -1, Stale: 1500 * time.Millisecond, MaxHold: 3}); o != want {
		t.Errorf("%+v", o)
	}
	env = map[string]string{"OPENCLAW_SESSION_WRITE_LOCK_ACQUIRE_TIMEOUT_MS": "soon", "OPENCLAW_SESSION_WRITE_LOCK_STALE_MS": "-5"}
	if o := (LockOptions{Wait: 1, Stale: 2, MaxHold: 3}).WithEnv(func(name string) string { return env[name] }); o != (LockOptions{Wait: 1, Stale: 2, MaxHold: 3}) {
		t.Errorf("%+v", o)
	}
	if want := (LockOptions{Wait: time.Minute, Stale: 30 * time.Minute, MaxHold: 5 * time.Minute}); (LockOptions{}).withDefaults() != want {
		t.Errorf("%+v", LockOptions{}.withDefaults())
	}
}

// F-41: a reason that speaks of the lock itself is told in words: "unlocked" behind
// "is locked" helps nobody.
func TestLockedWords(t *testing.T) {
	e := &LockedError{Path: "s.jsonl.lock", Reasons: []StaleReason{Unlocked, TooOld}}
	if want := "; no lock of the system stands behind it, too-old"; !strings.HasSuffix(e.Error(), want) {
		t.Errorf("%s", e)
	}
	if want := "by somebody else: an unknown process (not running) has s.jsonl.lock"; !strings.Contains(e.Error(), want) {
		t.Errorf("%s", e)
	}
	e = &LockedError{Path: "s.jsonl.lock", PID: 4711, Alive: true}
	if want := "by somebody else: process 4711 (running) has s.jsonl.lock"; !strings.Contains(e.Error(), want) {
		t.Errorf("%s", e)
	}
}

// F-41: what may have taken a lock: this program, others that do so and what they run
// in, and whatever does not say what it is.
func TestTakesLocks(t *testing.T) {
	for words, want := range map[string]bool{
		"":                               true,
		filepath.Base(os.Args[0]) + " x": true,
		"/usr/bin/node gateway.js":       true,
		"/usr/bin/python3 openclaw.py":   true,
		"/opt/Hygeia/bin serve":          true,
		"/usr/bin/vim node.txt":          false,
		"/usr/sbin/sshd":                 false,
	} {
		if got := takesLocks(strings.Fields(words)); got != want {
			t.Errorf("%q: %v", words, got)
		}
	}
}
