package hygeia

import (
	"slices"

	"hygeia/transcript"
)

// window is what the steps make of the end of a list alone.
type window struct {
	outcome
	lead int // where the first turn of the body begins that is no system message
	end  int // and where the last one ends
}

// window runs the steps on the end of a list. It is nil where the result may not be
// what becomes of these messages in the whole list, or what became of those in front
// may be different because of them.
func (s *steps) window(list []*transcript.Message, before *facts) *window {
	all, ok := before.with(list)
	if !ok || before.summary && s.context.Compaction < 0 || s.input.Policy.Wire.StoreItems || !all.within(&s.input.Policy.Wire) || !fits(list) {
		return nil
	}
	out, err := s.run(list)
	if err != nil || before.knows(out.clean) || !stands(out.clean, list[0]) {
		return nil
	}
	w := &window{outcome: *out}
	results := slices.ContainsFunc(w.clean, func(m *transcript.Message) bool { return m.Is(transcript.ToolResult) })
	if before.results && !results && s.input.Policy.Wire.CacheMarkers { // the newest one is marked
		return nil
	}
	if slices.ContainsFunc(w.changes, isFar) {
		return nil
	}
	if s.build == nil {
		return w
	}
	turns := spansOf(w.body)
	first := slices.IndexFunc(turns.list, func(t span) bool { return !t.system })
	if first < 0 {
		return nil
	}
	w.lead, w.end = turns.list[first].start, turns.end
	return w
}

// stands reports whether the turn that opens a window is left as it was, and an answer
// in the window has something behind it: so the latest turns are those of the window.
func stands(clean []*transcript.Message, opening *transcript.Message) bool {
	if len(clean) == 0 || clean[0] != opening {
		return false
	}
	i := slices.IndexFunc(clean, func(m *transcript.Message) bool { return m.Is(transcript.Assistant) })
	return i >= 0 && slices.ContainsFunc(clean[i:], func(m *transcript.Message) bool { return !m.Is(transcript.Assistant) })
}

// fits reports whether a list may be a window: turns, results and runtime context only,
// and no result that could be that of a call in front.
func fits(list []*transcript.Message) bool {
	called := false
	for i, m := range list {
		switch {
		case i == 0 && !opensRound(m):
			return false
		case m.Is(transcript.Assistant):
			called = called || m.HasToolCall()
		case m.Is(transcript.ToolResult) && called && m.ToolCallID() != "":
		case m.Is(transcript.User), m.Is(transcript.Custom) && !m.SpeaksAsUser():
		default:
			return false
		}
	}
	return true
}

// lastWindow returns where the last window of a list begins that may fit, behind the
// messages in front of from: two user turns that each follow an answer are in it, and
// the newest result if there is one. It is -1 where there is none.
func lastWindow(list []*transcript.Message, from int) int {
	last, opened, results := -1, 0, false
	for i := len(list) - 1; i > from; i-- {
		results = results || list[i].Is(transcript.ToolResult)
		if !opensRound(list[i]) || !endsRound(list[i-1]) {
			continue
		}
		if opened++; opened < 2 {
			continue
		}
		if last < 0 {
			last = i
		}
		if results {
			return i
		}
	}
	return last
}

// opensRound reports whether a message is a user turn with words of a user and nothing
// but text and pictures.
func opensRound(m *transcript.Message) bool {
	if !m.Is(transcript.User) || !m.IsObject() || !m.EndsRound() {
		return false
	}
	if m.ContentKind() == transcript.TextContent {
		return !m.Text().Blank()
	}
	return m.ContentKind() == transcript.ListContent && says(m) &&
		!m.Any(func(b *transcript.Block) bool { return !b.Is(transcript.TypeText) && !b.Is(transcript.TypeImage) })
}

// endsRound reports whether a message is an answer with words that ends a round.
func endsRound(m *transcript.Message) bool {
	return m.Is(transcript.Assistant) && !m.HasToolCall() && !m.Failed() && (says(m) || !m.Text().Blank() && m.Text().IsString())
}

func says(m *transcript.Message) bool {
	return m.Any(func(b *transcript.Block) bool { return b.Is(transcript.TypeText) && b.HasWords() })
}
