package anthropicmessages

import (
	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/payload/internal/anthropic"
	"hygeia/transcript"
)

// open begins a message whose content is a list of blocks and returns the
// offset at which the first block starts.
func (b *builder) open(role string) int {
	b.raw(`{"role":"`)
	b.raw(role)
	b.raw(`","content":[`)
	return len(b.out)
}

// next separates a block from the one before.
func (b *builder) next(start int) {
	if len(b.out) > start {
		b.raw(`,`)
	}
}

// userTurn writes results, then what users said (W-202, W-204, W-205).
func (b *builder) userTurn(t *anthropic.Turn) {
	if m := b.lone(t); m != nil {
		b.raw(`{"role":"user","content":`)
		b.out = append(b.out, b.Log.Text(m, nil, m.Text()).Raw...)
		b.raw(`}`)
		return
	}
	start := b.open("user")
	for i := t.From; i < t.To && t.Results; i++ {
		if m := b.Messages[i]; !b.Gone(i) && m.Is(transcript.ToolResult) {
			b.next(start)
			b.toolResult(m)
		}
	}
	if t.Made != nil {
		b.madeUp(start, t.Made)
	}
	for i := t.From; i < t.To; i++ {
		if m := b.Messages[i]; !b.Gone(i) && m.Is(transcript.User) {
			b.userMessage(start, m)
		}
	}
	if len(b.out) == start {
		b.text(start, jsonline.Text(texts.OmittedContent))
		b.raw(`}`)
		b.Log.Add(hygiene.Insert, b.Messages[t.From], nil, texts.OmittedContent, hygiene.Edit{
			Rule: "W-162", Reason: "the user turn holds nothing that can go out", Synthetic: true,
		})
	}
	b.raw(`]}`)
}

// madeUp writes what no message gave.
func (b *builder) madeUp(start int, made *anthropic.Made) {
	for _, id := range made.Open {
		b.next(start)
		b.raw(`{"type":"tool_result","tool_use_id":"` + id + `","content":`)
		b.out = jsonline.AppendQuoted(b.out, texts.MissingResult)
		b.raw(`,"is_error":true}`)
	}
	if made.Text != "" {
		b.text(start, jsonline.Text(made.Text))
		b.raw(`}`)
	}
}

// lone returns the only message of a turn if its content goes out as a string.
func (b *builder) lone(t *anthropic.Turn) *transcript.Message {
	if t.To != t.From+1 || t.Results {
		return nil
	}
	m := b.Messages[t.From]
	if !anthropic.Says(m.Text()) || b.marks.text == (place{m, nil}) {
		return nil
	}
	return m
}

func (b *builder) userMessage(start int, m *transcript.Message) {
	if v := m.Text(); anthropic.Says(v) {
		b.text(start, b.Log.Text(m, nil, v))
		b.closeBlock(b.marks.text == (place{m, nil}))
	} else if v.Exists() {
		b.Log.Add(hygiene.Drop, m, nil, nil, hygiene.Edit{Rule: "W-202", Reason: "text is blank"})
	}
	for _, k := range m.Blocks() {
		switch {
		case k.Is(transcript.TypeText) && anthropic.Says(k.TextValue()):
			b.text(start, b.Log.Text(m, k, k.TextValue()))
			b.rest(m, k, "type", "text")
			b.closeBlock(b.marks.text == (place{m, k}))
		case isImage(k):
			b.next(start)
			b.image(m, k)
			b.closeBlock(b.marks.text == (place{m, k}))
		case b.isNative(m, k):
			b.next(start)
			b.native(m, k)
		default:
			b.OmitBlock(m, k)
		}
	}
}

// text writes a text block without the brace that ends it.
func (b *builder) text(start int, v jsonline.Value) {
	b.next(start)
	b.raw(`{"type":"text","text":`)
	b.out = append(b.out, v.Raw...)
}
