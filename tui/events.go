package tui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"hygeia/projection"
	"hygeia/transcript"
)

// patrolled is the time to ask after an answer whose end may have been missed.
type patrolled struct{}

func patrol() tea.Cmd {
	return tea.Tick(2*time.Second, func(time.Time) tea.Msg { return patrolled{} })
}

// ask looks whether the answer under way is over: a short one, or one that ended
// while there was no connection, may have left no event.
func (a *app) ask() tea.Cmd {
	if a.run == "" || !a.known || a.lost {
		return nil
	}
	round, key, run := a.round, a.session.Key, a.run
	return func() tea.Msg {
		if e, over := a.o.Source.Outcome(a.ctx, key, run); over {
			return followed{round, key, e}
		}
		return nil
	}
}

// hear takes an event of the session.
func (a *app) hear(f followed) {
	if f.key != a.session.Key {
		return
	}
	if f.round != a.round && f.Kind != Ended && f.Kind != Note {
		return // messages that are shown otherwise now
	}
	switch e := f.Event; e.Kind {
	case Loaded:
		// What was paged in before stays in front of the new page.
		a.messages, a.older = joined(a.messages, a.older, e.Page)
		a.lines, a.lost = map[*transcript.Message][]string{}, false
		a.arrived()
	case Added:
		a.messages = append(a.messages, e.Message)
		a.arrived()
	case Replaced:
		id := projection.MetaOf(e.Message).ID
		for i := len(a.messages) - 1; i >= 0; i-- {
			if projection.MetaOf(a.messages[i]).ID == id {
				a.messages[i] = e.Message
				break
			}
		}
	case Grew:
		a.run, a.known, a.live = e.Run, true, e
	case Ended:
		a.ended(e)
	case Note:
		a.note(e.Text)
	case Lost:
		if !a.lost {
			a.note("the connection is gone; trying again")
		}
		a.lost = true
	}
}

// joined returns a new page behind what was paged in before it, if the two touch.
func joined(had []*transcript.Message, older string, p Page) ([]*transcript.Message, string) {
	if len(p.Messages) == 0 || p.Older == "" {
		return p.Messages, p.Older
	}
	first := projection.MetaOf(p.Messages[0]).ID
	for i, m := range had {
		if first != "" && projection.MetaOf(m).ID == first {
			return append(append([]*transcript.Message{}, had[:i]...), p.Messages...), older
		}
	}
	return p.Messages, p.Older
}

// arrived drops what stands twice: prompts that are stored now, and the part of the
// answer that is.
func (a *app) arrived() {
	stored := map[string]bool{}
	for _, m := range a.messages[max(0, len(a.messages)-projection.Window):] {
		if key := projection.MetaOf(m).IdempotencyKey; key != "" {
			stored[key] = true
		}
	}
	a.fallback = ""
	left := a.pending[:0]
	for _, p := range a.pending {
		if !stored[p.Run+":user"] {
			left = append(left, p)
		}
	}
	a.pending = left
	for i := len(a.messages) - 1; i >= 0 && !a.messages[i].Is(transcript.User); i-- {
		if a.messages[i].Is(transcript.Assistant) {
			a.covered = words(a.messages[i])
			break
		}
	}
}

// ended takes the end of an answer. What was neither stored nor is an error is
// said all the same (H-61: final, streamed, error, no output).
func (a *app) ended(e Event) {
	if e.Run != a.run {
		return
	}
	answered := false
	for i := len(a.messages) - 1; i >= 0 && !a.messages[i].Is(transcript.User); i-- {
		answered = answered || a.messages[i].Is(transcript.Assistant)
	}
	switch {
	case answered && e.Err == nil:
	case answered:
		a.note("the answer failed: " + e.Err.Error())
	case e.Text != "":
		a.fallback = e.Text
	case a.live.Text != "":
		a.fallback = a.live.Text
	case e.Err != nil:
		a.fallback = "the answer failed: " + e.Err.Error()
	default:
		a.fallback = "(no output)"
	}
	a.run, a.live, a.covered = "", Event{}, ""
	if i := a.waits(e.Run); i >= 0 { // it never came to be stored
		if a.input.Value() == "" {
			a.input.SetValue(a.pending[i].Text)
		}
		a.pending = slices.Delete(a.pending, i, i+1)
	}
	if len(a.pending) > 0 { // what waited in the gateway is answered next
		a.run, a.known = a.pending[0].Run, a.pending[0].taken
	}
}

// waits returns the index of a prompt that is not stored yet, -1 for none.
func (a *app) waits(run string) int {
	return slices.IndexFunc(a.pending, func(p Prompt) bool { return p.Run == run })
}
