package session

import (
	"hash/maphash"

	"hygeia/internal/jsonline"
	"hygeia/session/internal/lines"
	"hygeia/transcript"
)

// skim looks at a line without making an entry of it. It knows enough of most
// messages: that no rule of repair is about them, and how they link. Whatever
// is odd or needs a closer look it leaves to others.
func skim(scan *jsonline.Scanner, text []byte) (b lines.Brief, ok bool) {
	s := skimmer{scan.Nodes, text, scan}
	if s.nodes[0].Kind != jsonline.ObjectKind {
		return b, false
	}
	seen := uint8(0)
	b.Flags = uint8(absent)
	for i := 1; i < len(s.nodes); i = int(s.nodes[i].Next) {
		bit, good := uint8(0), true
		switch string(s.name(i)) {
		case "type":
			bit, good = 1, s.is(i, `"message"`)
		case "id":
			bit = 2
			b.ID, good = s.key(i)
			b.Name = s.scan.Value(i, s.text).String()
		case "parentId":
			bit, good = 4, true
			if b.Flags = uint8(null); s.nodes[i].Kind != jsonline.Null {
				b.Flags = uint8(named)
				b.Parent, good = s.key(i)
			}
		case "message":
			bit, good = 8, s.message(i, &b)
		case "appendMode", "":
			good = false
		}
		if !good || seen&bit != 0 {
			return b, false
		}
		seen |= bit
	}
	return b, seen&9 == 9
}

// briefRecord says what the tree needs to know of a line that was skimmed.
func briefRecord(b lines.Brief) record {
	r := record{kind: canonical, typ: message, link: link(b.Flags), id: key(b.ID), parent: key(b.Parent), name: b.Name}
	if r.id == noKey {
		r.flags = bare
	}
	return r
}

// skimmer is a text with the nodes of its scan.
type skimmer struct {
	nodes []jsonline.Node
	text  []byte
	scan  *jsonline.Scanner
}

// name returns the name of a member, "" for one with escapes.
func (s *skimmer) name(i int) []byte {
	n := &s.nodes[i]
	if n.Flags&jsonline.FlagNameEscaped != 0 {
		return nil
	}
	return s.text[n.NameStart:n.NameEnd]
}

// is reports whether a value has that text.
func (s *skimmer) is(i int, text string) bool {
	n := &s.nodes[i]
	return string(s.text[n.Start:n.End]) == text
}

// key returns the key of an id. It leaves odd ones alone.
func (s *skimmer) key(i int) (uint64, bool) {
	n := &s.nodes[i]
	if n.Kind != jsonline.String || n.Flags&jsonline.FlagEscaped != 0 || n.End-n.Start == 2 {
		return 0, false
	}
	return uint64(keyOfBytes(s.text[n.Start+1 : n.End-1])), true
}

func keyOfBytes(id []byte) key { return max(key(maphash.Bytes(seed, id)), firstKey) }

// message reads node i, the message of an entry.
func (s *skimmer) message(i int, b *lines.Brief) bool {
	if s.nodes[i].Kind != jsonline.ObjectKind {
		return false
	}
	var role transcript.Role
	content, seen := 0, uint8(0)
	for j := i + 1; j < int(s.nodes[i].Next); j = int(s.nodes[j].Next) {
		bit, good := uint8(0), true
		switch string(s.name(j)) {
		case "role":
			bit = 1
			role, good = s.role(j)
		case "content":
			bit, content = 2, j
		case "api", "provider":
			good = s.plainRoute(j)
		case "toolCallId":
			bit = 4
			b.Result, good = s.key(j)
			good = good && !s.trimmed(j)
		case "":
			good = false
		}
		if !good || seen&bit != 0 {
			return false
		}
		seen |= bit
	}
	switch role {
	case transcript.User:
		return content > 0 && s.speaks(content)
	case transcript.Assistant:
		return content > 0 && s.plainBlocks(content)
	case transcript.ToolResult:
		return content > 0 && s.plainBlocks(content) && b.Result != 0
	}
	return false
}

func (s *skimmer) role(i int) (transcript.Role, bool) {
	for _, role := range []transcript.Role{transcript.User, transcript.Assistant, transcript.ToolResult} {
		if n := &s.nodes[i]; int(n.End-n.Start) == len(role)+2 && string(s.text[n.Start+1:n.End-1]) == string(role) {
			return role, true
		}
	}
	return "", false
}

// plainRoute reports whether a name of an API or a provider is one about which
// repair has no rule (F-39, F-56).
func (s *skimmer) plainRoute(i int) bool {
	v := s.scan.Value(i, s.text)
	if v.Flags&jsonline.FlagEscaped != 0 {
		return false
	}
	name := v.String()
	return name != ownProvider && !isResponses(name)
}

// trimmed reports whether a string begins or ends with white space.
func (s *skimmer) trimmed(i int) bool {
	n := &s.nodes[i]
	first, last := s.text[n.Start+1], s.text[n.End-2]
	return first <= ' ' || last <= ' ' || first >= 0x80 || last >= 0x80
}

// speaks reports whether the content of a user turn has no blank text.
func (s *skimmer) speaks(i int) bool {
	if v := s.scan.Value(i, s.text); v.IsString() {
		return !v.Blank()
	}
	return s.blocks(i, func(typ, text int) bool {
		return s.is(typ, `"text"`) && text > 0 && s.scan.Value(text, s.text).IsString() && !s.scan.Value(text, s.text).Blank()
	})
}

// plainBlocks reports whether content holds nothing that could be an image.
func (s *skimmer) plainBlocks(i int) bool {
	if s.nodes[i].Kind == jsonline.String {
		return true
	}
	return s.blocks(i, func(typ, _ int) bool {
		return s.is(typ, `"text"`) || s.is(typ, `"thinking"`) || s.is(typ, `"toolCall"`)
	})
}

// blocks reports whether node i is a list of one or more objects, each of which
// has a type and is good. That gets the nodes of type and text, 0 for no text.
func (s *skimmer) blocks(i int, good func(typ, text int) bool) bool {
	if s.nodes[i].Kind != jsonline.Array || int(s.nodes[i].Next) == i+1 {
		return false
	}
	for j := i + 1; j < int(s.nodes[i].Next); j = int(s.nodes[j].Next) {
		if s.nodes[j].Kind != jsonline.ObjectKind {
			return false
		}
		typ, text := 0, 0
		for k := j + 1; k < int(s.nodes[j].Next); k = int(s.nodes[k].Next) {
			switch string(s.name(k)) {
			case "type":
				typ = k
			case "text":
				text = k
			case "":
				return false
			}
		}
		if typ == 0 || !good(typ, text) {
			return false
		}
	}
	return true
}
