package anthropicmessages

import "hygeia/payload/internal/anthropic"

// assistantTurn writes an assistant message (W-203, W-210).
func (b *builder) assistantTurn(t *anthropic.Turn) {
	start := b.open("assistant")
	b.Assistant(t, func(p anthropic.Piece) {
		b.next(start)
		switch p.Kind {
		case anthropic.Text:
			b.raw(`{"type":"text","text":`)
		case anthropic.Thinking:
			b.raw(`{"type":"thinking","thinking":`)
			b.out = append(b.out, p.Value.Raw...)
			b.raw(`,"signature":`)
			p.Value = p.Signature
		case anthropic.Redacted:
			b.raw(`{"type":"redacted_thinking","data":`)
		case anthropic.Call:
			b.raw(`{"type":"tool_use","id":"`)
			b.raw(p.ID)
			b.raw(`","name":"`)
			b.raw(p.Name)
			b.raw(`","input":`)
		}
		b.out = append(b.out, p.Value.Raw...)
		b.raw(`}`)
	})
	b.raw(`]}`)
}
