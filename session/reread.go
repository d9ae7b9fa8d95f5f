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

// shifts say where the lines of a repaired file stood before, in the order in which
// they stand now.
type shifts []shift

// shift says that the lines from one on stood from another one on.
type shift struct{ now, from int }

// next returns where a line comes to stand that nothing changes.
func (s *shifts) next(line int) int {
	if n := len(*s); n > 0 {
		line += (*s)[n-1].now - (*s)[n-1].from
	}
	return line
}

// add notes that the lines from now on stood from a line on.
func (s *shifts) add(now, from int) {
	if s.next(from) != now {
		*s = append(*s, shift{now, from})
	}
}

// insert notes n new lines behind a line, or in front of the first.
func (s *shifts) insert(line, n int) {
	if s == nil || n <= 0 {
		return
	}
	now := s.next(line) + 1
	for i := range n {
		s.add(now+i, max(line, 1))
	}
	s.add(now+n, line+1)
}

// replace notes that what begins on those lines stands, a line each, in the place of
// a region.
func (s *shifts) replace(r lines.Region, from []int) {
	if s == nil {
		return
	}
	now := s.next(r.Line)
	for i, line := range from {
		s.add(now+i, line)
	}
	s.add(now+len(from), r.Last+1)
}

// before returns where a line of the repaired file stood.
func (s shifts) before(line int) int {
	n, _ := slices.BinarySearchFunc(s, line+1, func(x shift, line int) int { return cmp.Compare(x.now, line) })
	if n == 0 {
		return line
	}
	return s[n-1].from + line - s[n-1].now
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
