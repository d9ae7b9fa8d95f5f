package acp

import (
	"strings"

	"hygeia/runner"
	"hygeia/runner/model"
)

// teller tells a client what is said and done in a session: while it happens, and
// when a session is loaded.
type teller struct {
	send   func(update)
	redact func(string) string

	kind string // of the chunk that grows, "" for none
	at   int    // the block of the answer that it is
	said strings.Builder
	new  int    // bytes of said that were not looked at
	told string // what the client has of it
	last string // kind of the update before

	started map[string][]string // calls without a result, by the id of the model: the ids under which the client knows them
	calls   map[int]string      // the same ids, by block of the answer
	order   []string            // all of them
	over    map[string]bool     // whether a call has its result
	times   map[string]int      // how often an id of the model came
}

func (s *server) teller(id string) *teller {
	return &teller{
		send: func(u update) { s.tell(id, u) }, redact: s.redactor.Text,
		started: map[string][]string{}, calls: map[int]string{}, over: map[string]bool{}, times: map[string]int{},
	}
}

// event tells of an event of a run.
func (t *teller) event(e runner.Event) {
	switch e.Kind {
	case runner.Said:
		t.answer(e.Model)
	case runner.Called:
		t.end()
		t.result(e.Call.ID, e.Call.Name, e.Result.Text, e.Result.Failed)
	default: // between two requests
		t.end()
	}
}

func (t *teller) answer(e model.Event) {
	switch e.Kind {
	case model.Text:
		t.piece(messageChunk, e.Block, e.Text)
	case model.Thinking:
		t.piece(thoughtChunk, e.Block, e.Text)
	case model.ToolStart:
		t.end()
		t.calls[e.Block] = t.call(e.ID, e.Name, nil)
	case model.ToolEnd:
		t.end()
		if t.calls[e.Block] == "" {
			t.calls[e.Block] = t.call(e.ID, e.Name, nil)
		}
		t.tell(update{Kind: toolUpdate, CallID: t.calls[e.Block], Status: inProgress, Input: t.input([]byte(e.Text))})
	case model.Stopped:
		t.end()
		clear(t.calls)
	}
}

func (t *teller) tell(u update) {
	t.last = u.Kind
	t.send(u)
}

// piece takes a piece of an answer. A text is looked at again when it has grown by a
// part of its length, so that all of them together take linear time.
func (t *teller) piece(kind string, at int, text string) {
	if kind != t.kind || at != t.at {
		t.end()
		t.kind, t.at = kind, at
	}
	t.said.WriteString(text)
	const part = 64
	if t.new += len(text); t.new*part >= t.said.Len() {
		t.new = 0
		t.grow(t.live(settled(t.said.String())))
	}
}

// end tells the rest of the chunk that grows.
func (t *teller) end() {
	if t.kind == "" {
		return
	}
	whole := t.whole(t.said.String())
	t.grow(whole)
	if rest, shorter := strings.CutPrefix(t.told, whole); shorter && strings.TrimSpace(rest) != "" && whole != "" {
		t.correct(whole)
	}
	t.kind, t.told, t.new = "", "", 0
	t.said.Reset()
}

// say tells a text that is whole.
func (t *teller) say(kind, text string, m *meta) {
	t.end()
	if kind == messageChunk {
		text = trimmed(text)
	}
	if text != "" {
		t.chunk(kind, text, true, m)
	}
}
