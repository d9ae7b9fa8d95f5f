package tui

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"
)

// taken is a prompt that the source has.
type taken struct{ run string }

// refused is a prompt that was not taken.
type refused struct {
	Prompt
	err error
}

// say sends a prompt.
func (a *app) say(text string) tea.Cmd {
	p := Prompt{Text: text, Run: rand.Text(), Model: a.o.Model, Leaf: a.leaf}
	for _, f := range a.files {
		p.Files = append(p.Files, f.data)
	}
	if text == a.again.Text && a.again.Run != "" {
		p.Run = a.again.Run // it may have been taken all the same
	}
	a.pending, a.files, a.leaf, a.offset, a.fallback = append(a.pending, p), nil, "", 0, ""
	if a.run == "" {
		a.run, a.known, a.live, a.covered = p.Run, false, Event{}, ""
	}
	key := a.session.Key
	send := func() tea.Msg {
		if err := a.o.Source.Send(a.ctx, key, p); err != nil {
			return refused{p, err}
		}
		return taken{p.Run}
	}
	if a.show.Leaf == "" {
		return send
	}
	a.show.Leaf = "" // the branch is the active one from now on
	return tea.Batch(send, a.reshow())
}

// stop ends the answer under way.
func (a *app) stop() tea.Cmd {
	key, run := a.session.Key, a.run
	a.note("stopping the answer")
	return a.do(func(ctx context.Context) (tea.Msg, error) { return nil, a.o.Source.Stop(ctx, key, run) })
}

// takeBack gives a prompt that was not taken back to the user.
func (a *app) takeBack(r refused) {
	if i := a.waits(r.Run); i >= 0 {
		a.pending = slices.Delete(a.pending, i, i+1)
	}
	if a.run == r.Run {
		a.run = ""
	}
	if a.again = r.Prompt; a.input.Value() == "" {
		a.input.SetValue(r.Text)
		a.leaf = r.Leaf
		for i, data := range r.Files {
			a.files = append(a.files, attachment{fmt.Sprintf("picture %d", i+1), data})
		}
	}
	a.note("not sent: " + r.err.Error())
}
