package openairesponses

import (
	"strings"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// rest returns the members of a block of a request but the named ones.
func (b *builder) rest(m *transcript.Message, block *transcript.Block, but ...string) []byte {
	if b.own == nil || block == nil {
		return nil
	}
	return b.log.Rest(nil, m, block, but...)
}

// mark returns a function that tells whether nothing was recorded since.
func (b *builder) mark() func() bool {
	n := len(b.in.Report.Changes)
	return func() bool { return b.own != nil && len(b.in.Report.Changes) == n }
}

// element returns 1 + the index of the element of the input that a message was,
// 0 for none.
func (b *builder) element(m *transcript.Message) int {
	if b.own == nil {
		return 0
	}
	return 1 + b.own.TurnOf(m)
}

// whole reports whether a message is all of an element of the input, as it was
// decoded.
func (b *builder) whole(m *transcript.Message) bool { return b.own.Native(m).Exists() }

// from returns 1 + the index of the element of the input that a block of a turn
// of the model was part of, 0 for none.
func (b *builder) from(block *transcript.Block) int {
	if b.own == nil || block == nil {
		return 0
	}
	n, ok := block.Get("item").Number()
	if !ok || n < 0 || int(n) >= len(b.own.Turns) {
		return 0
	}
	return 1 + int(n)
}

// message adds a message of the model. Parts of one message of a request stay
// together.
func (b *builder) message(it item) {
	if n := len(b.items); it.from > 0 && n > 0 {
		if last := &b.items[n-1]; last.kind == assistantMessage && last.from == it.from {
			last.parts = append(last.parts, it.parts...)
			last.same = last.same && it.same
			return
		}
	}
	b.items = append(b.items, it)
}

// refusal adds what a model said in the place of an answer.
func (b *builder) refusal(m *transcript.Message, block *transcript.Block) {
	same := b.mark()
	b.part(part{kind: nativePart, raw: b.log.Text(m, block, block.Members().Without("item").Value()).Raw})
	it := item{kind: assistantMessage, turn: m, parts: b.since(len(b.parts) - 1), from: b.from(block), same: same()}
	it.id = b.recorded(&it)
	b.message(it)
}

// recorded returns the id of an item as it came in, "" for none.
func (b *builder) recorded(it *item) string {
	if it.from == 0 {
		return ""
	}
	return b.own.Turns[it.from-1].Raw.Object().Get("id").String()
}

// isItem reports whether a block is a whole item of the input.
func (b *builder) isItem(block *transcript.Block) bool {
	n, typ := b.from(block), string(block.Type())
	return n > 0 && block.IsObject() && typ != "" && typ != "message" && typ == b.own.Turns[n-1].Raw.Object().Get("type").String()
}

// nativeItem adds an item of the request that has no other form (W-124).
func (b *builder) nativeItem(m *transcript.Message, block *transcript.Block) {
	it := item{kind: nativeItem, turn: m, from: b.from(block)}
	switch typ := string(block.Type()); typ {
	case "function_call_output", "custom_tool_call_output":
		it.kind, it.apart = nativeOutput, true
	default:
		it.apart = typ != "item_reference" && !strings.HasSuffix(typ, "_call")
	}
	b.items = append(b.items, it)
	b.size += block.Members().Size()
}

// system adds a system message between the turns where the target takes one.
func (b *builder) system(m *transcript.Message) {
	if !m.IsSystem() || !b.in.Policy.SystemTurns {
		b.log.Unknown(m, nil)
		return
	}
	same := b.mark()
	if parts := b.content(m); len(parts) > 0 {
		b.items = append(b.items, item{kind: systemMessage, turn: m, parts: parts, from: b.element(m), same: same() && b.whole(m)})
	}
}

// hasParts reports whether a result came as a list of parts.
func (b *builder) hasParts(m *transcript.Message) bool {
	n := b.element(m)
	return n > 0 && b.own.Turns[n-1].Raw.Object().Get("output").Kind == jsonline.Array
}

// complete gives a reasoning item what the format demands (W-320) and takes
// encrypted content off it that holds nothing. In a request that is recorded.
func (b *builder) complete(m *transcript.Message, t *thought) {
	edit := func(reason string, o jsonline.Object) {
		if b.own != nil {
			b.log.Add(hygiene.Replace, m, t.block, nil, hygiene.Edit{Rule: "W-320", Reason: reason})
		}
		t.object = o
	}
	content := t.object.Get("encrypted_content")
	if t.encrypted = content.IsString() && !content.Blank(); !t.encrypted && content.Exists() && (b.own == nil || content.Kind != jsonline.Null) {
		edit("the encrypted content holds nothing", t.object.Without("encrypted_content"))
	}
	if t.object.Get("summary").Kind != jsonline.Array {
		edit("the reasoning item has no list of summaries", t.object.With("summary", list([]byte("[]"))))
	}
}
