package hygeia

import (
	"bytes"
	"maps"
	"reflect"
	"slices"

	"hygeia/hygiene"
	"hygeia/imaging"
	"hygeia/internal/pages"
	"hygeia/payload"
	"hygeia/transcript"
)

// grown is what a transcript remembers of its last replay, so that the next one, of
// the same messages with more behind them, does not begin at the first (D-50): what
// became of the messages in front of a window. The window begins with a user turn
// that opens a round. The steps run on it alone, and where it fits (see window) the
// result is what they would make of the whole. A grown is never changed.
type grown struct {
	key    key
	before []*transcript.Message // as they were read; none: only the key is known
	facts  facts                 // of them
	made   outcome               // of them; its body is the elements of the list, each with a comma behind
	lead   []byte                // of the body, up to the first element that is no system message
	tail   []byte                // of the body, behind the list
}

// key is all but the messages that a request is made of.
type key struct {
	Input                payload.Input
	MessagesOnly         bool
	Images               imaging.Limits
	Past                 Past
	Compaction, Rejected int
	Snapshots            []transcript.Snapshot
	Tools                []string
}

// grow is run for the whole list, by what is remembered where that goes.
func (s *steps) grow(t *Transcript) (*outcome, error) {
	if t.Request != nil {
		return s.run(s.context.Messages)
	}
	last := t.last.Load()
	if last == nil || !reflect.DeepEqual(last.key, s.key) {
		t.last.Store(&grown{key: s.key, facts: none}) // most transcripts are replayed once
		return s.run(s.context.Messages)
	}
	if out := last.next(s); out != nil {
		if next := last.settle(s, out); next != nil {
			t.last.Store(next)
		}
		return out, nil
	}
	out, err := s.run(s.context.Messages)
	if err != nil {
		return nil, err
	}
	first := &grown{key: s.key, facts: none}
	if next := first.settle(s, out); next != nil {
		first = next
	}
	t.last.Store(first)
	return out, nil
}

// next returns what the steps make of the whole list, nil where that takes a look at
// the whole.
func (g *grown) next(s *steps) *outcome {
	list := s.context.Messages
	n := len(g.before)
	if n == 0 || len(list) <= n || !slices.Equal(list[:n], g.before) {
		return nil
	}
	w := s.window(list[n:], &g.facts)
	if w == nil || !g.frames(s, w) {
		return nil
	}
	return s.join(g, w)
}

// frames reports whether the body around the list of messages is the one that is
// remembered, and what the converter changed in front of the window does not mix with
// what it changed in it.
func (g *grown) frames(s *steps, w *window) bool {
	front, changes := g.made.built.Changes, w.built.Changes
	return bytes.Equal(g.lead, w.body[:w.lead]) && bytes.Equal(g.tail, w.body[w.end:]) &&
		slices.Equal(g.made.notes, w.notes) && slices.Equal(g.made.built.Notes, w.built.Notes) && g.made.names.Equal(&w.names) &&
		!slices.ContainsFunc(front, isFar) && !slices.ContainsFunc(changes, isFar) && s.inOrder(front, changes)
}

// join puts what is remembered and what became of the window together, nil where the
// order of the changes is not known.
func (s *steps) join(g *grown, w *window) *outcome {
	changes, known := merge(g.made.changes, w.changes)
	if !known {
		return nil
	}
	out := &outcome{
		clean:    slices.Concat(g.made.clean, w.clean),
		messages: slices.Concat(g.made.messages, w.messages),
		changes:  changes,
		hidden:   sum(g.made.hidden, w.hidden, 1),
		notes:    w.notes,
		built:    hygiene.Report{Changes: slices.Concat(g.made.built.Changes, w.built.Changes), Notes: w.built.Notes},
		names:    w.names,
	}
	if s.build != nil {
		out.body = append(pages.Room(len(g.made.body)+len(w.body)), g.lead...)
		out.body = append(append(out.body, g.made.body...), w.body[w.lead:]...)
	}
	return out
}

