package payload

import (
	"slices"
	"unicode/utf8"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/transcript"
	"hygeia/wire"
)

// Own returns the request that the messages were decoded from if it has one of
// those formats, nil otherwise. Then its parameters stay unless a rule forbids
// one (D-38), and what a rule did not change goes back byte for byte.
func (in *Input) Own(apis ...string) *wire.Request {
	if in.Request == nil || !slices.Contains(apis, in.Request.API) {
		return nil
	}
	return in.Request
}

// Rest appends the members of a block, or of the whole message for nil, but the
// named ones: what the format knows of them and the canonical form does not.
func (l Log) Rest(dst []byte, m *transcript.Message, b *transcript.Block, but ...string) []byte {
	o := m.Members()
	if b != nil {
		o = b.Members()
	}
	for name, v := range o.Members() {
		if !slices.Contains(but, name) {
			dst = append(jsonline.AppendQuoted(append(dst, ','), name), ':')
			dst = append(dst, l.Text(m, b, v).Raw...)
		}
	}
	return dst
}

// Parameter records that a member of the body, which is not part of any
// message, goes out with another value. An absent value stands for no member.
func (l Log) Parameter(name string, before, after jsonline.Value, e hygiene.Edit) {
	l.Report.Record(l.Stage, hygiene.Replace, transcript.New(transcript.User), -1, member(name, before), member(name, after), e)
}

// Elements edits the elements of a parameter that is an array. The edit returns an
// element as it goes out, absent for not at all, with the rule and the reason if it is
// another one. The list is absent if none is left, and as it came if none was changed.
func (l Log) Elements(name string, list jsonline.Value, edit func(jsonline.Value) (out jsonline.Value, rule, reason string)) (jsonline.Value, bool) {
	left := 0
	edited, changed := list.MapElements(func(v jsonline.Value) jsonline.Value {
		out, rule, reason := edit(v)
		if rule != "" {
			l.Parameter(name, v, out, hygiene.Edit{Rule: rule, Reason: reason})
		}
		if out.Exists() {
			left++
		}
		return out
	})
	if changed && left == 0 {
		return jsonline.Value{}, true
	}
	return edited, changed
}

// Body returns the body that a request in its own format goes out as. Values are
// legal by then; a name that is not UTF-8 is made so here (W-120).
func (l Log) Body(o jsonline.Object) []byte {
	body := o.AppendTo(make([]byte, 0, o.Size()))
	if utf8.Valid(body) {
		return body
	}
	legal := Legal(jsonline.Value{Raw: body, Kind: jsonline.ObjectKind})
	l.Report.Record(l.Stage, hygiene.Replace, transcript.New(transcript.User), -1, nil, nil, hygiene.Edit{
		Rule: "W-120", Reason: "names of members hold bytes that no request may hold", Lossy: true,
	})
	return legal.Raw
}

// member returns a member as it stands in a body.
func member(name string, v jsonline.Value) any {
	if !v.Exists() {
		return nil
	}
	return string(jsonline.Quote(name)) + ":" + string(v.Raw)
}

// Splice puts the message list of a request of the same format together.
type Splice struct {
	own  *wire.Request
	next int  // elements of the list that went out as they came in
	cut  bool // something else went out as well
}

// NewSplice returns a splice for a request, nil for none.
func NewSplice(own *wire.Request) *Splice {
	if own == nil {
		return nil
	}
	return &Splice{own: own}
}

// Whole returns the element that the messages are, as it came in, and notes that
// it goes out. It is absent if they are no such element or a converter may not
// send it as it is; then another element goes out.
func (s *Splice) Whole(l Log, list []*transcript.Message, fits bool) jsonline.Value {
	if s == nil {
		return jsonline.Value{}
	}
	i := s.own.Whole(list)
	if i < 0 || !fits {
		s.cut = true
		return jsonline.Value{}
	}
	return s.Element(l, i)
}

// Element returns element i of the list as it came in, and notes that it goes
// out.
func (s *Splice) Element(l Log, i int) jsonline.Value {
	t := &s.own.Turns[i]
	legal := Legal(t.Raw)
	if &legal.Raw[0] != &t.Raw.Raw[0] {
		m := transcript.New(transcript.User)
		if t.From < t.To {
			m = s.own.Messages[t.From]
		}
		legal = l.Text(m, nil, t.Raw)
		s.cut = true
	}
	s.cut = s.cut || i != s.next
	s.next++
	return legal
}

// Cut notes that something goes out that did not come in.
func (s *Splice) Cut() {
	if s != nil {
		s.cut = true
	}
}

// Same reports whether the whole list goes out as it came in.
func (s *Splice) Same() bool { return !s.cut && s.next == len(s.own.Turns) }
