package openairesponses

import (
	"bytes"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// assistant adds the items of an assistant turn in the order of its blocks
// (W-307). A turn that gives none is left out (D-05).
func (b *builder) assistant(m *transcript.Message) error {
	start := len(b.items)
	if v := m.Text(); v.Exists() {
		b.answer(m, nil, v)
	}
	for _, block := range m.Blocks() {
		var err error
		switch {
		case block.Is(transcript.TypeText):
			b.answer(m, block, block.TextValue())
		case block.IsThinking():
			b.thinking(m, block)
		case block.IsToolCall():
			err = b.call(m, block)
		case block.Is("refusal") && block.Get("refusal").IsString(): // W-124
			b.refusal(m, block)
		case b.isItem(block):
			b.nativeItem(m, block)
		default:
			b.log.Unknown(m, block)
		}
		if err != nil {
			return err
		}
	}
	b.settle(start)
	if len(b.items) == start {
		b.log.Add(hygiene.Drop, m, nil, nil, hygiene.Edit{Rule: "W-303", Reason: "the turn holds nothing that can go out"})
	}
	return nil
}

// answer adds the text of a block, or of the whole message for nil, as a message
// of its own (W-303).
func (b *builder) answer(m *transcript.Message, block *transcript.Block, v jsonline.Value) {
	start, same := len(b.parts), b.mark()
	b.say(m, block, v, "W-303")
	if len(b.parts) == start {
		return
	}
	it := item{kind: assistantMessage, turn: m, parts: b.since(start), from: b.from(block), same: same()}
	if block != nil {
		it.id, it.phase = b.textSignature(block.Get("textSignature"))
	}
	b.size += len(it.id) + 96
	b.message(it)
}

// textSignature returns the message id and the phase that a text was recorded
// with: JSON of both, or in older sessions the id alone (W-304).
func (b *builder) textSignature(v jsonline.Value) (id, phase string) {
	o := b.read.object(v)
	if !o.Exists() {
		return v.String(), ""
	}
	if string(o.Get("v").Raw) != "1" {
		return "", ""
	}
	switch phase = o.Get("phase").String(); phase {
	case "commentary", "final_answer":
	default:
		phase = ""
	}
	return o.Get("id").String(), phase
}

// reader reads JSON that is held as text.
type reader struct {
	scan  jsonline.Scanner
	arena jsonline.Arena
}

// object returns the object that v is, or that it holds as text.
func (r *reader) object(v jsonline.Value) jsonline.Object {
	if !v.IsString() {
		return v.Object()
	}
	if !bytes.ContainsRune(v.Raw, '{') {
		return jsonline.Object{}
	}
	raw := []byte(v.String())
	if r.scan.ScanAll(raw, jsonline.Options{Depth: 1, InvalidUTF8: true}) != nil || r.scan.Nodes[0].Kind != jsonline.ObjectKind {
		return jsonline.Object{}
	}
	return r.scan.Object(0, raw, &r.arena)
}

// call adds a tool call (W-305).
func (b *builder) call(m *transcript.Message, block *transcript.Block) error {
	it := item{kind: call, turn: m, name: b.log.Name(m, block, b.names), raw: b.log.Arguments(m, block).Raw}
	it.callID, it.id = splitID(block.ID())
	it.from = b.from(block)
	if it.custom = b.own != nil && block.Get("custom").Bool(); it.custom {
		b.free, it.id = with(b.free, it.callID), b.recorded(&it)
	} else if it.from > 0 && b.recorded(&it) != it.id {
		it.id = "" // the bar was part of the call id, or a pass gave it another
	}
	b.size += len(it.raw) + len(it.raw)/8 + len(it.callID) + len(it.id) + len(it.name) + 96
	b.items = append(b.items, it)
	return b.open(m, it.callID)
}

// with adds a name to a set that may not be there yet.
func with(set map[string]bool, name string) map[string]bool {
	if set == nil {
		set = map[string]bool{}
	}
	set[name] = true
	return set
}
