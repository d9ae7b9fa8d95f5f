package session

import (
	"crypto/rand"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
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

// words is a reason as people read it.
func (r StaleReason) words() string {
	if r == Unlocked {
		return "no lock of the system stands behind it"
	}
	return string(r)
}

// LockedError says who has a lock that was waited for in vain.
type LockedError struct {
	Path    string        // of the lock file
	PID     int           // 0 when it is not known
	Alive   bool          // a process of that id exists
	Age     time.Duration // of the lock file
	Waited  time.Duration // how long it was waited for
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
		text += []string{"; ", ", "}[min(i, 1)] + r.words()
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

const maxLockFile = 64 << 10 // bytes that are read

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
	dst = fmt.Appendf(dst, `{"pid":%d,"createdAt":%q,"maxHoldMs":%d`, w.pid, w.created.UTC().Format(isoTime), w.maxHold.Milliseconds())
	if w.start != 0 {
		dst = fmt.Appendf(dst, `,"starttime":%d`, w.start)
	}
	return fmt.Appendf(dst, `,"token":%q}`, w.token)
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
