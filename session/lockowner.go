package session

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"hygeia/internal/jsonline"
	"hygeia/session/internal/oslock"
)

// StaleReason says why a lock may be left over (F-41).
type StaleReason string

// The reasons. A lock is taken over for any of them but the last two.
const (
	MissingPID       StaleReason = "missing-pid"
	DeadPID          StaleReason = "dead-pid"
	RecycledPID      StaleReason = "recycled-pid"       // the process of that id began at another time
	InvalidCreatedAt StaleReason = "invalid-createdAt"  // or no text that says anything
	OrphanSelfPID    StaleReason = "orphan-self-pid"    // this very process, which does not have it
	ForeignOwner     StaleReason = "non-openclaw-owner" // a program that takes no such locks
	Unlocked         StaleReason = "unlocked"           // this product's, without the lock of the system
	TooOld           StaleReason = "too-old"
	HoldExceeded     StaleReason = "hold-exceeded"
)

// LockedError says who has a lock that was waited for in vain.
type LockedError struct {
	Path    string // of the lock file
	PID     int    // 0 when it is not known
	Alive   bool   // a process of that id exists
	Age     time.Duration
	Waited  time.Duration
	Reasons []StaleReason // what speaks for a lock that is left over

	locked bool // by the operating system
}

func (e *LockedError) Error() string {
	who, alive := "an unknown process", "not running"
	if e.PID > 0 {
		who = fmt.Sprintf("process %d", e.PID)
	}
	if e.Alive {
		alive = "running"
	}
	text := fmt.Sprintf("%v: %s (%s) has %s for %v; waited %v", ErrLocked, who, alive, e.Path, e.Age.Round(time.Millisecond), e.Waited)
	for i, r := range e.Reasons {
		text += []string{"; ", ", "}[min(i, 1)] + string(r)
	}
	return text
}

// Unwrap returns ErrLocked.
func (e *LockedError) Unwrap() error { return ErrLocked }

// owner is what stands in a lock file.
type owner struct {
	pid     int // 0 when there is none
	created time.Time
	maxHold time.Duration
	start   int64 // 0 when it is not known
	token   string
	text    bool // there is something to read at all
}

const (
	lockTime    = "2006-01-02T15:04:05.000Z07:00"
	maxLockFile = 64 << 10 // bytes that are read
)

// readOwner reads a lock file.
func readOwner(text []byte) (w owner) {
	o := jsonline.ParseObject(text)
	w.text = o.Exists()
	number := func(name string) int64 {
		if f, ok := o.Get(name).Number(); ok && 0 < f && f <= math.MaxInt32 && f == math.Trunc(f) {
			return int64(f)
		}
		return 0
	}
	w.pid, w.start, w.token = int(number("pid")), number("starttime"), o.Get("token").String()
	w.maxHold = time.Duration(number("maxHoldMs")) * time.Millisecond
	w.created, _ = time.Parse(time.RFC3339, o.Get("createdAt").String())
	return w
}

// newOwner describes this process.
func newOwner(o LockOptions) owner {
	w := owner{pid: os.Getpid(), created: time.Now(), maxHold: o.MaxHold, token: rand.Text(), text: true}
	w.start, _ = oslock.StartTime(w.pid)
	return w
}

// appendTo appends what goes into the lock file.
func (w owner) appendTo(dst []byte) []byte {
	dst = fmt.Appendf(dst, `{"pid":%d,"createdAt":%q,"maxHoldMs":%d`, w.pid, w.created.UTC().Format(lockTime), w.maxHold.Milliseconds())
	if w.start != 0 {
		dst = fmt.Appendf(dst, `,"starttime":%d`, w.start)
	}
	return fmt.Appendf(dst, `,"token":%q}`, w.token)
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

func rewrite(f *os.File, text []byte) error {
	err := f.Truncate(0)
	if err == nil {
		_, err = f.WriteAt(text, 0)
	}
	return err
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

// stale returns what speaks for a lock that is left over. system says that the
// file system has locks and nobody has this one.
func (w owner) stale(o LockOptions, now time.Time, alive, system bool) (reasons []StaleReason) {
	hold := w.maxHold
	if hold == 0 {
		hold = o.MaxHold
	}
	start, known := oslock.StartTime(w.pid)
	known = known && w.start != 0
	dated := !w.created.IsZero()
	for _, c := range []struct {
		reason StaleReason
		is     bool
	}{
		{MissingPID, w.pid == 0},
		{DeadPID, w.pid != 0 && !alive},
		{RecycledPID, alive && known && start != w.start},
		{InvalidCreatedAt, !dated},
		{OrphanSelfPID, w.pid == os.Getpid() && known && start == w.start},
		{ForeignOwner, alive && !known && w.token == "" && !takesLocks(oslock.CommandLine(w.pid))},
		{Unlocked, system && w.token != ""},
		{TooOld, dated && now.Sub(w.created) > o.Stale},
		{HoldExceeded, dated && now.Sub(w.created) > hold},
	} {
		if c.is {
			reasons = append(reasons, c.reason)
		}
	}
	return reasons
}

// takesLocks reports whether a process of that command line may have taken a
// lock: this program, one that is named like one that does, and what such
// programs run in. So may one whose command line is not known.
func takesLocks(words []string) bool {
	if len(words) == 0 {
		return true
	}
	program := filepath.Base(words[0])
	return program == filepath.Base(os.Args[0]) || runtimes.MatchString(program) || owners.MatchString(strings.Join(words, " "))
}

var (
	owners   = regexp.MustCompile(`(?i)openclaw|hygeia`)
	runtimes = regexp.MustCompile(`(?i)^(node|bun|deno)`)
)
