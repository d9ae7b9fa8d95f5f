package tui

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"hygeia"
	"hygeia/internal/export"
	"hygeia/internal/jsonline"
	"hygeia/projection"
	"hygeia/runner"
	"hygeia/runner/model"
	"hygeia/session"
	"hygeia/transcript"
)

// FileOptions says how a session file is chatted in. Path and Run must be there.
type FileOptions struct {
	Path string // need not be there yet
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
	text   strings.Builder
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
	return []Session{{Key: f.o.Path, Title: filepath.Base(f.o.Path)}}, nil
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
	t, err := f.open(show.Leaf)
	if missing(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return t.History(projection.Options{MaxText: maxText, Thinking: show.Thinking, Tools: show.Tools, Redact: f.redact})
}

// open reads the file as it is stored: people are shown what stands there, not what
// a repair would make of it.
func (f *File) open(leaf string) (*hygeia.Transcript, error) {
	return hygeia.Open(f.o.Path, hygeia.OpenOptions{Format: hygeia.FormatSession, Leaf: leaf, Session: session.OpenOptions{AsIs: true}})
}

func missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, session.ErrEmpty)
}

// pageOf returns the newest messages before a place.
func pageOf(list []*transcript.Message, end, limit int) Page {
	from := max(0, end-limit)
	p := Page{Messages: list[from:end]}
	if from > 0 {
		p.Older = strconv.Itoa(projection.MetaOf(list[from]).Seq)
	}
	return p
}

// Before implements [Source].
func (f *File) Before(_ context.Context, _, cursor string, show Show) (Page, error) {
	seq, err := strconv.Atoi(cursor)
	if err != nil {
		return Page{}, fmt.Errorf("cursor %q: %w", cursor, err)
	}
	list, err := f.history(show, projection.DefaultMaxText)
	if err != nil {
		return Page{}, err
	}
	end := 0
	for end < len(list) && projection.MetaOf(list[end]).Seq < seq {
		end++
	}
	return pageOf(list, end, show.Limit), nil
}

// Follow implements [Source].
func (f *File) Follow(ctx context.Context, _ string, show Show, tell func(Event)) {
	tick := time.NewTicker(f.o.Poll)
	defer tick.Stop()
	w := watched{f: f, show: show, tell: tell}
	for {
		w.look()
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-f.wake:
		}
	}
}

// watched is what the follower of a file has seen.
type watched struct {
	f      *File
	show   Show
	tell   func(Event)
	loaded bool
	info   fs.FileInfo
	failed string
	text   string
}

// look tells what changed since the last time: the messages before the end of a
// run, so that an answer never goes before it is there.
func (w *watched) look() {
	f := w.f
	f.mu.Lock()
	notes, ended := f.notes, f.ended
	f.notes, f.ended = nil, nil
	run, text := "", ""
	if f.run != nil {
		run, text = f.run.id, projection.LiveText(f.run.text.String())
	}
	f.mu.Unlock()
	for _, note := range notes {
		w.tell(Event{Kind: Note, Text: note})
	}
	w.messages()
	if run != "" && text != w.text {
		w.tell(Event{Kind: Grew, Run: run, Text: text})
	}
	w.text = text
	for _, e := range ended {
		w.tell(e)
	}
}

func (w *watched) messages() {
	info, err := os.Stat(w.f.o.Path)
	if err == nil && w.info != nil && info.Size() == w.info.Size() && info.ModTime().Equal(w.info.ModTime()) && os.SameFile(info, w.info) || err != nil && w.loaded && w.info == nil {
		return
	}
	w.info = info
	list, err := w.f.history(w.show, projection.DefaultMaxText)
	if err != nil {
		if err.Error() != w.failed {
			w.failed = err.Error()
			w.tell(Event{Kind: Note, Text: "the file cannot be shown: " + w.failed})
		}
		return
	}
	w.loaded, w.failed = true, ""
	w.tell(Event{Kind: Loaded, Page: pageOf(list, len(list), w.show.Limit)})
}

