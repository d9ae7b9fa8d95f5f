package session

import (
	"fmt"

	"hygeia/internal/jsonline"
	"hygeia/session/internal/lines"
	"hygeia/transcript"
)

// collector makes a tree of the records of a file.
type collector struct {
	tree
	file    string
	header  Header
	line    int               // of the header
	before  int               // records in front of it
	valid   int               // records that are none of those lost
	opener  *transcript.Entry // the first of them that is an entry, as long as there is no header
	nothing string            // the first thing that is none, and its line
}

// record takes a record. It returns none for the header.
func (c *collector) record(r lines.Record) int32 {
	e := r.Entry
	if c.header.Entry == nil && isHeader(e) {
		c.header, c.opener = readHeader(e), nil
		c.before, c.line = c.valid, r.Line
		return none
	}
	what := recordOf(e)
	if what.kind == canonical || what.kind == control {
		if c.opener == nil && c.header.Entry == nil {
			c.opener = e
		}
	} else if c.nothing == "" {
		c.nothing = fmt.Sprintf("line %d holds %s", r.Line, describe(e))
	}
	if what.kind != lost {
		c.valid++
	}
	i := c.add(what)
	refsOf(e, what.typ, func(as uint8, id key) { c.refs = append(c.refs, ref{i, as, id}) })
	return i
}

// lose takes a fault. It returns the number of the torn record that the fault
// leaves in the tree, none if it leaves none.
func (c *collector) lose(f lines.Fault) int32 {
	if c.nothing == "" {
		c.nothing = fmt.Sprintf("line %d holds %s", f.Line, f.Reason)
	}
	if f.Link.ID == "" {
		return none
	}
	what := record{kind: lost, id: keyOf(f.Link.ID), parent: keyOf(f.Link.Parent), link: null}
	switch {
	case !f.Link.HasParent:
		what.link = absent
	case f.Link.Parent != "":
		what.link = named
	}
	return c.add(what)
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

// finish settles the header and the version.
func (c *collector) finish() error {
	if c.header.Entry == nil && c.opener == nil {
		if c.nothing == "" {
			return ErrEmpty
		}
		return fmt.Errorf("%w: %s", ErrNotSession, c.nothing)
	}
	if c.header.Entry == nil {
		c.line, c.header = 1, deriveHeader(c.file, c.opener)
	}
	c.session = keyOf(c.header.ID)
	c.version = c.header.version(c.bareFirst())
	return nil
}

// bareFirst reports whether the first record that is there has no id where later
// versions have one.
func (c *collector) bareFirst() bool {
	for i := range c.nodes {
		if n := &c.nodes[i]; n.kind != lost {
			return n.is(bare)
		}
	}
	return false
}
