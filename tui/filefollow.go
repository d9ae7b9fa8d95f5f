package tui

import (
	"context"
	"io/fs"
	"os"
	"time"

	"hygeia/projection"
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
