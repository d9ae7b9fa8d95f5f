package anthropicmessages

import (
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/payload"
	"hygeia/transcript"
)

// isImage reports whether an image has what the format demands.
func isImage(k *transcript.Block) bool {
	if !k.Is(transcript.TypeImage) || !k.Get("data").IsString() || k.Get("data").Blank() {
		return false
	}
	switch k.Get("mimeType").String() {
	case "image/jpeg", "image/png", "image/gif", "image/webp":
		return true
	}
	return false
}

// image writes an image without the brace that ends it.
func (b *builder) image(k *transcript.Block) {
	b.raw(`{"type":"image","source":{"type":"base64","media_type":`)
	b.out = append(b.out, k.Get("mimeType").Raw...)
	b.raw(`,"data":`)
	b.out = payload.AppendText(b.out, k.Get("data"))
	b.raw(`}`)
}

// toolResult writes a tool result: a string, or text and images (W-204).
func (b *builder) toolResult(m *transcript.Message) {
	failed, none := m.IsError(), texts.NoOutput
	if failed {
		none = texts.ToolErrorNoOutput
	}
	text := b.Log.ResultText(m, none)
	for _, k := range m.Blocks() {
		if k.Is(transcript.TypeImage) && !isImage(k) {
			b.Log.Unknown(m, k)
		}
	}
	b.raw(`{"type":"tool_result","tool_use_id":"`)
	b.raw(b.ResultID(m))
	b.raw(`","content":`)
	if !m.Any(isImage) {
		b.out = append(b.out, text.Raw...)
	} else {
		b.raw(`[{"type":"text","text":`)
		b.out = append(b.out, text.Raw...)
		b.raw(`}`)
		for _, k := range m.Blocks() {
			if isImage(k) {
				b.raw(`,`)
				b.image(k)
				b.raw(`}`)
			}
		}
		b.raw(`]`)
	}
	b.raw(`,"is_error":`)
	b.out = append(b.out, jsonline.Bool(failed).Raw...)
	b.closeBlock(m == b.marks.result)
}
