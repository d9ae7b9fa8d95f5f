package session

import (
	"bytes"
	"fmt"

	"hygeia/transcript"
)

// prove reads the successor and compares it with the session it was made of
// (C-B04).
func (r *rotation) prove(path string) error {
	s, err := Load(path, Options{})
	if err != nil {
		return fmt.Errorf("%w: %w", ErrProof, err)
	}
	known := map[[2]string]bool{}
	for _, p := range r.Problems() {
		known[[2]string{p.Rule, p.Entry}] = true
	}
	for _, p := range s.Problems() {
		if !p.Note && !known[[2]string{p.Rule, p.Entry}] {
			return fmt.Errorf("%w: %v", ErrProof, p)
		}
	}
	order := r.order()
	if len(order) != len(s.entries) {
		return fmt.Errorf("%w: it has %d records, not %d", ErrProof, len(s.entries), len(order))
	}
	for n, i := range order {
		e, was := s.entries[n], r.entries[i]
		if e.ID != was.ID || e.Type != was.Type || s.Label(e.ID) != r.Label(was.ID) {
			return fmt.Errorf("%w: record %d is not entry %q", ErrProof, n+1, clip(was.ID))
		}
	}
	old, is := r.b.Context(), s.context
	switch {
	case s.leaf == none || s.Leaf() != r.id(r.b.leaf()):
		return fmt.Errorf("%w: it ends at entry %q", ErrProof, clip(s.Leaf()))
	case s.Name() != r.Name():
		return fmt.Errorf("%w: it is called %q", ErrProof, clip(s.Name()))
	case is.ThinkingLevel != old.ThinkingLevel:
		return fmt.Errorf("%w: its thinking level is %q", ErrProof, clip(is.ThinkingLevel))
	case rejected(is) != rejected(old):
		return fmt.Errorf("%w: the thinking of %d of its messages was rejected", ErrProof, rejected(is))
	case len(is.Messages) != len(old.Messages):
		return fmt.Errorf("%w: its context has %d messages, not %d", ErrProof, len(is.Messages), len(old.Messages))
	}
	for n, m := range is.Messages {
		if !bytes.Equal(proven(m), proven(old.Messages[n])) {
			return fmt.Errorf("%w: message %d of the context differs", ErrProof, n)
		}
	}
	return nil
}

// rejected returns how many messages of a context have thinking that was rejected
//
func rejected(c *transcript.Context) (n int) {
	for _, m := range c.Messages {
		if m.Origin.Position <= c.RejectedThinking {
			n++
		}
	}
	return n
}

// proven returns what has to be the same of a message.
func proven(m *transcript.Message) []byte {
	if m.Is(transcript.CompactionSummary) {
		m = m.Without("firstKeptEntryId")
	}
	return unsigned(m).AppendJSON(nil)
}
