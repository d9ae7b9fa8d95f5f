package openairesponses

import (
	"strings"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// thought is a reasoning item as it was recorded in a thinking block.
type thought struct {
	block     *transcript.Block
	object    jsonline.Object
	encrypted bool // it has encrypted content
}

// thinking adds the reasoning item that a thinking block carries in its
// signature (W-320), or records why it does not go out.
func (b *builder) thinking(m *transcript.Message, block *transcript.Block) {
	t := thought{block: block, object: b.read.object(block.Get("thinkingSignature"))}
	id := t.object.Get("id").String()
	switch {
	case t.object.Get("type").String() != "reasoning":
		b.hold(m, block, "W-326", "the block carries no reasoning item of this format")
		return
	case !b.in.Policy.Model.Reasoning:
		b.hold(m, block, "W-320", "the model does not reason")
		return
	case b.copilot && t.object.Has("id") && !legalID(id, ""):
		b.hold(m, block, "W-324", "the id of the reasoning item is longer than 64 characters or not plain")
		return
	}
	v := t.object.Value()
	if legal := b.log.Text(m, block, v); &legal.Raw[0] != &v.Raw[0] {
		t.object = legal.Object()
	}
	b.complete(m, &t)
	if b.in.Policy.Wire.NoItemStatus {
		t.object = t.object.Without("status")
	}
	b.size += t.object.Size() + 16
	b.items = append(b.items, item{kind: reasoning, turn: m, id: id, thought: &t, from: b.from(block)})
}

// hold records that thinking does not go out.
func (b *builder) hold(m *transcript.Message, block *transcript.Block, rule, reason string) {
	b.log.Add(hygiene.Drop, m, block, nil, hygiene.Edit{
		Rule: rule, Reason: reason, Lossy: !block.TextValue().Blank() || block.Signature().Exists(),
	})
}

// settle decides about the reasoning and the ids of the items of one turn, which
// start at that index.
func (b *builder) settle(start int) {
	end := len(b.items)
	kept, covered := start, false
	for i := start; i < end; i++ {
		lead := i
		for i < end && b.items[i].kind == reasoning {
			i++
		}
		if i == end || b.items[i].apart {
			for _, it := range b.items[lead:i] {
				b.hold(it.turn, it.thought.block, "W-321", "nothing that goes out follows the reasoning item in its turn")
			}
			if lead = i; i == end {
				break
			}
		}
		if group := b.items[lead : i+1]; len(group) > 1 {
			covered = b.together(group)
		} else if it := &group[0]; !covered || it.kind != call && !b.served(start, kept) || !b.claim(group) {
			it.release() // only calls share the reasoning in front of others (W-311, W-315)
		}
		kept += copy(b.items[kept:], b.readable(b.items[lead:i+1]))
	}
	b.items = b.items[:kept]
}

// served reports whether the last item kept of a turn is the work of a tool of
// the service, which stands between reasoning and what it led to.
func (b *builder) served(start, kept int) bool {
	return kept > start && b.items[kept-1].kind == nativeItem && !b.items[kept-1].apart
}

// together lets reasoning items and the item behind them keep their ids, all or
// none (D-36).
func (b *builder) together(group []item) bool {
	if b.claim(group) {
		return true
	}
	for i := range group {
		group[i].release()
	}
	return false
}

// claim reports whether the recorded ids of all the items can go out. No id goes
// out twice (OR-05).
func (b *builder) claim(group []item) bool {
	if !b.ids {
		return false
	}
	for i := range group {
		if group[i].kind >= nativeItem {
			continue
		}
		id := group[i].id
		if !legalID(id, group[i].prefix()) || b.used[id] {
			for _, it := range group[:i] {
				delete(b.used, it.id)
			}
			return false
		}
		b.used[id] = true
	}
	return true
}

// release takes the id off.
func (it *item) release() { it.id, it.dropped = "", it.id != "" }

// readable takes the reasoning items out that have neither encrypted content nor
// an id that goes out: they tell the model nothing (D-42, W-323).
func (b *builder) readable(group []item) []item {
	kept := group[:0]
	for _, it := range group {
		if it.kind == reasoning && it.id == "" && !it.thought.encrypted {
			b.hold(it.turn, it.thought.block, "W-323", "the reasoning item has no encrypted content, and its id is not replayed")
			continue
		}
		kept = append(kept, it)
	}
	return kept
}

// prefixes are the beginnings of item ids (OR-06).
var prefixes = [...]string{userMessage: "msg_", systemMessage: "msg_", assistantMessage: "msg_", reasoning: "rs_", call: "fc_", output: "", nativeOutput: ""}

func (it *item) prefix() string {
	if it.kind == call && it.custom {
		return "ctc_"
	}
	return prefixes[it.kind]
}

// maxID is the longest item id and the longest call id in characters (OR-07,
// OR-11).
const maxID = 64

// legalID reports whether an id has the prefix, is short enough and holds only
// letters, digits, '_' and '-'.
func legalID(id, prefix string) bool {
	tail, ok := strings.CutPrefix(id, prefix)
	if !ok || tail == "" || len(id) > maxID {
		return false
	}
	for i := range len(tail) {
		switch c := tail[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '_', c == '-':
		default:
			return false
		}
	}
	return true
}

// splitID cuts a stored id at the first bar that is neither at its start nor at
// its end (W-312, R-80).
func splitID(id string) (call, item string) {
	if i := strings.IndexByte(id, '|'); 0 < i && i < len(id)-1 {
		return id[:i], id[i+1:]
	}
	return id, ""
}
