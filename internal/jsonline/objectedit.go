package jsonline

// patch is a list of edits, mostly of one.
type patch struct {
	edits []edit
	one   [1]edit
}

// edit replaces, adds or (with an absent value) removes a member.
type edit struct {
	name  string
	value Value
}

func (o Object) edits() []edit {
	if o.patch == nil {
		return nil
	}
	return o.patch.edits
}

func (o Object) edited(name string) *edit {
	for i := range o.edits() {
		if o.edits()[i].name == name {
			return &o.edits()[i]
		}
	}
	return nil
}

// With returns a copy in which the member has the value v. An absent v removes
// it.
func (o Object) With(name string, v Value) Object {
	p := &patch{}
	p.edits = p.one[:0]
	for _, e := range o.edits() {
		if e.name != name {
			p.edits = append(p.edits, e)
		}
	}
	p.edits = append(p.edits, edit{name, v})
	o.patch = p
	return o
}

// Without returns a copy that has none of the named members. It returns o
// itself if there was none.
func (o Object) Without(names ...string) Object {
	for _, name := range names {
		if o.Has(name) {
			o = o.With(name, Value{})
		}
	}
	return o
}

// Edited reports whether With or Without changed the object.
func (o Object) Edited() bool { return len(o.edits()) > 0 }

// Size returns about how many bytes AppendTo appends.
func (o Object) Size() int {
	n := len(o.raw)
	for i := range o.edits() {
		n += len(o.edits()[i].name) + len(o.edits()[i].value.Raw) + 4
	}
	return n + 2
}

// AppendTo appends the object's text to dst. Without edits that is the original
// text.
func (o Object) AppendTo(dst []byte) []byte {
	if len(o.edits()) == 0 {
		if o.raw == nil {
			return append(dst, "{}"...)
		}
		return append(dst, o.raw...)
	}
	dst = append(dst, '{')
	first := true
	o.each(func(m *Member, name string, v Value) bool {
		if !first {
			dst = append(dst, ',')
		}
		first = false
		if m != nil {
			dst = append(dst, o.raw[m.nameStart-1:m.end]...)
			return true
		}
		dst = append(AppendQuoted(dst, name), ':')
		dst = append(dst, v.Raw...)
		return true
	})
	return append(dst, '}')
}

// Parts returns the text that AppendTo appends in pieces, of which none is a copy:
// a text of many megabytes is written without another one beside it. Where there
// are pieces of a value, they are what the member of that name becomes.
func (o Object) Parts(name string, value [][]byte) (list [][]byte) {
	if value != nil {
		o = o.With(name, Value{Kind: Null})
	}
	if len(o.edits()) == 0 && o.raw != nil {
		return [][]byte{o.raw}
	}
	between := []byte{'{'}
	o.each(func(m *Member, n string, v Value) bool {
		list = append(list, between)
		between = []byte{','}
		switch {
		case m != nil:
			list = append(list, o.raw[m.nameStart-1:m.end])
		case value != nil && n == name:
			list = append(append(list, append(Quote(n), ':')), value...)
		default:
			list = append(list, append(Quote(n), ':'), v.Raw)
		}
		return true
	})
	if len(list) == 0 {
		list = append(list, between)
	}
	return append(list, []byte{'}'})
}
