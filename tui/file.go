package tui

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"hygeia"
	"hygeia/internal/export"
	"hygeia/projection"
	"hygeia/runner"
	"hygeia/session"
	"hygeia/transcript"
)

// FileOptions says how a session file is chatted in. Path and Run must be there.
type FileOptions struct {
	Path  string // need not be there yet
	Model string // what people are told of who answers, PROVIDER/MODEL
	// Run returns what answers prompts for a target, PROVIDER/MODEL or "" for the
	// default one.
	Run func(target string) (*runner.Runner, error)
	// Replay says how requests are built for the health panel.
	Replay hygeia.ReplayOptions
	// Poll is the time between looks at the file, 0 means 500 ms.
	Poll time.Duration
}

// File is the [Source] of one session file.
type File struct {
	o      FileOptions
	redact func(string) string
	cache  session.Cache

	mu    sync.Mutex
	run   *fileRun
	wake  chan struct{} // the follower has to look
	notes []string
	ended []Event
	work  sync.WaitGroup
}

// fileRun is the answer under way.
type fileRun struct {
	id     string
	cancel context.CancelFunc
	turn   runner.Growing
}

// NewFile returns the source of a session file. Close ends it.
func NewFile(o FileOptions) (*File, error) {
	redactor, err := session.NewRedactor()
	if err != nil {
		return nil, err
	}
	if o.Poll == 0 {
		o.Poll = 500 * time.Millisecond
	}
	return &File{o: o, redact: redactor.Text, wake: make(chan struct{}, 1)}, nil
}

// Close stops the answer under way and waits until it is stored.
func (f *File) Close() {
	f.mu.Lock()
	if f.run != nil {
		f.run.cancel()
	}
	f.mu.Unlock()
	f.work.Wait()
}

// List implements [Source].
func (f *File) List(context.Context, string) ([]Session, error) {
	return []Session{{Key: f.o.Path, Title: filepath.Base(f.o.Path), Model: f.o.Model}}, nil
}

// Create implements [Source].
func (f *File) Create(context.Context) (Session, error) { return Session{}, ErrAlone }

// Rename implements [Source].
func (f *File) Rename(context.Context, string, string) error { return ErrAlone }

// Archive implements [Source].
func (f *File) Archive(context.Context, string) error { return ErrAlone }

// history returns all that is shown of the file as it is stored, with texts of at
// most maxText characters, 0 for no limit.
func (f *File) history(show Show, maxText int) ([]*transcript.Message, error) {
	s, err := f.load()
	if session.IsMissing(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	branch, err := s.Branch(show.Leaf)
	if err != nil {
		return nil, err
	}
	return projection.Project(projection.Records(branch.Entries()), f.options(show, maxText)), nil
}

func (f *File) options(show Show, maxText int) projection.Options {
	return projection.Options{MaxText: maxText, Thinking: show.Thinking, Tools: show.Tools, Redact: f.redact}
}

// pageOf returns the newest messages before a place. A cursor is the place of the first
// one: the list grows at its end.
func pageOf(list []*transcript.Message, end, limit int) Page {
	from := max(0, end-limit)
	p := Page{Messages: slices.Clone(list[from:end])}
	if from > 0 {
		p.Older = strconv.Itoa(from)
	}
	return p
}

// Before implements [Source].
func (f *File) Before(_ context.Context, _, cursor string, show Show) (Page, error) {
	end, err := strconv.ParseUint(cursor, 10, 31)
	if err != nil {
		return Page{}, fmt.Errorf("cursor %q: %w", cursor, err)
	}
	list, err := f.history(show, projection.DefaultMaxText)
	if err != nil {
		return Page{}, err
	}
	return pageOf(list, min(int(end), len(list)), show.Limit), nil
}

// Branches implements [Source].
func (f *File) Branches(context.Context, string) ([]Branch, error) {
	s, err := f.load()
	if session.IsMissing(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var list []Branch
	for _, tip := range s.Branches() {
		b, err := s.Branch(tip.Leaf)
		if err != nil {
			return nil, err
		}
		begins, ends := projection.BranchWords(b.Entries(), tip.Parts, f.options(Show{}, 0))
		list = append(list, Branch{tip.Leaf, tip.Parts, tip.Active, begins, ends})
	}
	return list, nil
}

// Outcome implements [Source]: the follower of a file misses nothing.
func (f *File) Outcome(context.Context, string, string) (e Event, over bool) { return e, false }

// Health implements [Source].
func (f *File) Health(_ context.Context, _, to, api string) (h hygeia.Health, err error) {
	t, err := hygeia.Open(f.o.Path, hygeia.OpenOptions{Format: hygeia.FormatSession})
	if session.IsMissing(err) {
		return h, nil
	}
	if err != nil {
		return h, err
	}
	h, err = t.Health(f.o.Replay)
	if err != nil || to == "" {
		return h, err
	}
	target, err := hygeia.ParseTarget(to)
	if err != nil {
		return h, err
	}
	target.API = api
	h.Changes, err = t.Planned(target, f.o.Replay)
	return h, err
}

// Export implements [Source].
func (f *File) Export(context.Context, string) ([]byte, error) {
	list, err := f.history(Show{}, 0)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = export.Markdown(&b, export.Document{Title: filepath.Base(f.o.Path), Messages: list})
	return b.Bytes(), err
}
