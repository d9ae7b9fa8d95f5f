// Package tree looks into a scanned JSON text. One scan finds every place, and a
// node is one of them: what a decoder takes over it copies as it was spelled.
package tree

import (
	"iter"

	"hygeia/internal/jsonline"
)

// depth is how deep a body is looked into: the envelope, the list, messages,
// content, blocks, their content, its blocks, and an image in one of them.
const depth = 10

// Node is one value. The zero Node is that of an absent member.
type Node struct {
	t *text
	i uint32
}

type text struct {
	src   []byte
	nodes []jsonline.Node
}

// Parse scans a whole text and returns its outermost value. Bytes that are not
// UTF-8 are accepted. The error is a *jsonline.SyntaxError.
func Parse(src []byte) (Node, error) {
	var s jsonline.Scanner
	if err := s.ScanAll(src, jsonline.Options{Depth: depth, InvalidUTF8: true}); err != nil {
		return Node{}, err
	}
	return Node{&text{src, s.Nodes}, 0}, nil
}

func (n Node) at() *jsonline.Node { return &n.t.nodes[n.i] }

// Exists reports whether the value is there, null included.
func (n Node) Exists() bool { return n.t != nil }

// Kind returns the kind of the value.
func (n Node) Kind() jsonline.Kind {
	if n.t == nil {
		return jsonline.Invalid
	}
	return n.at().Kind
}

// IsString reports whether the value is a string.
func (n Node) IsString() bool { return n.Kind() == jsonline.String }

// IsObject reports whether the value is an object.
func (n Node) IsObject() bool { return n.Kind() == jsonline.ObjectKind }

// IsArray reports whether the value is an array.
func (n Node) IsArray() bool { return n.Kind() == jsonline.Array }

// Given reports whether the value is there and not null.
func (n Node) Given() bool { return n.Exists() && n.Kind() != jsonline.Null }

// Value returns the value as it was spelled.
func (n Node) Value() jsonline.Value {
	if n.t == nil {
		return jsonline.Value{}
	}
	at := n.at()
	return jsonline.Value{
		Raw: n.t.src[at.Start:at.End:at.End], Kind: at.Kind, Flags: at.Flags &^ (jsonline.FlagNameEscaped | jsonline.FlagClosed),
	}
}

// Text returns the text of a string, "" for any other value.
func (n Node) Text() string { return n.Value().String() }

// Is reports whether the value is that string.
func (n Node) Is(s string) bool {
	if !n.IsString() {
		return false
	}
	at := n.at()
	if at.Flags&(jsonline.FlagEscaped|jsonline.FlagInvalidUTF8) == 0 {
		return string(n.t.src[at.Start+1:at.End-1]) == s
	}
	return n.Text() == s
}

// Get returns the last member of that name.
func (n Node) Get(name string) Node {
	var found Node
	if !n.IsObject() {
		return found
	}
	for i := n.i + 1; i < n.at().Next; i = n.t.nodes[i].Next {
		if m := (Node{n.t, i}); m.named(name) {
			found = m
		}
	}
	return found
}

// Elements yields the elements of an array.
func (n Node) Elements() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		if !n.IsArray() {
			return
		}
		for i := n.i + 1; i < n.at().Next; i = n.t.nodes[i].Next {
			if !yield(Node{n.t, i}) {
				return
			}
		}
	}
}

func (n Node) named(name string) bool {
	at := n.at()
	raw := n.t.src[at.NameStart:at.NameEnd]
	if at.Flags&jsonline.FlagNameEscaped == 0 && len(raw) != len(name) {
		return false
	}
	if at.Flags&jsonline.FlagNameEscaped == 0 {
		return string(raw) == name
	}
	return jsonline.Parse(n.t.src[at.NameStart-1:at.NameEnd+1]).String() == name
}

// AppendRest appends the members but the named ones, as they were spelled and
// each with a comma in front.
func (n Node) AppendRest(dst []byte, but ...string) []byte {
	if !n.IsObject() {
		return dst
	}
	for i := n.i + 1; i < n.at().Next; i = n.t.nodes[i].Next {
		m := Node{n.t, i}
		if at := m.at(); !m.isOneOf(but) {
			dst = append(append(dst, ','), n.t.src[at.NameStart-1:at.End]...)
		}
	}
	return dst
}

func (n Node) isOneOf(names []string) bool {
	for _, name := range names {
		if n.named(name) {
			return true
		}
	}
	return false
}
