package anthropicmessages

import "hygeia/payload/internal/anthropic"

// assistantTurn writes an assistant message (W-203, W-210).
func (b *builder) assistantTurn(t *anthropic.Turn) {
	start := b.open("assistant")
	b.Assistant(t, func(p anthropic.Piece) {
		b.next(start)
		b.piece(&p)
	})
	b.raw(`]}`)
}

// piece writes one block of an assistant message.
func (b *builder) piece(p *anthropic.Piece) {
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
	case anthropic.Native:
		b.native(p.Message, p.Block)
		return
	}
	b.out = append(b.out, p.Value.Raw...)
	b.rest(p.Message, p.Block, known[p.Kind]...)
	b.raw(`}`)
}

// known are the members of blocks that the converter writes itself.
var known = map[anthropic.PieceKind][]string{
	anthropic.Text:     {"type", "text"},
	anthropic.Thinking: {"type", "thinking", "signature"},
	anthropic.Redacted: {"type", "data"},
	anthropic.Call:     {"type", "id", "name", "arguments"},
}
