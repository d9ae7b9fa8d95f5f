package session

import (
	"fmt"

	"hygeia/internal/jsonline"
	"hygeia/session/internal/lines"
	"hygeia/transcript"
)

// collector takes the records of a file.
type collector struct {
	s       *Session
	digests []digest
	found   bool   // an entry
	line    int    // of the header
	first   string // the first thing that is no entry, and its line
}

// digest is what the id of record i is made of, if version 1 lets it have one.
type digest struct {
	i   int32
	sum string
}

// Record implements lines.Sink.
func (c *collector) Record(r lines.Record) {
	s, e := c.s, r.Entry
	if s.header.Entry == nil && isHeader(e) {
		s.header = readHeader(e)
		s.before, c.line = len(s.entries), r.Line
		return
	}
	i := int32(len(s.entries))
	k := kindOf(e)
	if k == canonical || k == control {
		c.found = true
	} else if c.first == "" {
		c.first = fmt.Sprintf("line %d holds %s", r.Line, describe(e))
	}
	if r.Digest != "" {
		c.digests = append(c.digests, digest{i, r.Digest})
	}
	s.entries = append(s.entries, e)
	s.nodes = append(s.nodes, node{line: int32(r.Line), last: int32(r.Last), up: none, kind: k})
}

// Fault implements lines.Sink.
func (c *collector) Fault(f lines.Fault) {
	if c.first == "" {
		c.first = fmt.Sprintf("line %d holds %s", f.Line, f.Reason)
	}
	c.s.fault(f)
	if f.Link.ID != "" {
		e := &transcript.Entry{ID: f.Link.ID, Parent: f.Link.Parent, HasParent: f.Link.HasParent}
		c.s.entries = append(c.s.entries, e)
		c.s.nodes = append(c.s.nodes, node{line: int32(f.Line), last: int32(f.Last), up: none, kind: lost})
	}
}

// kindOf says what e is by its type and form. Whether it needs an id depends on
// the version and is seen to later.
func kindOf(e *transcript.Entry) kind {
	switch {
	case e.Type == transcript.EntryLeaf:
		return control
	case e.Type == transcript.EntryMessage && !lines.HasMessage(e):
		return opaque
	case lines.Known(e.Type) && e.Type != transcript.EntrySession:
		return canonical
	case e.IsObject() && e.ID != "" && e.HasParent:
		return opaque
	}
	return loose
}

// describe says what a record that is no entry is.
func describe(e *transcript.Entry) string {
	switch {
	case !e.IsObject():
		return "a JSON value that is no object"
	case e.Get("type").Kind != jsonline.String:
		return "an object without a type"
	}
	return fmt.Sprintf("an object of type %q", e.Type)
}

// finish settles the header and the versions, and reports what is no entry.
func (c *collector) finish() error {
	s := c.s
	if s.header.Entry == nil && !c.found {
		if c.first == "" {
			return ErrEmpty
		}
		return fmt.Errorf("%w: %s", ErrNotSession, c.first)
	}
	c.header()
	s.listed = s.entries
	for i := range s.nodes {
		if s.nodes[i].kind == lost {
			s.listed = s.without(lost)
			break
		}
	}
	return nil
}

// header derives a missing header, and reports what is odd about a stored one.
func (c *collector) header() {
	s := c.s
	report := func(rule string, note bool, format string, args ...any) {
		s.problems = append(s.problems, Problem{
			Line: c.line, Last: c.line, Rule: rule, Note: note, Reason: fmt.Sprintf(format, args...),
		})
	}
	if s.header.Entry == nil {
		c.line = 1
		for i, e := range s.entries {
			if k := s.nodes[i].kind; k == canonical || k == control {
				s.header = deriveHeader(s.file, e)
				break
			}
		}
		report("F-17", false, "the file has no whole header; read with the id %s", s.header.ID)
		return
	}
	if s.before > 0 {
		report("F-17", false, "the header stands behind other records")
	}
	if v := s.header.Version; v < 1 || v > 3 {
		report("F-11", true, "version %s is not known; read as version %d", s.header.Entry.Get("version").Raw, s.version())
	}
}

func (s *Session) without(k kind) (list []*transcript.Entry) {
	for i, e := range s.entries {
		if s.nodes[i].kind != k {
			list = append(list, e)
		}
	}
	return list
}
