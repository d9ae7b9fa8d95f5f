package check

import "fmt"

// anthropicKeys are the members of the blocks that this project writes (AN-35).
// The list ages: a block of a type that is not here may have any. Thinking
// blocks have a rule of their own for markers (AN-29).
var anthropicKeys = []struct {
	typ   string
	known uint32
}{
	{"text", bits(inText, inCitations)},
	{"image", bits(inSource)},
	{"thinking", bits(inThinking, inSignature)},
	{"redacted_thinking", bits(inData)},
	{"tool_use", bits(inID, inName, inInput, inCaller)},
	{"tool_result", bits(inUse, inContent, inError)},
}

// bits returns a bit for each of the members, and of those that every block may
// have.
func bits(members ...blockMember) uint32 {
	set := uint32(1<<inType | 1<<inCache)
	for _, m := range members {
		set |= 1 << m
	}
	return set
}

func anthropicUnknown(r *request) {
	for i := range r.memo.messages {
		m := &r.memo.messages[i]
		for n := range m.members() {
			switch string(n.name()) {
			case "role", "content", "cache_control":
			default:
				r.extra(pointer("messages", i), string(n.name()))
			}
		}
		for j := range m.blocks {
			b := &m.blocks[j]
			if unknown := b.unknown(); unknown != 0 {
				r.extras(b, unknown, b.path())
			}
			if b.typ != "tool_result" {
				continue
			}
			for k := range b.inner {
				if unknown := b.inner[k].unknown(); unknown != 0 {
					r.extras(&b.inner[k], unknown, b.path()+pointer("content", k))
				}
			}
		}
	}
}

// unknown returns a bit for each member that a block of that type does not have.
func (b *block) unknown() uint32 {
	for i := range anthropicKeys {
		if anthropicKeys[i].typ == b.typ {
			return b.names &^ anthropicKeys[i].known
		}
	}
	return 0
}

// extras reports the unknown members of a block.
func (r *request) extras(b *block, unknown uint32, path string) {
	for n := range b.node.members() {
		if 1<<anthropicMember(n.name())&unknown != 0 {
			r.extra(path, string(n.name()))
		}
	}
}

func (r *request) extra(path, name string) {
	r.reportText("AN-35", path+pointer(name), fmt.Sprintf("%s: Extra inputs are not permitted", name))
}
