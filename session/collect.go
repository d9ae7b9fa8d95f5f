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
	repeats []int32 // records with the id of an earlier one
	odd     []int32 // records to look at once the version is known
	last    string  // id of the last record if that is an entry
	found   bool    // an entry
	line    int     // of the header
	first   string  // the first thing that is no entry, and its line
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
	n := node{line: int32(r.Line), last: int32(r.Last), up: none, typ: typeOf(e), link: c.linkOf(e), side: e.Side}
	n.kind = kindOf(e, n.typ)
	c.last = ""
	if n.kind == canonical {
		c.last = e.ID
	}
	if n.kind == canonical || n.kind == control {
		c.found = true
	} else if c.first == "" {
		c.first = fmt.Sprintf("line %d holds %s", r.Line, describe(e))
	}
	if r.Digest != "" {
		c.digests = append(c.digests, digest{i, r.Digest})
	}
	if n.kind == opaque || n.kind == loose || e.ID == "" || n.typ == message && e.Message.Is(hookMessage) {
		c.odd = append(c.odd, i)
	}
	if e.ID != "" && n.typ != header {
		if _, ok := s.index[e.ID]; ok {
			c.repeats = append(c.repeats, i)
		} else {
			s.index[e.ID] = i
		}
	}
	s.entries = append(s.entries, e)
	s.nodes = append(s.nodes, n)
}

// typeOf is types, but quick for the one that most entries have.
func typeOf(e *transcript.Entry) typ {
	if e.Type == transcript.EntryMessage {
		return message
	}
	return types[e.Type]
}

// linkOf says how the next record links.
func (c *collector) linkOf(e *transcript.Entry) link {
	switch {
	case !e.HasParent:
		return absent
	case e.Parent != "" && e.Parent == c.last:
		return inFront
	case e.Parent == "" && (!e.IsObject() || e.Get("parentId").Kind == jsonline.Null):
		return null
	}
	return named
}

// Fault implements lines.Sink.
func (c *collector) Fault(f lines.Fault) {
	if c.first == "" {
		c.first = fmt.Sprintf("line %d holds %s", f.Line, f.Reason)
	}
	c.s.fault(f)
	if f.Link.ID != "" {
		e := &transcript.Entry{ID: f.Link.ID, Parent: f.Link.Parent, HasParent: f.Link.HasParent}
		c.s.nodes = append(c.s.nodes, node{line: int32(f.Line), last: int32(f.Last), up: none, kind: lost, link: c.linkOf(e)})
		c.s.entries = append(c.s.entries, e)
		c.last = ""
	}
}

// kindOf says what e is by its type and form. Whether it needs an id depends on
// the version and is seen to later.
func kindOf(e *transcript.Entry, t typ) kind {
	switch {
	case t == leafControl:
		return control
	case t == message && !lines.HasMessage(e):
		return opaque
	case t != other && t != header:
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
