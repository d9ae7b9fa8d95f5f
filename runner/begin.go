package runner

import (
	"strings"

	"hygeia/internal/jsonline"
	"hygeia/runner/model"
	"hygeia/transcript"
)

// begin brings the prompt into the session. It is done where the session has the
// answer already.
func (s *run) begin() (done bool, err error) {
	if i := s.taken(s.prompt.Key); i >= 0 {
		s.active = s.context.Messages[i].Origin.Entry
		return s.answered(i), nil
	}
	if s.prompt.event() {
		s.snapshot()
		s.active, err = s.w.Append(eventEntry(&s.prompt))
		return false, err
	}
	m, notes := s.prompt.stored()
	s.result.Notes = append(s.result.Notes, notes...)
	if m, err = s.join(m); err != nil || m == nil {
		return false, err
	}
	s.snapshot()
	if s.active, err = s.addTurn(m); err != nil {
		return false, err
	}
	// The branch may hold the key behind a compaction: then it was answered.
	s.result.Repeated = s.last() < 0 || s.context.Messages[s.last()].Origin.Entry != s.active
	return s.result.Repeated, nil
}

// addTurn stores a user turn.
func (s *run) addTurn(m *transcript.Message) (id string, err error) {
	m, notes := s.sealed(m)
	s.result.Notes = append(s.result.Notes, notes...)
	return s.guard.Append(m)
}

// taken returns the index of the turn with that key, -1 for none.
func (s *run) taken(key string) int {
	if key == "" {
		return -1
	}
	for i := s.last(); i >= 0; i-- {
		if keyOf(s.context.Messages[i]) == key {
			return i
		}
	}
	return -1
}

// answered reports whether the turn at index i has its answer, and takes that for
// the result. What other sessions sent before the model had said anything, or behind
// the results of its calls, is answered together with it (S-33).
func (s *run) answered(i int) bool {
	over, spoke := false, false
	for _, m := range s.context.Messages[i+1:] {
		switch {
		case m.SpeaksAsUser():
			over = !sent(m) || spoke && s.result.StopReason != model.ToolUse
		case m.Is(transcript.Assistant):
			spoke = true
			if !m.Failed() {
				s.result.Text, s.result.StopReason, s.result.Entry = textOf(m), string(m.StopReason()), m.Origin.Entry
			}
		}
		if over {
			break
		}
	}
	s.result.Repeated = over || s.result.Entry != "" && s.result.StopReason != model.ToolUse
	return s.result.Repeated
}

// sent reports whether a turn came from another session.
func sent(m *transcript.Message) bool {
	o := originOf(m)
	return o != nil && o.Kind == transcript.InterSession && o.Tool == sendTool
}

// join deals with a user turn at the end of the branch that was never answered
// the new one takes it in and stands in its place. It returns nil where the
// two are the same. Turns of different origin are not joined, nor is one that has
// to be found by its key.
func (s *run) join(m *transcript.Message) (*transcript.Message, error) {
	i := s.last()
	if i < 0 {
		return m, nil
	}
	old := s.context.Messages[i]
	_, routed := old.Provenance()
	if !old.Is(transcript.User) || routed || s.prompt.Origin != nil || keyOf(old) != "" {
		return m, nil
	}
	if textOf(old) == textOf(m) && len(old.Blocks()) == len(m.Blocks()) && keyOf(m) == "" {
		s.active = old.Origin.Entry
		return nil, nil
	}
	parent := ""
	if p := old.Origin.Position; p > 0 {
		b, err := s.w.Session().Branch(old.Origin.Entry)
		if err != nil {
			return nil, err
		}
		parent = b.Entries()[p-1].ID
	}
	if err := s.w.Select(parent); err != nil {
		return nil, err
	}
	s.cut(i)
	s.result.Notes = append(s.result.Notes, "X-08: the turn before was never answered; it is part of this one now")
	return joined(old, m), nil
}

// joined returns m with the content of old in front.
func joined(old, m *transcript.Message) *transcript.Message {
	if old.ContentKind() != transcript.ListContent && m.ContentKind() != transcript.ListContent {
		return m.WithText(paragraphs(textOf(old), textOf(m)))
	}
	blocks := []*transcript.Block{transcript.NewTextBlock(paragraphs(textOf(old), textOf(m)))}
	for _, from := range []*transcript.Message{old, m} {
		for _, b := range from.Blocks() {
			if !b.IsText() {
				blocks = append(blocks, b)
			}
		}
	}
	return m.WithBlocks(blocks)
}

// textOf returns the texts of a message.
func textOf(m *transcript.Message) string {
	if m.ContentKind() != transcript.ListContent {
		return m.Text().String()
	}
	var parts []string
	for _, b := range m.Blocks() {
		if b.IsText() {
			parts = append(parts, b.Text())
		}
	}
	return strings.Join(parts, "\n\n")
}

// snapshot notes the route in the session where it is another one than before
// . That it is noted is of use to older readers; errors are ignored.
func (s *run) snapshot() {
	t := s.Target()
	now := transcript.Route{Provider: t.Provider, API: t.API, Model: t.Model}
	if n := len(s.context.Snapshots); n > 0 && s.context.Snapshots[n-1].Route == now {
		return
	}
	position := s.entries
	data := jsonline.Object{}.
		With("timestamp", jsonline.Int(s.o.Now().UnixMilli())).
		With("provider", jsonline.Text(t.Provider)).With("modelApi", jsonline.Text(t.API)).With("modelId", jsonline.Text(t.Model))
	e := transcript.NewEntry(transcript.EntryCustom).
		With("customType", jsonline.Text("model-snapshot")).With("data", data.Value())
	if _, err := s.w.Append(e); err == nil {
		c := s.context
		c.Snapshots = append(c.Snapshots[:len(c.Snapshots):len(c.Snapshots)], transcript.Snapshot{Position: position, Route: now})
	}
}
