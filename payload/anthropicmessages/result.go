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
func (b *builder) image(m *transcript.Message, k *transcript.Block) {
	b.raw(`{"type":"image","source":{"type":"base64","media_type":`)
	b.out = append(b.out, k.Get("mimeType").Raw...)
	b.raw(`,"data":`)
	b.out = payload.AppendText(b.out, k.Get("data"))
	b.raw(`}`)
	b.rest(m, k, "type", "data", "mimeType")
}

// toolResult writes a tool result (W-204). One of the request's own goes back as
// it was, with another id if need be.
func (b *builder) toolResult(m *transcript.Message) {
	if v := b.ownResult(m); v.Exists() {
		b.out = append(b.out, b.Log.Text(m, nil, v).Raw...)
		return
	}
	b.raw(`{"type":"tool_result","tool_use_id":"`)
	b.raw(b.ResultID(m))
	b.raw(`","content":`)
	b.resultContent(m)
	if b.own == nil || m.Get("isError").Exists() {
		b.raw(`,"is_error":`)
		b.out = append(b.out, jsonline.Bool(m.IsError()).Raw...)
	}
	if b.own != nil {
		b.resultRest(m)
	}
	b.closeBlock(m == b.marks.result)
}

// resultContent writes the content of a tool result: a string, or text and
// images; blocks of the format that a request held stay among them.
func (b *builder) resultContent(m *transcript.Message) {
	none := texts.NoOutput
	if m.IsError() {
		none = texts.ToolErrorNoOutput
	}
	if b.own != nil && m.Any(func(k *transcript.Block) bool { return b.isNative(m, k) }) {
		b.nativeContent(m, none)
		return
	}
	text := b.Log.ResultText(m, none)
	for _, k := range m.Blocks() {
		if k.Is(transcript.TypeImage) && !isImage(k) {
			b.Log.Unknown(m, k)
		}
	}
	if !m.Any(isImage) {
		b.out = append(b.out, text.Raw...)
		return
	}
	b.raw(`[{"type":"text","text":`)
	b.out = append(b.out, text.Raw...)
	b.raw(`}`)
	for _, k := range m.Blocks() {
		if isImage(k) {
			b.raw(`,`)
			b.image(m, k)
			b.raw(`}`)
		}
	}
	b.raw(`]`)
}
