package session

import (
	"fmt"

	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// cut is what the newest compaction of a branch leaves of it (C-02): the entries
// from position from up to at, and those behind at.
type cut struct {
	at       int // position of the compaction, -1 for none
	from     int
	problems []Problem
}

// compaction finds the newest compaction of the branch and what it keeps.
func (b *Branch) compaction() cut {
	c := cut{at: b.lastCompaction(len(b.path))}
	if c.at < 0 {
		return c
	}
	var p *Problem
	if c.from, p = b.kept(c.at); p != nil {
		c.problems = append(c.problems, *p)
	}
	older := b.lastCompaction(c.at)
	if older < 0 {
		return c
	}
	first, _ := b.kept(older)
	if p := b.fellOut(first, min(older, c.from), older, c.at); p != nil {
		c.problems = append(c.problems, *p)
	}
	return c
}

func (b *Branch) lastCompaction(before int) int {
	for p := before - 1; p >= 0; p-- {
		if b.typ(p) == compaction {
			return p
		}
	}
	return -1
}

// kept returns the position from which the compaction at position k keeps
// entries, k for a hard boundary. Where it names none of them, the last
// complete turn is kept and that is reported (C-B02).
func (b *Branch) kept(k int) (int, *Problem) {
	i := b.s.firstKept(b.path[k])
	if p := b.standsFor(i); 0 <= p && p <= k {
		return p, nil
	}
	p := b.s.about(b.path[k], "C-B02", "")
	from := b.lastTurn(k)
	what := "the compaction names no first kept entry"
	if id := b.entry(k).Get("firstKeptEntryId").String(); id != "" {
		what = fmt.Sprintf("first kept entry %s is not on the branch in front of the compaction", clip(id))
	}
	p.Reason = what + "; nothing in front of it is kept"
	if from < k {
		p.Reason = fmt.Sprintf("%s; kept from %s on", what, b.entry(from).ID)
	}
	return from, &p
}

// firstKept returns the record that compaction i names as the first kept one,
// none if it names none. Version 1 counted records, the header being the first
// (F-15).
func (s *Session) firstKept(i int32) int32 {
	e := s.entries[i]
	if v := e.Get("firstKeptEntryId"); v.IsString() {
		if v.String() == e.ID {
			return i
		}
		return s.holder(keyOf(v.String()), i)
	}
	n, ok := e.Get("firstKeptEntryIndex").Number()
	if !ok || n < 0 || n > float64(len(s.listed)) || int(n) == s.before {
		return none
	}
	at := int(n)
	if at > s.before {
		at-- // the header is no entry here
	}
	if at >= len(s.listed) {
		return none
	}
	return s.first(keyOf(s.listed[at].ID))
}

// standsFor returns the position of record i, or of the entry that a record
// which is no entry stands for: the one that it hangs from, else the first of
// the branch when that hangs from it (C-02). -1 means neither is there.
func (b *Branch) standsFor(i int32) int {
	if i == none || len(b.path) == 0 {
		return -1
	}
	if e := b.s.entry(i); e != none {
		return b.position(e)
	}
	for at := b.path[0]; ; {
		e := b.s.entries[at]
		if !e.HasParent {
			return -1
		}
		up := b.s.holder(keyOf(e.Parent), at)
		if up == i {
			return 0
		}
		if up == none || up > at {
			return -1
		}
		at = up
	}
}

// lastTurn returns the position of the user turn that began the last complete
// turn in front of position k, of the last user turn if none is complete, and k
// if there is none.
func (b *Branch) lastTurn(k int) int {
	last := k
	answered := false
	for p := k - 1; p >= 0; p-- {
		m := b.entry(p).Message
		switch {
		case m == nil:
		case m.Is(transcript.Assistant):
			answered = answered || !m.Failed() && m.StopReason() != transcript.StopToolUse
		case m.Is(transcript.User):
			if answered {
				return p
			}
			if last == k {
				last = p
			}
		}
	}
	return last
}

// fellOut reports the messages from position from to to, which the compaction at
// older kept and the one at newer does not (C-B06).
func (b *Branch) fellOut(from, to, older, newer int) *Problem {
	p := b.s.about(b.path[newer], "C-B06", "")
	for at := from; at < to; at++ {
		if b.speaks(at) {
			p.Entries = append(p.Entries, b.entry(at).ID)
		}
	}
	if len(p.Entries) == 0 {
		return nil
	}
	p.Note = true
	p.Reason = fellOutReason(b.entry(older).ID, p.Entries[0], p.Entries[len(p.Entries)-1], int32(len(p.Entries)))
	return &p
}

func fellOutReason(older, first, last string, n int32) string {
	return fmt.Sprintf("entries that compaction %s kept and this one does not: %s to %s, %d in all", older, first, last, n)
}

// speaks reports whether the entry at position p gives a message (F-71).
func (b *Branch) speaks(p int) bool {
	switch b.typ(p) {
	case message, customMessage:
		return true
	case branchSummary:
		v := b.entry(p).Get("summary")
		return v.Kind == jsonline.String && !v.Blank()
	}
	return false
}
