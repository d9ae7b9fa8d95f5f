package jsonline

import (
	"bytes"
	"iter"
)

// Member is the place of one member in an object's text.
type Member struct {
	nameStart, nameEnd uint32
	start, end         uint32
	kind               Kind
	flags              Flags
	key                uint8 // number of a known name, 0 for any other
}

// Object is an immutable view of one JSON object: its text, the places of its
// members, and edits on top of them. The zero Object is absent: it has no
// members, and With makes a new object of it.
type Object struct {
	raw     []byte
	members []Member
	names   uint64 // a bit for each known name among the members
	patch   *patch // nil without edits; a pointer, since most objects have none
}

// Arena hands out member tables in large pieces, so that reading many objects
// costs few allocations. The first ones are smaller: often there is little to read.
// The zero value is ready.
type Arena struct {
	free []Member
	last int // length of the piece that free is the rest of
}

func (a *Arena) take(n int) []Member {
	if n > len(a.free) {
		a.last = min(max(64, 2*a.last), 2048)
		a.free = make([]Member, max(n, a.last))
	}
	m := a.free[:n:n]
	a.free = a.free[n:]
	return m
}

// ParseObject returns the view of a whole JSON text, or an absent Object if it
// is no object.
func ParseObject(raw []byte) Object {
	var s Scanner
	if s.ScanAll(raw, Options{Depth: 1, InvalidUTF8: true}) != nil || s.Nodes[0].Kind != ObjectKind {
		return Object{}
	}
	return s.Object(0, raw, &Arena{free: make([]Member, len(s.Nodes)-1)})
}

// Object returns the view of node i, an object, of a scan of src. The content
// of the node must have been recorded.
func (s *Scanner) Object(i int, src []byte, arena *Arena) Object {
	n := s.Nodes[i]
	count := 0
	for j := uint32(i + 1); j < n.Next; j = s.Nodes[j].Next {
		count++
	}
	members, names := arena.take(count), uint64(0)
	for j, k := uint32(i+1), 0; j < n.Next; j, k = s.Nodes[j].Next, k+1 {
		m := &s.Nodes[j]
		members[k] = Member{
			nameStart: m.NameStart - n.Start, nameEnd: m.NameEnd - n.Start,
			start: m.Start - n.Start, end: m.End - n.Start,
			kind: m.Kind, flags: m.Flags &^ FlagClosed, key: nameKey(src[m.NameStart:m.NameEnd]),
		}
		if m.Flags&FlagNameEscaped != 0 {
			members[k].key = nameKey(decode(src[m.NameStart:m.NameEnd], FlagEscaped))
		}
		names |= 1 << members[k].key
	}
	return Object{raw: src[n.Start:n.End:n.End], members: members, names: names}
}

// Exists reports whether there is an object at all.
func (o Object) Exists() bool { return o.raw != nil || o.patch != nil }

// Get returns the value of the last member of that name. It is absent if there
// is none.
func (o Object) Get(name string) Value {
	if e := o.edited(name); e != nil {
		return e.value
	}
	if m := o.last(name); m != nil {
		return o.value(m)
	}
	return Value{}
}

// last returns the last member of that name. Known names are told apart by
// number, without a look at the text; that one is missing, which is the common
// answer, without a look at the members either.
func (o Object) last(name string) *Member {
	if key := nameKey(name); key != 0 {
		if o.names&(1<<key) == 0 {
			return nil
		}
		for i := len(o.members) - 1; i >= 0; i-- {
			if o.members[i].key == key {
				return &o.members[i]
			}
		}
		return nil
	}
	for i := len(o.members) - 1; i >= 0; i-- {
		if m := &o.members[i]; m.key == 0 && o.named(m, name) {
			return m
		}
	}
	return nil
}

func (o Object) named(m *Member, name string) bool {
	if m.flags&FlagNameEscaped == 0 {
		return string(o.raw[m.nameStart:m.nameEnd]) == name // compared in place
	}
	return o.name(m) == name
}

// Has reports whether there is a member of that name, null included.
func (o Object) Has(name string) bool { return o.Get(name).Exists() }

// name returns the name of a member.
func (o Object) name(m *Member) string {
	raw := o.raw[m.nameStart:m.nameEnd]
	if m.flags&FlagNameEscaped == 0 {
		return string(raw)
	}
	return decode(raw, FlagEscaped)
}

func (o Object) value(m *Member) Value {
	return Value{o.raw[m.start:m.end:m.end], m.kind, m.flags &^ FlagNameEscaped}
}

// Members yields names and values in order, edits applied. A duplicate name
// comes once for each time it stands there.
func (o Object) Members() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		o.each(func(_ *Member, name string, v Value) bool { return yield(name, v) })
	}
}

// each visits what is left of the members after the edits, then what the edits
// add. m is nil where the value comes from an edit.
func (o Object) each(visit func(m *Member, name string, v Value) bool) {
	for i := range o.members {
		m := &o.members[i]
		if len(o.edits()) == 0 {
			if !visit(m, o.name(m), o.value(m)) {
				return
			}
			continue
		}
		name := o.name(m)
		e := o.edited(name)
		switch {
		case e == nil:
			if !visit(m, name, o.value(m)) {
				return
			}
		case e.value.Exists() && m == o.last(name):
			if !visit(nil, name, e.value) {
				return
			}
		}
	}
	for i := range o.edits() {
		e := &o.edits()[i]
		if e.value.Exists() && o.last(e.name) == nil {
			if !visit(nil, e.name, e.value) {
				return
			}
		}
	}
}

// Value returns the object as a value.
func (o Object) Value() Value {
	if len(o.edits()) == 0 && o.raw != nil {
		return Value{Raw: o.raw, Kind: ObjectKind}
	}
	return Value{Raw: o.AppendTo(nil), Kind: ObjectKind}
}

// Equal reports whether both have the same text.
func (o Object) Equal(p Object) bool {
	if len(o.edits()) == 0 && len(p.edits()) == 0 {
		return bytes.Equal(o.raw, p.raw)
	}
	return o.length() == p.length() && bytes.Equal(o.AppendTo(nil), p.AppendTo(nil))
}

// length returns how many bytes AppendTo appends, without a copy of any.
func (o Object) length() (n int) {
	for _, part := range o.Parts("", nil) {
		n += len(part)
	}
	return n
}
