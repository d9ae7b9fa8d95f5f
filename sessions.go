package hygeia

import (
	"fmt"
	"slices"

	"hygeia/session"
)

// opener opens a session.
type opener func(session.OpenOptions) (*session.Session, *session.RepairReport, error)

func openFile(path string, o OpenOptions) (*Transcript, error) {
	return openSession(path, o, func(so session.OpenOptions) (*session.Session, *session.RepairReport, error) {
		return session.Open(path, so)
	})
}

// textAt is a text that can be read more than once.
type textAt interface {
	ReadAt(p []byte, at int64) (n int, err error)
	Size() int64
}

func openText(text textAt, name string, o OpenOptions) (*Transcript, error) {
	if o.Session.Write {
		return nil, fmt.Errorf("%s: %w", name, ErrWrite)
	}
	return openSession(name, o, func(so session.OpenOptions) (*session.Session, *session.RepairReport, error) {
		return session.OpenText(text, text.Size(), name, so)
	})
}

const maxRepairs = 10_000

// openSession opens a session and the branch that is asked for.
func openSession(name string, o OpenOptions, open opener) (*Transcript, error) {
	t := &Transcript{Name: name, Format: FormatSession, leaf: o.Leaf}
	each := o.Session.Each
	o.Session.Each = func(c *session.RepairChange) {
		switch {
		case c == nil:
			t.Repairs = nil
		case len(t.Repairs) < maxRepairs:
			t.Repairs = append(t.Repairs, *c)
		}
		if each != nil {
			each(c)
		}
	}
	var err error
	if t.Session, t.Repair, err = open(o.Session); err != nil {
		return nil, err
	}
	if t.Context, err = t.Session.Context(o.Leaf); err != nil {
		return nil, err
	}
	return t, nil
}

// Problems returns what was wrong with the session file: what was repaired, and
// what there is to say about it all the same, in the order of the file.
func (t *Transcript) Problems() []session.Problem {
	if t.Session == nil {
		return nil
	}
	var list []session.Problem
	for _, c := range t.Repairs {
		list = append(list, session.Problem{Line: c.Line, Last: c.Last, Entry: c.Entry, Rule: c.Rule, Reason: c.Reason})
	}
	list = append(list, t.Session.Problems()...)
	slices.SortStableFunc(list, func(a, b session.Problem) int { return a.Line - b.Line })
	return list
}
