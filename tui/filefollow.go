package tui

import (
	"context"
	"io/fs"
	"os"
	"slices"
	"time"

	"hygeia/projection"
	"hygeia/session"
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
	view   *projection.View
	info   fs.FileInfo
	failed string
	grew   Event // what was told of the answer
}

// look tells what changed since the last time: the messages before the end of a
// run, so that an answer never goes before it is there.
func (w *watched) look() {
	f := w.f
	f.mu.Lock()
	notes, ended := f.notes, f.ended
	f.notes, f.ended = nil, nil
	grew := f.growing(w.show)
	f.mu.Unlock()
	for _, note := range notes {
		w.tell(Event{Kind: Note, Text: note})
	}
	w.messages()
	if grew.Run != "" && (grew.Text != w.grew.Text || grew.Thinking != w.grew.Thinking || !slices.Equal(grew.Calls, w.grew.Calls)) {
		w.tell(grew)
	}
	w.grew = grew
	for _, e := range ended {
		w.tell(e)
	}
}

// growing is what is shown of the answer under way, without a run if there is none.
// The caller holds f.mu.
func (f *File) growing(show Show) Event {
	e := Event{Kind: Grew}
	if f.run == nil {
		return e
	}
	turn := &f.run.turn
	e.Run, e.Text, e.Calls = f.run.id, f.redact(projection.RemoveScaffolding(projection.LiveText(turn.Text()))), turn.Calls()
	if show.Thinking {
		e.Thinking = f.redact(projection.WithoutOpenKey(turn.Thinking()))
	}
	for i := range e.Calls {
		if e.Calls[i].Arguments = f.redact(projection.WithoutOpenKey(e.Calls[i].Arguments)); !show.Tools {
			e.Calls[i].Arguments = ""
		}
	}
	return e
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
	if session.IsMissing(err) {
		w.view = nil
		return []Event{{Kind: Loaded}}, nil
	}
	if err != nil {
		return nil, err
	}
	branch, err := s.Branch(w.show.Leaf)
	if err != nil {
		return nil, err
	}
	first := w.view == nil
	if first {
		w.view = projection.NewView(w.f.options(w.show, projection.DefaultMaxText))
	}
	had := len(w.view.Shown())
	changes, grew := w.view.Follow(branch.Entries())
	if list := w.view.Shown(); first || !grew {
		return []Event{{Kind: Loaded, Page: pageOf(list, len(list), w.show.Limit)}}, nil
	}
	var events []Event
	for _, c := range changes {
		kind := Replaced
		if c.At == had {
			kind = Added
			had++
		}
		events = append(events, Event{Kind: kind, Message: c.Message})
	}
	return events, nil
}

// load opens the session as it is stored: people are shown what stands there, not
// what a repair would make of it. What was read before and only grew is not read
// again.
func (f *File) load() (*session.Session, error) {
	s, report, err := session.Open(f.o.Path, session.OpenOptions{Cache: &f.cache})
	if err == nil && report.Changes > 0 {
		s, _, err = session.Open(f.o.Path, session.OpenOptions{AsIs: true})
	}
	return s, err
}

func (f *File) poke() {
	select {
	case f.wake <- struct{}{}:
	default:
	}
}
