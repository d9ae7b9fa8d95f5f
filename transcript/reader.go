package transcript

import (
	"fmt"

	"hygeia/internal/jsonline"
)

// Reader makes entries and messages out of JSON. It scans each text once and
// allocates in large pieces, so one Reader should read a whole file. The values
// keep the bytes they were read from: the caller must not change them
// afterwards. A Reader is not safe for concurrent use; the zero value is ready.
type Reader struct {
	scan     jsonline.Scanner
	arena    jsonline.Arena
	entries  slab[Entry]
	messages slab[Message]
	blocks   slab[Block]
	lists    slab[*Block]
	last     *route // of the assistant turn read last
}

// slab hands out values of one type in large pieces, that get larger: most files
// are small.
type slab[T any] struct {
	free []T
	last int // length of the piece that free is the rest of
}

func (s *slab[T]) take(n int) []T {
	if n > len(s.free) {
		s.last = min(max(16, 2*s.last), 256)
		s.free = make([]T, max(n, s.last))
	}
	t := s.free[:n:n]
	s.free = s.free[n:]
	return t
}

// Entry reads one record at the start of text and returns it with the number of
// bytes read, white space around it included. The error is a
// *jsonline.SyntaxError.
func (r *Reader) Entry(text []byte) (*Entry, int, error) {
	n, err := r.scan.Scan(text, jsonline.Options{Depth: 4})
	strict := err == nil
	if !strict {
		if n, err = r.scan.Scan(text, jsonline.Options{Depth: 4, InvalidUTF8: true}); err != nil {
			return nil, n, err
		}
	}
	e := &r.entries.take(1)[0]
	e.InvalidUTF8 = !strict
	if r.scan.Nodes[0].Kind != jsonline.ObjectKind {
		v := r.scan.Value(0, text)
		e.other = &v
		return e, n, nil
	}
	e.obj = r.scan.Object(0, text, &r.arena)
	r.entryMembers(e, text)
	return e, n, nil
}

// entryMembers reads what an entry says about itself, in one walk over its
// members. A duplicate name counts by its last occurrence, as everywhere.
func (r *Reader) entryMembers(e *Entry, text []byte) {
	nodes := r.scan.Nodes
	message := uint32(0)
	for i := uint32(1); int(i) < len(nodes); i = nodes[i].Next {
		switch string(name(&nodes[i], text)) {
		case "type":
			e.Type = intern(EntryType(r.scan.Value(int(i), text).String()))
		case "id":
			e.ID = r.scan.Value(int(i), text).String()
		case "parentId":
			e.Parent, e.HasParent = r.scan.Value(int(i), text).String(), true
		case "appendMode":
			e.Side = r.scan.Value(int(i), text).String() == "side"
		case "message":
			message = i
		}
	}
	if message > 0 && e.Type == EntryMessage && nodes[message].Kind == jsonline.ObjectKind {
		e.Message = r.message(int(message), text)
	}
}

// name returns the name of a member, however it was spelled.
func name(n *jsonline.Node, text []byte) []byte {
	if n.Flags&jsonline.FlagNameEscaped == 0 {
		return text[n.NameStart:n.NameEnd]
	}
	quoted := jsonline.Value{Raw: text[n.NameStart-1 : n.NameEnd+1], Kind: jsonline.String, Flags: jsonline.FlagEscaped}
	return []byte(quoted.String())
}

// Message reads one message: any JSON value is one (R-B14). The error is a
// *jsonline.SyntaxError for a text that is no JSON.
func (r *Reader) Message(text []byte) (*Message, error) {
	if err := r.scan.ScanAll(text, jsonline.Options{Depth: 3, InvalidUTF8: true}); err != nil {
		return nil, err
	}
	return r.message(0, text), nil
}

