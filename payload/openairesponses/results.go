package openairesponses

import (
	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/transcript"
)

// result adds the output of a call (W-306): a string, or text and images.
func (b *builder) result(m *transcript.Message) error {
	it, same := item{kind: output, turn: m, from: b.element(m)}, b.mark()
	it.callID, _ = splitID(m.ToolCallID())
	if err := b.close(m, it.callID); err != nil {
		return err
	}
	it.custom = b.free[it.callID]
	if b.hasParts(m) {
		it.parts = b.content(m)
		if len(it.parts) == 0 {
			it.raw, it.parts = jsonline.Text(texts.NoOutput).Raw, nil
			b.log.Add(hygiene.Replace, m, nil, texts.NoOutput, hygiene.Edit{Rule: "W-306", Reason: "the output is empty", Synthetic: true})
		}
	} else if m.Any(isImage) {
		it.parts = b.pictures(m)
	} else {
		it.raw = b.log.ResultText(m, texts.NoOutput).Raw
	}
	it.same = same() && b.whole(m)
	b.size += len(it.raw) + len(it.callID) + 96
	b.items = append(b.items, it)
	return nil
}

// pictures returns the content of a result with images: its text, if it has
// any, in front of them.
func (b *builder) pictures(m *transcript.Message) []part {
	start := len(b.parts)
	var others []*transcript.Block
	for _, block := range m.Blocks() {
		if !isImage(block) {
			others = append(others, block)
		}
	}
	if v := b.log.ResultText(m.WithBlocks(others), ""); !v.Blank() {
		b.text(v)
	}
	for _, block := range m.Blocks() {
		if isImage(block) {
			b.image(m, block)
		}
	}
	if len(b.parts) == start {
		b.text(jsonline.Text(texts.NoOutput))
	}
	return b.since(start)
}

func isImage(b *transcript.Block) bool { return b.Is(transcript.TypeImage) }
