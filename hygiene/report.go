package hygiene

import (
	"hygeia/policy"
	"hygeia/transcript"
)

// Op is the kind of a change.
type Op string

// The kinds of change.
const (
	Drop    Op = "drop"
	Insert  Op = "insert"
	Replace Op = "replace"
	Move    Op = "move"
)

// Change is one difference between what is stored and what goes out.
type Change struct {
	Rule string
	Pass string
	Op   Op
	// Entry is the id of the session entry, "" where there is none.
	Entry string
	// Message is the index in the input list. That of an inserted message is
	// the index of the message it stands behind, -1 at the very front.
	Message int
	// Block is the index in the content as stored, -1 for a change of the
	// whole message or of a member of it.
	Block int
	// Before and After are what changed: a *transcript.Message, a
	// *transcript.Block or a string. Nil where there is nothing.
	Before, After any
	// Reason is a fact about this place (D-13), lower case, no full stop.
	Reason string
	// Lossy reports that content was taken away.
	Lossy bool
	// Synthetic reports that content was made up.
	Synthetic bool
}

// Report lists what was changed for a target.
type Report struct {
	Target  policy.Target
	Changes []Change
	// Hidden counts, per rule, changes of fields that never go out (D-28).
	Hidden map[string]int
	// Notes are facts about the request that are no change of the transcript:
	// a default that was taken, thinking that was switched off, a body that is
	// too large.
	Notes []string
}

// Empty reports that nothing that goes out was changed.
func (r *Report) Empty() bool { return len(r.Changes) == 0 }

// Counts returns the number of changes per rule, hidden ones included.
func (r *Report) Counts() map[string]int {
	counts := make(map[string]int, len(r.Hidden))
	for rule, n := range r.Hidden {
		counts[rule] = n
	}
	for i := range r.Changes {
		counts[r.Changes[i].Rule]++
	}
	return counts
}

// FirstChanged returns the index of the first input message that a change
// touched or whose place one took, -1 when there is none (G-5).
func (r *Report) FirstChanged() int {
	first := -1
	for i := range r.Changes {
		if m := r.Changes[i].first(); m >= 0 && (first < 0 || m < first) {
			first = m
		}
	}
	return first
}

// first returns the lowest input index that the change concerns, -1 when it
// concerns only messages that another change put in.
func (c *Change) first() int {
	switch {
	case c.Op == Insert && c.Block < 0:
		return c.Message + 1
	case c.Op == Move:
		if to, ok := c.After.(*transcript.Message); ok && to.Origin.Index >= 0 {
			return min(c.Message, to.Origin.Index+1)
		}
	}
	return c.Message
}

// Edit says why a message or block is changed.
type Edit struct {
	Rule      string
	Reason    string
	Lossy     bool
	Synthetic bool
}

func (e Edit) change(op Op, m *transcript.Message, block int, before, after any) Change {
	return Change{
		Rule: e.Rule, Op: op, Entry: m.Origin.Entry, Message: m.Origin.Index, Block: block,
		Before: before, After: after, Reason: e.Reason, Lossy: e.Lossy, Synthetic: e.Synthetic,
	}
}

// Record adds a change that a converter made (W-…). stage takes the place of
// the pass name; block is -1 for the whole message.
func (r *Report) Record(stage string, op Op, m *transcript.Message, block int, before, after any, e Edit) {
	c := e.change(op, m, block, before, after)
	c.Pass = stage
	r.Changes = append(r.Changes, c)
}

// Note adds a fact about the request that is no change of the transcript.
func (r *Report) Note(text string) { r.Notes = append(r.Notes, text) }
