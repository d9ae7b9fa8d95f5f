package runner

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"hygeia/internal/swap"
	"hygeia/session"
)

// ErrRun says that an id cannot be that of a run.
var ErrRun = errors.New("no id of a run")

var legalRun = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$`)

// flow returns the flow of a message: the one of that run which was cut short, if
// there is one, else a new one, which is kept from now on.
func (p *Post) flow(f *flow) (*flow, error) {
	if !legalRun.MatchString(f.Run) {
		return nil, fmt.Errorf("%w: %q", ErrRun, f.Run)
	}
	f.first = make(chan struct{})
	lock, err := p.lock(f.Run)
	if err != nil {
		return nil, err
	}
	old, err := p.read(f.Run)
	switch {
	case err != nil:
	case old == nil:
		err = p.keep(f)
	case old.From != f.From || old.To != f.To || old.Text != f.Text:
		err = fmt.Errorf("run %s is that of another message", f.Run)
	default:
		f = old
	}
	f.lock = lock
	if err != nil {
		f.unlock()
		return nil, err
	}
	return f, nil
}

// ErrUnderWay says that a run is that of somebody else at the moment.
var ErrUnderWay = errors.New("the run is under way")

// longestFlow is how long the locks of runs, flows and waits may be held, which end
// with their process.
const longestFlow = 30 * 24 * time.Hour

// lock makes a run that of this post: others in this process and in other ones
// keep their hands off it, until it is over or the process ends.
func (p *Post) lock(run string) (*session.Lock, error) {
	if p.o.State == "" {
		return nil, nil
	}
	lock, err := session.Acquire(p.ctx, p.file(run), session.LockOptions{Wait: time.Second / 4, MaxHold: longestFlow, Stale: longestFlow})
	if errors.Is(err, session.ErrLocked) {
		return nil, fmt.Errorf("%w: %s", ErrUnderWay, run)
	}
	return lock, err
}

func (f *flow) unlock() {
	if f.lock != nil {
		_ = f.lock.Release() // the file of the lock is all that could stay
	}
}

func (p *Post) file(run string) string { return filepath.Join(p.o.State, run+".json") }

// keep writes a flow down, so that a crash behind it costs nothing (S-B08).
func (p *Post) keep(f *flow) error {
	if p.o.State == "" {
		return nil
	}
	text, err := json.Marshal(f)
	if err != nil {
		return err
	}
	return swap.Put(p.file(f.Run), text)
}

func (p *Post) read(run string) (*flow, error) {
	if p.o.State == "" {
		return nil, nil
	}
	text, err := os.ReadFile(p.file(run))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	f := &flow{first: make(chan struct{}), resumed: true}
	if err == nil {
		err = json.Unmarshal(text, f)
	}
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", run, err)
	}
	return f, nil
}

// kept returns the flows that were cut short.
func (p *Post) kept() (list []*flow, err error) {
	if p.o.State == "" {
		return nil, nil
	}
	files, err := os.ReadDir(p.o.State)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, d := range files {
		run, ok := strings.CutSuffix(d.Name(), ".json")
		if !ok || !legalRun.MatchString(run) {
			continue
		}
		lock, why := p.lock(run)
		if errors.Is(why, ErrUnderWay) {
			continue
		}
		var f *flow
		if why == nil {
			f, why = p.read(run)
		}
		err = errors.Join(err, why)
		switch {
		case f != nil:
			f.lock = lock
			list = append(list, f)
		case lock != nil:
			err = errors.Join(err, lock.Release())
		}
	}
	return list, err
}

// forget ends a flow.
func (p *Post) forget(f *flow) error {
	if p.o.State == "" {
		return nil
	}
	if err := os.Remove(p.file(f.Run)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
