package session

import (
	"fmt"

	"hygeia/session/internal/lines"
)

// maxNotes is how many notes of the lines of a file are kept.
const maxNotes = 100

// note keeps what a line has to say that nothing is done about (F-B11).
func (s *survey) note(f lines.Fault) {
	if s.noted++; s.noted <= maxNotes {
		s.notes = append(s.notes, Problem{Line: f.Line, Last: f.Last, Rule: f.Rule, Reason: f.Reason, Note: true})
	}
}

// tell notes what fell out of the context of the active branch (C-B06), and how many
// notes of lines there are besides those that were kept.
func (s *survey) tell() error {
	if s.noted > maxNotes {
		s.notes = append(s.notes, Problem{Rule: "F-B11", Reason: fmt.Sprintf("%d further lines like these", s.noted-maxNotes), Note: true})
	}
	if s.compactions < 2 {
		return nil
	}
	f, ok := s.fellOut()
	if !ok {
		return nil
	}
	r := noteReader{part: part{survey: s}, at: map[int32]Problem{f.newer: {}, f.older: {}, f.first: {}, f.last: {}}}
	for c := range s.chunks {
		if !r.inside(c) {
			continue
		}
		if err := r.read(c, &r); err != nil {
			return err
		}
	}
	p := r.at[f.newer]
	p.Rule, p.Note = "C-B06", true
	p.Reason = fellOutReason(r.at[f.older].Entry, r.at[f.first].Entry, r.at[f.last].Entry, f.n)
	s.notes = append(s.notes, p)
	return nil
}

// fallen are records of the active branch that the compaction older kept and the
// newest one does not: n that speak, from first to last.
type fallen struct{ older, newer, first, last, n int32 }

// fellOut finds what fell out of the active branch, which is what [Branch.fellOut]
// does with less than the whole session in memory. It knows nothing of compactions
// that do not name what they keep.
func (s *survey) fellOut() (f fallen, ok bool) {
	f.newer = s.compactionAbove(s.entry(s.leaf))
	if f.newer == none {
		return f, false
	}
	f.older = s.compactionAbove(s.above(f.newer))
	if f.older == none {
		return f, false
	}
	from, until := s.keptBy(f.older), s.keptBy(f.newer)
	if from == none || until == none || from == f.older { // a hard boundary keeps nothing
		return f, false
	}
	begun := until == f.older // nothing from here on is kept by the newest
	for i := f.newer; i != f.older; i = s.above(i) {
		begun = begun || i == until
	}
	for i := s.above(f.older); i != none; i = s.above(i) {
		switch {
		case i == until:
			f.n, begun = 0, true
		case s.speaks(i):
			if f.n++; f.n == 1 {
				f.last = i
			}
			f.first = i
		}
		if i == from {
			return f, begun && f.n > 0
		}
	}
	return f, false // what it names does not stand in front of it
}

// compactionAbove returns the nearest compaction from record i upwards.
func (s *survey) compactionAbove(i int32) int32 {
	for i != none && s.nodes[i].typ != compaction {
		i = s.above(i)
	}
	return i
}

// above returns the entry that record i hangs from.
func (s *survey) above(i int32) int32 { return s.entry(s.nodes[i].up) }

// keptBy returns the entry that a compaction names as the first that it keeps.
func (s *survey) keptBy(k int32) int32 {
	for _, r := range s.refs {
		if r.from == k && r.as == asKept && r.id >= firstKey {
			if r.id == s.ids[k] {
				return k
			}
			return s.entry(s.holder(r.id, k))
		}
	}
	return none
}

// speaks reports whether an entry gives a message (F-71).
func (s *survey) speaks(i int32) bool {
	t := s.nodes[i].typ
	return t == message || t == customMessage || t == branchSummary
}

// noteReader reads ids and lines of some records.
type noteReader struct {
	part
	at map[int32]Problem
}

// inside reports whether chunk c holds one of the records.
func (r *noteReader) inside(c int) bool {
	to := int32(len(r.nodes))
	if c+1 < len(r.chunks) {
		to = r.chunks[c+1].record
	}
	for i := range r.at {
		if r.chunks[c].record <= i && i < to {
			return true
		}
	}
	return false
}

// Record implements lines.Sink.
func (r *noteReader) Record(l lines.Record) {
	i := r.number(l)
	if _, asked := r.at[i]; asked {
		r.at[i] = Problem{Line: l.Line, Last: l.Last, Entry: r.idOf(i, l.Entry)}
	}
}

// Fault implements lines.Sink.
func (r *noteReader) Fault(f lines.Fault) { r.pass(f) }
