package acp

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"hygeia/internal/texts"
	"hygeia/internal/wrappers"
	"hygeia/projection"
	"hygeia/runner"
	"hygeia/runner/model"
	"hygeia/transcript"
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

// live is what is shown of a text that may grow.
func (t *teller) live(text string) string {
	if t.kind == messageChunk {
		text = projection.RemoveScaffolding(projection.LiveText(text))
	}
	return t.redact(text)
}

// whole is what is shown of a text that grows no more: the same as of a stored turn.
func (t *teller) whole(text string) string {
	if t.kind != messageChunk {
		return t.redact(text)
	}
	var b strings.Builder
	turn := transcript.NewText(transcript.Assistant, text)
	for _, m := range projection.Project([]*transcript.Message{turn}, projection.Options{Redact: t.redact}) {
		b.WriteString(m.Text().String())
	}
	return b.String()
}

// grow tells how a text goes on (H-B10). What got shorter may grow again; what begins
// otherwise than it did is told again.
func (t *teller) grow(text string) {
	switch rest, grown := strings.CutPrefix(text, t.told); {
	case grown && rest != "":
		t.chunk(t.kind, rest, t.told == "", nil)
		t.told = text
	case !grown && !strings.HasPrefix(t.told, text):
		t.correct(text)
	}
}

// correct tells a text from the line on in which it is another one than was told.
func (t *teller) correct(text string) {
	same := 0
	for same < len(text) && same < len(t.told) && text[same] == t.told[same] {
		same++
	}
	from := strings.LastIndexByte(text[:same], '\n') + 1
	t.last = t.kind // the line before is not over
	t.chunk(t.kind, text[from:], true, nil)
	t.told = text
}

// chunk tells a piece of text. A text that begins directly behind another one of its
// kind begins a paragraph.
func (t *teller) chunk(kind, text string, begins bool, m *meta) {
	if begins && t.last == kind {
		text = "\n\n" + text
	}
	t.tell(update{Kind: kind, Content: textBlock(text), Meta: m})
}

// say tells a text that is whole.
func (t *teller) say(kind, text string, m *meta) {
	t.end()
	if text != "" {
		t.chunk(kind, text, true, m)
	}
}

// longestHeld is how much of a growing text may be held back, in bytes.
const longestHeld = 512

// settled returns a growing text without what may yet become something that is not
// shown: the word at its end (half a key is no secret yet), a directive, and runtime
// blocks and reasoning in tags that are not closed.
func settled(text string) string {
	end := len(text)
	for end > 0 && len(text)-end < longestHeld && text[end-1] > ' ' && text[end-1] < 0x7f {
		end--
	}
	text = text[:end]
	if at := strings.LastIndex(text, "[["); at >= 0 && len(text)-at < longestHeld && !strings.Contains(text[at:], "]]") {
		text = text[:at]
	}
	if at := strings.Index(text, texts.InternalBegin); at >= 0 && wrappers.ShowAssistant(text).Unterminated {
		text = text[:at]
	}
	if at := projection.OpenReasoning(text); at >= 0 {
		text = text[:at]
	}
	return text
}

// call tells that a tool is called, and returns the id under which the client knows
// the call: that of the model, which may be none, or one that stood there before.
func (t *teller) call(id, name string, m *meta) string {
	known := id
	for _, taken := t.over[known]; known == "" || taken; _, taken = t.over[known] {
		t.times[id]++
		known = fmt.Sprintf("%s#%d", id, t.times[id])
	}
	t.over[known] = false
	t.started[id] = append(t.started[id], known)
	t.order = append(t.order, known)
	t.tell(update{Kind: toolCall, CallID: known, Title: oneLine(name), ToolKind: kindOf(name), Status: pending, Meta: m})
	return known
}

func kindOf(name string) string {
	if kind := toolKinds[name]; kind != "" {
		return kind
	}
	return "other"
}

// input returns arguments as they are told: JSON as it is, anything else as a text.
func (t *teller) input(arguments []byte) jsontext.Value {
	v := jsontext.Value(t.redact(string(arguments)))
	if len(arguments) == 0 {
		return nil
	}
	if !v.IsValid() {
		text, err := jsontext.AppendQuote(nil, string(v))
		if err != nil {
			return nil // no UTF-8, which arguments that were read from JSON always are
		}
		v = text
	}
	return v
}

// result tells that a call is over. One of a call that was not told is told with it.
func (t *teller) result(id, name, text string, bad bool) {
	if len(t.started[id]) == 0 {
		t.call(id, name, nil)
	}
	known := t.started[id][0]
	t.started[id] = t.started[id][1:]
	t.over[known] = true
	u := update{Kind: toolUpdate, CallID: known, Status: completed}
	if bad {
		u.Status = failed
	}
	if text != "" {
		u.Content = []toolContent{shownContent(textBlock(t.redact(text)))}
	}
	t.tell(u)
}

// finish ends what is open: calls that have no result were not carried out.
func (t *teller) finish() {
	t.end()
	for _, known := range t.order {
		if !t.over[known] {
			t.tell(update{Kind: toolUpdate, CallID: known, Status: failed})
		}
	}
}
