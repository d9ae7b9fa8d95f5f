package tui

import (
	"context"
	"io/fs"
	"os"
	"time"

	"hygeia/projection"
	"hygeia/session"
	"hygeia/transcript"
)

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
	view   fileView
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
	events, err := w.news()
	if err != nil {
		if err.Error() != w.failed {
			w.failed = err.Error()
			w.tell(Event{Kind: Note, Text: "the file cannot be shown: " + w.failed})
		}
		return
	}
	w.loaded, w.failed = true, ""
	for _, e := range events {
		w.tell(e)
	}
}

// news returns what changed in what is shown.
func (w *watched) news() ([]Event, error) {
	s, err := w.f.load()
	if missing(err) {
		w.view = fileView{}
		return []Event{{Kind: Loaded}}, nil
	}
	if err != nil {
		return nil, err
	}
	branch, err := s.Branch(w.show.Leaf)
	if err != nil {
		return nil, err
	}
	events, ok := w.view.follow(branch.Entries(), w.f.options(w.show, projection.DefaultMaxText))
	if !ok {
		events = []Event{{Kind: Loaded, Page: pageOf(w.view.shown, len(w.view.shown), w.show.Limit)}}
	}
	return events, nil
}

// load opens the session as it is stored: people are shown what stands there, not
// what a repair would make of it. What was read before and only grew is not read
// again.
func (f *File) load() (*session.Session, error) {
	s, report, err := session.Open(f.o.Path, session.OpenOptions{Cache: &f.cache})
	if err == nil && report != nil && report.Changes > 0 {
		s, _, err = session.Open(f.o.Path, session.OpenOptions{AsIs: true})
	}
	return s, err
}

// fileView is what is shown of a branch. It grows with the branch.
type fileView struct {
	records int    // taken from the branch
	last    string // id of the last of them
	seq     int    // of the last visible one
	p       *projection.Projector
	shown   []*transcript.Message
}

// follow brings the view to what the branch holds now, and returns what changed;
// not ok is that all of it may have.
func (v *fileView) follow(entries []*transcript.Entry, o projection.Options) (events []Event, ok bool) {
	ok = v.p != nil && len(entries) >= v.records && (v.records == 0 || entries[v.records-1].ID == v.last)
	if !ok {
		*v = fileView{p: projection.NewProjector(o)}
	}
	for _, e := range entries[v.records:] {
		v.last = e.ID
		m := projection.Record(e, v.seq+1)
		if m == nil {
			continue
		}
		v.seq++
		for _, change := range v.p.Push(m) {
			kind := Added
			if change.At < len(v.shown) {
				kind = Replaced
				ok = ok && projection.MetaOf(v.shown[change.At]).ID == projection.MetaOf(change.Message).ID
			}
			v.shown = change.Apply(v.shown)
			events = append(events, Event{Kind: kind, Message: change.Message})
		}
	}
	v.records = len(entries)
	return events, ok
}

func (f *File) poke() {
	select {
	case f.wake <- struct{}{}:
	default:
	}
}
