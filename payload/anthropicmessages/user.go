package anthropicmessages

import (
	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
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
func (b *builder) userTurn(t *turn) {
	if m := b.lone(t); m != nil {
		b.raw(`{"role":"user","content":`)
		b.out = append(b.out, b.log.Text(m, nil, m.Text()).Raw...)
		b.raw(`}`)
		return
	}
	start := b.open("user")
	for i := t.from; i < t.to && t.results; i++ {
		if m := b.messages[i]; !b.gone[i] && m.Is(transcript.ToolResult) {
			b.next(start)
			b.toolResult(m)
		}
	}
	if t.made != nil {
		b.madeUp(start, t.made)
	}
	for i := t.from; i < t.to; i++ {
		if m := b.messages[i]; !b.gone[i] && m.Is(transcript.User) {
			b.userMessage(start, m)
		}
	}
	if len(b.out) == start {
		b.text(start, jsonline.Text(texts.OmittedContent), false)
		b.log.Add(hygiene.Insert, b.messages[t.from], nil, texts.OmittedContent, hygiene.Edit{
			Rule: "W-162", Reason: "the user turn holds nothing that can go out", Synthetic: true,
		})
	}
	b.raw(`]}`)
}

// madeUp writes what no message gave.
func (b *builder) madeUp(start int, made *made) {
	for _, c := range made.open {
		b.next(start)
		b.raw(`{"type":"tool_result","tool_use_id":"` + c.id + `","content":`)
		b.out = jsonline.AppendQuoted(b.out, texts.MissingResult)
		b.raw(`,"is_error":true}`)
	}
	if made.text != "" {
		b.text(start, jsonline.Text(made.text), false)
	}
}

// lone returns the only message of a turn if its content goes out as a string.
func (b *builder) lone(t *turn) *transcript.Message {
	if t.to != t.from+1 || t.results {
		return nil
	}
	m := b.messages[t.from]
	if !says(m.Text()) || b.marks.text == (place{m, nil}) {
		return nil
	}
	return m
}

func (b *builder) userMessage(start int, m *transcript.Message) {
	if v := m.Text(); says(v) {
		b.text(start, b.log.Text(m, nil, v), b.marks.text == (place{m, nil}))
	} else if v.Exists() {
		b.log.Add(hygiene.Drop, m, nil, nil, hygiene.Edit{Rule: "W-202", Reason: "text is blank"})
	}
	for _, k := range m.Blocks() {
		switch {
		case k.Is(transcript.TypeText) && says(k.TextValue()):
			b.text(start, b.log.Text(m, k, k.TextValue()), b.marks.text == (place{m, k}))
		case isImage(k):
			b.next(start)
			b.image(k)
			b.closeBlock(b.marks.text == (place{m, k}))
		default:
			b.omitBlock(m, k)
		}
	}
}

func (b *builder) text(start int, v jsonline.Value, marked bool) {
	b.next(start)
	b.raw(`{"type":"text","text":`)
	b.out = append(b.out, v.Raw...)
	b.closeBlock(marked)
}

// omitBlock records a block that does not go out.
func (b *builder) omitBlock(m *transcript.Message, k *transcript.Block) {
	rule := "W-203"
	if m.Is(transcript.User) {
		rule = "W-202"
	}
	switch {
	case k.IsText():
		b.log.Add(hygiene.Drop, m, k, nil, hygiene.Edit{Rule: rule, Reason: "text is blank"})
	case m.Is(transcript.Assistant) && k.IsToolCall():
		b.log.Add(hygiene.Drop, m, k, nil, hygiene.Edit{Rule: "W-109", Reason: "call has no id or no name", Lossy: true})
	default:
		b.log.Unknown(m, k)
	}
}
