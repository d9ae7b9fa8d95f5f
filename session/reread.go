package session

import (
	"cmp"
	"io"
	"slices"

	"hygeia/session/internal/lines"
)

// reread reads the text that a repair of the surveyed file gives, without
// writing it. The changes go to out; the places of what is read are those in the
// surveyed file.
func (s *survey) reread(out output) (*Session, error) {
	var err error
	out.shifts = &shifts{}
	if out.report.BytesAfter, err = s.write(out); err != nil {
		return nil, err
	}
	r, w := io.Pipe()
	go func() {
		_, err := s.write(output{text: w, report: &RepairReport{}})
		w.CloseWithError(err)
	}()
	defer r.Close()
	read := newSession(s.file, out.report.BytesAfter)
	return read, read.fill(r, Options{MaxLine: s.opt.MaxLine}, *out.shifts)
}

// shifts say where the lines of a repaired file stood before, in their order.
type shifts []shift

// shift says that the lines from this one on come to stand by lines further down.
type shift struct{ from, by int }

// add notes that there are more lines in front of the line from, or fewer.
func (s *shifts) add(from, more int) {
	if s == nil || more == 0 {
		return
	}
	if n := len(*s); n > 0 {
		more += (*s)[n-1].by
	}
	*s = append(*s, shift{from, more})
}

// before returns where a line of the repaired file stood.
func (s shifts) before(line int) int {
	n, _ := slices.BinarySearchFunc(s, line+1, func(x shift, line int) int { return cmp.Compare(x.from+x.by, line) })
	at := line
	if n > 0 {
		at -= s[n-1].by
	}
	if n < len(s) {
		at = min(at, s[n].from-1)
	}
	return max(at, 1)
}

// filling puts what is read of a file into a session, and tells it where the lines
// stood before.
type filling struct {
	s  *Session
	by shifts
}

// Record implements lines.Sink.
func (f filling) Record(r lines.Record) {
	r.Line, r.Last = f.by.before(r.Line), f.by.before(r.Last)
	f.s.addRecord(r)
}

// Fault implements lines.Sink.
func (f filling) Fault(fault lines.Fault) {
	fault.Line, fault.Last = f.by.before(fault.Line), f.by.before(fault.Last)
	f.s.addFault(fault)
}
