package check

import (
	"fmt"
	"iter"
	"strconv"
	"strings"

	"hygeia/internal/jsonline"
)

// recordDepth is how deep a body is looked into: messages, content, blocks,
// their content and its members, the inside of a tool call, images in results.
const recordDepth = 10

// body is the scanned text of a request.
type body struct {
	src   []byte
	nodes []jsonline.Node
}

// node is one value of a body. The zero node is that of an absent member.
type node struct {
	b *body
	i uint32
}

func (n node) exists() bool { return n.b != nil }

func (n node) kind() jsonline.Kind {
	if n.b == nil {
		return jsonline.Invalid
	}
	return n.b.nodes[n.i].Kind
}

func (n node) isObject() bool { return n.kind() == jsonline.ObjectKind }
func (n node) isArray() bool  { return n.kind() == jsonline.Array }
func (n node) isString() bool { return n.kind() == jsonline.String }
func (n node) isNull() bool   { return n.kind() == jsonline.Null }

// given reports whether the member is there and not null.
func (n node) given() bool { return n.exists() && !n.isNull() }

func (n node) value() jsonline.Value {
	if n.b == nil {
		return jsonline.Value{}
	}
	at := &n.b.nodes[n.i]
	return jsonline.Value{Raw: n.b.src[at.Start:at.End], Kind: at.Kind, Flags: at.Flags &^ (jsonline.FlagClosed | jsonline.FlagNameEscaped)}
}

// text returns a string decoded, "" for anything else. It may share the bytes of
// the body.
func (n node) text() string { return n.value().String() }

// word is text for what is kept longer than a check: roles and types. The words
// of the formats cost no memory.
func (n node) word() string {
	if n.kind() != jsonline.String {
		return ""
	}
	v := n.value()
	raw := v.Raw[1 : len(v.Raw)-1]
	if len(raw) < len(words) {
		for _, word := range words[len(raw)] {
			if string(raw) == word {
				return word
			}
		}
	}
	return strings.Clone(v.String())
}

// words are the roles and types that bodies are full of, by their length.
var words = func() (known [24][]string) {
	for _, w := range []string{
		"user", "assistant", "system", "developer", "tool", "model", "function", "text", "image", "image_url", "thinking", "redacted_thinking",
		"tool_use", "tool_result", "server_tool_use", "document", "message", "reasoning", "function_call", "function_call_output", "item_reference",
		"input_text", "output_text", "input_image", "input_file", "refusal",
	} {
		known[len(w)] = append(known[len(w)], w)
	}
	return known
}()

// kindName is what the kind of a value is called in answers.
func (n node) kindName() string {
	switch n.kind() {
	case jsonline.ObjectKind, jsonline.Array:
		return "an " + n.kind().String()
	case jsonline.Null:
		return "null"
	case jsonline.Number:
		if _, err := strconv.Atoi(string(n.value().Raw)); err == nil {
			return "an integer"
		}
		return "a decimal"
	}
	return "a " + n.kind().String()
}

// empty reports whether the value is the empty string.
func (n node) empty() bool  { return n.isString() && len(n.value().Raw) == len(`""`) }
func (n node) blank() bool  { return n.value().Blank() }
func (n node) isTrue() bool { return n.kind() == jsonline.True }

func (n node) isFalse() bool { return n.kind() == jsonline.False }

// is reports whether the value is that string.
func (n node) is(s string) bool { return n.value().Is(s) }

func (n node) number() (float64, bool) { return n.value().Number() }

// name returns the name of a member as it is spelt, without its quotes.
func (n node) name() []byte {
	m := &n.b.nodes[n.i]
	return n.b.src[m.NameStart:m.NameEnd]
}

// get returns a member of an object; the last one of that name counts.
func (n node) get(name string) node {
	var found node
	if !n.isObject() {
		return found
	}
	for j := n.i + 1; j < n.b.nodes[n.i].Next; j = n.b.nodes[j].Next {
		m := &n.b.nodes[j]
		if string(n.b.src[m.NameStart:m.NameEnd]) == name {
			found = node{n.b, j}
		}
	}
	return found
}

// members yields the members of an object; name tells what each is called.
func (n node) members() iter.Seq[node] {
	return func(yield func(node) bool) {
		if !n.isObject() {
			return
		}
		for j := n.i + 1; j < n.b.nodes[n.i].Next; j = n.b.nodes[j].Next {
			if !yield(node{n.b, j}) {
				return
			}
		}
	}
}

// elements yields the elements of an array with their indexes.
func (n node) elements() iter.Seq2[int, node] {
	return func(yield func(int, node) bool) {
		if !n.isArray() {
			return
		}
		k := 0
		for j := n.i + 1; j < n.b.nodes[n.i].Next; j = n.b.nodes[j].Next {
			if !yield(k, node{n.b, j}) {
				return
			}
			k++
		}
	}
}

// size returns the number of elements or members.
func (n node) size() int {
	size := 0
	if n.isArray() || n.isObject() {
		for j := n.i + 1; j < n.b.nodes[n.i].Next; j = n.b.nodes[j].Next {
			size++
		}
	}
	return size
}

// pointer makes a JSON pointer of names and indexes (RFC 6901). It is asked for
// before anybody knows whether there is something to report.
func pointer(parts ...any) string {
	var b []byte
	for _, p := range parts {
		b = append(b, '/')
		switch p := p.(type) {
		case int:
			b = strconv.AppendInt(b, int64(p), 10)
		default:
			b = append(b, pointerEscapes.Replace(fmt.Sprint(p))...)
		}
	}
	return string(b)
}

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")