func (f *File) poke() {
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

// Send implements [Source]. One answer is under way at a time.
func (f *File) Send(_ context.Context, _ string, p Prompt) error {
	prompt := runner.Prompt{Body: p.Text, Key: p.Run + ":user"}
	for i, file := range p.Files {
		picture, err := hygeia.Picture(file)
		if err != nil {
			return fmt.Errorf("picture %d: %w", i+1, err)
		}
		prompt.Pictures = append(prompt.Pictures, picture)
	}
	r, err := f.o.Run(p.Model)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.run != nil {
		cancel()
		return ErrBusy
	}
	run := &fileRun{id: p.Run, cancel: cancel}
	f.run = run
	f.work.Go(func() {
		defer cancel()
		if err := f.branch(ctx, p.Leaf); err != nil {
			f.end(run, &runner.Result{}, err)
			return
		}
		result, err := r.Run(ctx, f.o.Path, prompt, func(e runner.Event) { f.hear(run, e) })
		if ctx.Err() != nil {
			err = nil // it was stopped, which is no failure
		}
		f.end(run, result, err)
	})
	return nil
}

// branch makes the session go on from another entry (H-B18).
func (f *File) branch(ctx context.Context, leaf string) error {
	if leaf == "" {
		return nil
	}
	w, err := session.OpenWriter(ctx, f.o.Path, session.WriteOptions{})
	if err != nil {
		return err
	}
	defer w.Close()
	if w.Leaf() == leaf {
		return nil
	}
	if err := w.Select(leaf); err != nil {
		return err
	}
	_, err = w.Append(transcript.NewEntry(transcript.EntryLeaf).With("targetId", jsonline.Text(leaf)))
	return err
}

func (f *File) hear(run *fileRun, e runner.Event) {
	f.mu.Lock()
	switch {
	case e.Kind == runner.Called:
		run.text.Reset()
	case e.Kind == runner.Said && e.Model.Kind == model.Text:
		run.text.WriteString(e.Model.Text)
	case e.Kind == runner.Said && e.Model.Kind == model.Retrying:
		f.notes = append(f.notes, "the provider is overloaded; trying again in "+e.Model.Wait.String())
	case e.Kind == runner.Resent:
		f.notes = append(f.notes, "refused by the provider, sent again: "+e.Text)
	case e.Kind == runner.Compacted:
		f.notes = append(f.notes, "compacted: "+e.Text)
	case e.Kind == runner.Repaired:
		f.notes = append(f.notes, "the file was repaired: "+e.Text)
	}
	f.mu.Unlock()
	f.poke()
}

func (f *File) end(run *fileRun, result *runner.Result, err error) {
	f.mu.Lock()
	f.run = nil
	if r := result.Repair; r != nil {
		for _, path := range []string{r.BackupPath, r.QuarantinePath} {
			if path != "" {
				f.notes = append(f.notes, "kept: "+path)
			}
		}
	}
	f.notes = append(f.notes, result.Notes...)
	f.ended = append(f.ended, Event{Kind: Ended, Run: run.id, Text: result.Text, Err: err})
	f.mu.Unlock()
	f.poke()
}

// Stop implements [Source].
func (f *File) Stop(_ context.Context, _, run string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.run != nil && f.run.id == run {
		f.run.cancel()
	}
	return nil
}

// Branches implements [Source].
func (f *File) Branches(context.Context, string) ([]Branch, error) {
	t, err := f.open("")
	if missing(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var list []Branch
	for _, tip := range t.Session.Branches() {
		list = append(list, Branch{tip.Leaf, tip.Parts, tip.Active})
	}
	return list, nil
}

// Outcome implements [Source]: the follower of a file misses nothing.
func (f *File) Outcome(context.Context, string, string) (e Event, over bool) { return e, false }

// nextPrompt stands for the prompt that would come next: whether a session can go
// on is what people want to know of it.
const nextPrompt = "Go on."

// Health implements [Source].
func (f *File) Health(_ context.Context, _, to string) (h Health, err error) {
	t, err := hygeia.Open(f.o.Path, hygeia.OpenOptions{Format: hygeia.FormatSession})
	if missing(err) {
		return h, nil
	}
	if err != nil {
		return h, err
	}
	if info, err := os.Stat(f.o.Path); err == nil {
		h.Bytes = info.Size()
	}
	h.Branches = len(t.Session.Branches())
	for _, p := range t.Problems() {
		h.Problems = append(h.Problems, p.String())
	}
	o := f.o.Replay
	o.Prompt = nextPrompt
	if to != "" {
		target, err := hygeia.ParseTarget(to)
		if err != nil {
			return h, err
		}
		r, err := t.Replay(target, o)
		if err != nil {
			return h, err
		}
		for _, c := range r.Report.Changes {
			h.Changes = append(h.Changes, Change{Rule: c.Rule, Op: string(c.Op), Entry: c.Entry, Reason: c.Reason, Message: c.Message, Lossy: c.Lossy, Synthetic: c.Synthetic})
		}
	}
	verdicts, err := t.Matrix(o)
	for _, v := range verdicts {
		h.Targets = append(h.Targets, Verdict{v.Target.Provider + "/" + v.Target.Model, v.Rules, v.Changes, v.Empty})
	}
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