// settle returns what is to be remembered of a replay of which g knows the beginning:
// as much as stands in front of the last window that is known to fit. It is nil where
// that is hardly more than g knows, since to remember it is to copy it, and where the
// whole is not what is in front and the window, one behind the other.
func (g *grown) settle(s *steps, whole *outcome) *grown {
	list, known := s.context.Messages, len(g.before)
	at := lastWindow(list, known)
	if size := len(list) - known; at < 0 || known > 0 && (stride*size < known || 2*(len(list)-at) > size) {
		return nil
	}
	facts, ok := g.facts.with(list[known:at])
	n := slices.Index(whole.clean, list[at])
	if !ok || n <= 0 || !endsRound(whole.clean[n-1]) || whole.clean[n-1].Origin.Index != list[at-1].Origin.Index {
		return nil
	}
	facts.learn(list[known:at], whole.clean[len(g.made.clean):n])
	w := s.window(list[at:], &facts)
	if w == nil {
		return nil
	}
	next := &grown{key: g.key, facts: facts, lead: w.body[:w.lead:w.lead], tail: w.body[w.end:]}
	if !next.cut(whole, w, n) || !next.frames(s, w) || !next.holds(s, whole, w) {
		return nil
	}
	next.before = slices.Clone(list[:at])
	next.made.body = bytes.Clone(next.made.body)
	return next
}

// stride is how many times as long as the window what stands in front of it must be
// for the window to stay where it is.
const stride = 16

// cut takes what became of the messages in front of a window out of the whole: n of
// them are left.
func (g *grown) cut(whole *outcome, w *window, n int) bool {
	built, size := len(whole.built.Changes)-len(w.built.Changes), len(whole.body)-len(w.body)
	if built < 0 || size < 0 {
		return false
	}
	g.made = outcome{
		clean: slices.Clone(whole.clean[:n]), messages: slices.Clone(whole.messages[:n]),
		hidden: sum(whole.hidden, w.hidden, -1), notes: w.notes,
		built: hygiene.Report{Changes: slices.Clone(whole.built.Changes[:built]), Notes: w.built.Notes},
		names: w.names, body: whole.body[w.lead : w.lead+size],
	}
	left := len(w.changes)
	for i := len(whole.changes) - 1; i >= 0; i-- {
		if left > 0 && sameChange(whole.changes[i], w.changes[left-1]) {
			left--
			continue
		}
		g.made.changes = append(g.made.changes, whole.changes[i])
	}
	slices.Reverse(g.made.changes)
	return left == 0
}

// holds reports whether what is remembered and what became of the window are the whole.
func (g *grown) holds(s *steps, whole *outcome, w *window) bool {
	changes, known := merge(g.made.changes, w.changes)
	return known && slices.EqualFunc(changes, whole.changes, sameChange) &&
		slices.EqualFunc(w.built.Changes, whole.built.Changes[len(g.made.built.Changes):], sameChange) &&
		slices.Equal(w.notes, whole.notes) && slices.Equal(w.built.Notes, whole.built.Notes) && w.names.Equal(&whole.names) &&
		slices.EqualFunc(w.messages, whole.messages[len(g.made.messages):], sameMessage) &&
		bytes.HasPrefix(whole.body, g.lead) && bytes.HasSuffix(whole.body, w.body[w.lead:])
}

// sameChange compares all of two changes but the texts.
func sameChange(a, b hygiene.Change) bool {
	a.Before, a.After, b.Before, b.After = nil, nil, nil, nil
	return a == b
}

func sameMessage(a, b *transcript.Message) bool {
	return a == b || bytes.Equal(a.AppendJSON(nil), b.AppendJSON(nil))
}

// sum adds counts, times b those of the second.
func sum(a, b map[string]int, times int) map[string]int {
	c := maps.Clone(a)
	if c == nil && len(b) > 0 {
		c = map[string]int{}
	}
	for name, n := range b {
		if c[name] += times * n; c[name] == 0 {
			delete(c, name)
		}
	}
	return c
}
