package session

import (
	"fmt"
	"slices"
	"strings"

	"hygeia/internal/texts"
	"hygeia/transcript"
)

// GuardOptions says what a guard does. The zero value lets every legal tool call
// through, adds no stand-ins, redacts, and bounds results as Limits says.
type GuardOptions struct {
	// Synthesize writes a stand-in for each result that does not come, as the
	// policy of the route allows.
	Synthesize bool
	// Tools are the names of the tools of the run, in any case; none means any
	// legal name.
	Tools []string
	// Limits bounds what is stored of a tool result (F-47).
	Limits Limits
	// Redactor takes secrets out (F-48); nil means the built-in one, one that is
	// empty takes out nothing.
	Redactor *Redactor
	// Before sees each message first and returns what is to be written in its
	// place, nil for nothing (F-49). It cannot change whether the sender is the
	// owner, nor where a user turn comes from (S-02).
	Before func(*transcript.Message) *transcript.Message
}

// Guard stands in front of a writer and lets through the messages of a run so
// that every tool call of a whole turn has its result behind it before the
// conversation goes on (F-46). It is not safe for concurrent use.
type Guard struct {
	w     *Writer
	o     GuardOptions
	tools map[string]bool
	open  []openResult
	notes []Problem
}

// openResult is a tool call whose result has not come yet.
type openResult struct{ id, name, api string }

// NewGuard returns a guard in front of w.
func NewGuard(w *Writer, o GuardOptions) *Guard {
	g := &Guard{w: w, o: o}
	if o.Redactor == nil {
		g.o.Redactor = builtInRedactor()
	}
	if len(o.Tools) > 0 {
		g.tools = map[string]bool{}
		for _, name := range o.Tools {
			g.tools[strings.ToLower(name)] = true
		}
	}
	return g
}

// Report returns what was written otherwise than it came, in order.
func (g *Guard) Report() []Problem { return g.notes }

// Append writes a message and returns the id of its entry, "" if it was not
// written: one that Before does not want, unless it is a user turn, and an
// assistant turn of which nothing is left. Errors are those of [Writer.Append].
func (g *Guard) Append(m *transcript.Message) (id string, err error) {
	m, notes := g.hook(m)
	if m == nil {
		g.note("", notes)
		return "", nil
	}
	for _, step := range []func(*transcript.Message) (*transcript.Message, []Problem){
		g.calls, g.name, g.o.Redactor.Message, g.o.Limits.Result,
	} {
		var more []Problem
		m, more = step(m)
		notes = append(notes, more...)
		if m == nil {
			g.note("", notes)
			return "", nil
		}
	}
	if !m.Is(transcript.ToolResult) && !isArtefact(m) && !(m.Is(transcript.Assistant) && m.HasToolCall()) {
		if err := g.Settle(); err != nil {
			return "", err
		}
	}
	if id, err = g.w.Append(transcript.NewMessageEntry(m)); err != nil {
		return "", err
	}
	g.note(id, notes)
	g.follow(m)
	return id, nil
}

func (g *Guard) note(entry string, notes []Problem) {
	for _, n := range notes {
		n.Entry = entry
		g.notes = append(g.notes, n)
	}
}

// follow notes which results are to come.
func (g *Guard) follow(m *transcript.Message) {
	switch {
	case m.Is(transcript.ToolResult):
		if i := g.call(m.ToolCallID()); i >= 0 {
			g.open = slices.Delete(g.open, i, i+1)
		}
	case m.Is(transcript.Assistant) && !m.Failed():
		for _, b := range m.Blocks() {
			if b.IsToolCall() && b.ID() != "" {
				g.open = append(g.open, openResult{b.ID(), b.Name(), m.API()})
			}
		}
	}
}

// call returns which open call has that id, -1 for none.
func (g *Guard) call(id string) int {
	return slices.IndexFunc(g.open, func(c openResult) bool { return c.id == id })
}

// Settle ends the wait for results, as a user turn does: where that is allowed it
// writes a stand-in for each. It is for the end of a run. The errors are those of
// [Writer.Append].
func (g *Guard) Settle() error {
	for len(g.open) > 0 && g.o.Synthesize {
		c := g.open[0]
		id, err := g.w.Append(transcript.NewMessageEntry(placeholder(c.id, c.name, standInText(c.api))))
		if err != nil {
			return err
		}
		g.open = g.open[1:]
		g.note(id, []Problem{{Rule: "F-46", Reason: fmt.Sprintf("call %q has no result; a stand-in was written", clip(c.id))}})
	}
	g.open = nil
	return nil
}

// standInText is what a stand-in says on an API.
func standInText(api string) string {
	if isResponses(api) {
		return texts.AbortedResult
	}
	return texts.MissingResult
}
