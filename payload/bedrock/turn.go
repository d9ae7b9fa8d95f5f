package bedrock

import (
	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/payload/internal/anthropic"
	"hygeia/transcript"
)

// open begins a message and returns the offset at which its first block starts.
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

func (b *builder) text(start int, v jsonline.Value) {
	b.next(start)
	b.raw(`{"text":`)
	b.out = append(b.out, v.Raw...)
	b.raw(`}`)
}

func (b *builder) cachePoint(start int) {
	b.next(start)
	b.raw(cachePoint)
}

// assistantTurn writes an assistant message (W-703, W-704).
func (b *builder) assistantTurn(t *anthropic.Turn) {
	start := b.open("assistant")
	b.Assistant(t, func(p anthropic.Piece) {
		b.next(start)
		end := `}`
		switch p.Kind {
		case anthropic.Text:
			b.raw(`{"text":`)
		case anthropic.Thinking:
			b.raw(`{"reasoningContent":{"reasoningText":{"text":`)
			b.out = append(b.out, p.Value.Raw...)
			b.raw(`,"signature":`)
			p.Value, end = p.Signature, `}}}`
		case anthropic.Redacted:
			b.raw(`{"reasoningContent":{"redactedContent":`)
			end = `}}`
		case anthropic.Call:
			b.raw(`{"toolUse":{"toolUseId":"`)
			b.raw(p.ID)
			b.raw(`","name":"`)
			b.raw(p.Name)
			b.raw(`","input":`)
			end = `}}`
		case anthropic.Native:
			b.native(p.Message, p.Block)
			return
		}
		b.out = append(b.out, p.Value.Raw...)
		if p.Kind == anthropic.Text || p.Kind == anthropic.Call {
			b.rest(p.Message, p.Block, "type", "text", "id", "name", "arguments")
		}
		b.raw(end)
	})
	b.raw(`]}`)
}

// userTurn writes results, then what users said (W-702, W-705, D-33).
func (b *builder) userTurn(t *anthropic.Turn) {
	start := b.open("user")
	b.results(start, t)
	if t.Made != nil && t.Made.Text != "" {
		b.text(start, jsonline.Text(t.Made.Text))
	}
	for i := t.From; i < t.To; i++ {
		if m := b.Messages[i]; !b.Gone(i) && m.Is(transcript.User) {
			b.userMessage(start, m)
		}
	}
	if len(b.out) == start {
		b.text(start, jsonline.Text(texts.OmittedContent))
		b.Log.Add(hygiene.Insert, b.Messages[t.From], nil, texts.OmittedContent, hygiene.Edit{
			Rule: "W-162", Reason: "the user turn holds nothing that can go out", Synthetic: true,
		})
	}
	b.raw(`]}`)
}

func (b *builder) userMessage(start int, m *transcript.Message) {
	before := len(b.out)
	if v := m.Text(); anthropic.Says(v) {
		b.text(start, b.Log.Text(m, nil, v))
	} else if v.Exists() {
		b.Log.Add(hygiene.Drop, m, nil, nil, hygiene.Edit{Rule: "W-702", Reason: "text is blank"})
	}
	for _, k := range m.Blocks() {
		switch {
		case k.Is(transcript.TypeText) && anthropic.Says(k.TextValue()):
			b.next(start)
			b.raw(`{"text":`)
			b.out = append(b.out, b.Log.Text(m, k, k.TextValue()).Raw...)
			b.rest(m, k, "type", "text")
			b.raw(`}`)
		case isImage(k):
			b.next(start)
			b.image(k)
		case b.isNative(m, k):
			b.next(start)
			b.native(m, k)
		case b.surplus[k] && b.in.Policy.Wire.CacheMarkers:
			b.Log.Add(hygiene.Drop, m, k, nil, hygiene.Edit{Rule: "W-711", Reason: tooManyPoints})
		default:
			b.OmitBlock(m, k)
		}
	}
	if m == b.marks.message && len(b.out) > before {
		b.cachePoint(start)
	}
}