// Messages reads a JSON array of messages. Their origins carry the index. The error
// is a *jsonline.SyntaxError for a text that is no JSON, or says what it holds that
// is no array.
func (r *Reader) Messages(text []byte) ([]*Message, error) {
	if err := r.scan.ScanAll(text, jsonline.Options{Depth: 4, InvalidUTF8: true}); err != nil {
		return nil, err
	}
	nodes := r.scan.Nodes
	if nodes[0].Kind != jsonline.Array {
		return nil, fmt.Errorf("expected an array of messages, found %s", article(nodes[0].Kind))
	}
	var list []*Message
	for i := uint32(1); int(i) < len(nodes); i = nodes[i].Next {
		m := r.message(int(i), text)
		m.Origin.Index = len(list)
		list = append(list, m)
	}
	return list, nil
}

func article(k jsonline.Kind) string {
	switch k {
	case jsonline.ObjectKind:
		return "an object"
	case jsonline.Null:
		return "null"
	}
	return "a " + k.String()
}

// message reads node i. Its content is read from the nodes where they were
// recorded.
func (r *Reader) message(i int, text []byte) *Message {
	m := &r.messages.take(1)[0]
	m.Origin = made
	nodes := r.scan.Nodes
	if nodes[i].Kind != jsonline.ObjectKind {
		v := r.scan.Value(i, text)
		m.other = &v
		return m
	}
	m.obj = r.scan.Object(i, text, &r.arena)
	content := uint32(0)
	for j := uint32(i + 1); j < nodes[i].Next; j = nodes[j].Next {
		switch string(name(&nodes[j], text)) {
		case "role":
			m.role = intern(Role(r.scan.Value(int(j), text).String()))
		case "content":
			content = j
		}
	}
	if content > 0 {
		r.content(m, int(content), text)
	}
	switch m.role {
	case Assistant:
		r.turn(m)
	case User:
		m.context = noContext
		if m.looksLikeContext() {
			m.context = isContext
		}
	}
	return m
}

func (r *Reader) content(m *Message, i int, text []byte) {
	nodes := r.scan.Nodes
	switch nodes[i].Kind {
	case jsonline.Null:
		m.kind = NullContent
	case jsonline.String:
		m.kind = TextContent
	case jsonline.ObjectKind:
		m.kind = SingleContent
		m.blocks = r.lists.take(1)
		m.blocks[0] = r.block(i, 0, text)
		m.holds.add(m.blocks[0])
	case jsonline.Array:
		m.kind = ListContent
		count := 0
		for j := uint32(i + 1); j < nodes[i].Next; j = nodes[j].Next {
			count++
		}
		m.blocks = r.lists.take(count)
		for j, k := uint32(i+1), 0; j < nodes[i].Next; j, k = nodes[j].Next, k+1 {
			m.blocks[k] = r.block(int(j), k, text)
			m.holds.add(m.blocks[k])
		}
	default:
		m.kind = OtherContent
	}
}

func (r *Reader) block(i, index int, text []byte) *Block {
	b := &r.blocks.take(1)[0]
	b.index = int32(index)
	if r.scan.Nodes[i].Kind != jsonline.ObjectKind {
		v := r.scan.Value(i, text)
		b.other = &v
		return b
	}
	b.obj = r.scan.Object(i, text, &r.arena)
	b.typ = intern(BlockType(b.obj.Get("type").String()))
	b.listen()
	return b
}

// intern returns the constant for a known word, so that reading a long session
// keeps no copies of it.
func intern[T ~string](s T) T {
	for _, w := range words[min(len(s), len(words)-1)] {
		if w == string(s) {
			return T(w)
		}
	}
	return s
}

// words are the words of the model by their length.
var words = func() (byLength [32][]string) {
	for _, w := range []string{
		string(User), string(Assistant), string(ToolResult), string(Custom),
		string(TypeText), string(TypeThinking), string(TypeImage), string(TypeToolCall),
		string(EntryMessage), string(EntryCompaction),
	} {
		byLength[len(w)] = append(byLength[len(w)], w)
	}
	return byLength
}()
