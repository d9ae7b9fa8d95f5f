package session

import (
	"fmt"
	"slices"
	"strconv"

	"hygeia/session/internal/lines"
)

// Problem is one fact about a file that is not as it should be, or worth
// knowing (D-13).
type Problem struct {
	Line    int      `json:"line"`              // physical lines from 1, Line and Last are 0 when it concerns no line
	Last    int      `json:"last"`              // the last line that it concerns, Line for one
	Entry   string   `json:"entry,omitempty"`   // id of the entry concerned, "" for none
	Entries []string `json:"entries,omitempty"` // ids of further entries concerned
	Rule    string   `json:"rule"`              // of the specification, as F-B01
	Reason  string   `json:"reason"`            // a fact, without the place
	// Note says that nothing is missing and the file may stay as it is.
	Note bool `json:"note"`
}

// String returns the place and the reason on one line.
func (p Problem) String() string {
	switch {
	case p.Line == 0:
		return p.Reason
	case p.Last > p.Line:
		return fmt.Sprintf("lines %d to %d: %s", p.Line, p.Last, p.Reason)
	}
	return "line " + strconv.Itoa(p.Line) + ": " + p.Reason
}

// fault turns a fault of the lines into a problem. A run of lines that hold no
// record is one problem, so that a file of rubbish costs no memory.
func (s *Session) fault(f lines.Fault) {
	if n := len(s.problems); n > 0 && f.Rule == "F-51" && f.Link.ID == "" {
		p := &s.problems[n-1]
		if p.Rule == f.Rule && p.Entry == "" && p.Last+1 == f.Line {
			p.Last, p.Reason = f.Last, "lines that hold no record"
			return
		}
	}
	s.problems = append(s.problems, Problem{
		Line: f.Line, Last: f.Last, Entry: f.Link.ID, Rule: f.Rule, Reason: f.Reason, Note: f.Note,
	})
}

// problem reports something about record i.
func (s *Session) problem(i int32, rule, format string, args ...any) {
	s.problems = append(s.problems, s.about(i, rule, fmt.Sprintf(format, args...)))
}

// note is problem for what loses nothing.
func (s *Session) note(i int32, rule, format string, args ...any) {
	p := s.about(i, rule, fmt.Sprintf(format, args...))
	p.Note = true
	s.problems = append(s.problems, p)
}

func (s *Session) about(i int32, rule, reason string) Problem {
	at := s.places[i]
	return Problem{Line: int(at.line), Last: int(at.last), Entry: s.entries[i].ID, Rule: rule, Reason: reason}
}

// sortProblems puts them in the order of the file, those of one line in the
// order in which they were found.
func sortProblems(p []Problem) {
	slices.SortStableFunc(p, func(a, b Problem) int { return a.Line - b.Line })
}
