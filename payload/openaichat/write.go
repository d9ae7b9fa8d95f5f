package openaichat

import (
	"hygeia/internal/jsonline"
	"hygeia/internal/pages"
	"hygeia/payload"
	"hygeia/payload/internal/chat"
)

// body writes the request. The members have one fixed order, the messages come
// last (W-003).
func (b *builder) body() []byte {
	dst := b.appendHead(pages.Room(b.Size()))
	dst = append(dst, `,"messages":[`...)
	n := len(dst)
	dst = b.appendSystem(dst)
	marked := b.marked()
	for i := range b.Turns {
		if len(dst) > n {
			dst = append(dst, ',')
		}
		dst = b.appendTurn(dst, &b.Turns[i], i == marked)
	}
	return append(dst, `]}`...)
}

// appendSystem writes the one system message (W-401, W-253).
func (b *builder) appendSystem(dst []byte) []byte {
	w := &b.In.Policy.Wire
	stable, dynamic := payload.SplitSystem(b.In.Options.System)
	if stable == "" && dynamic == "" {
		return dst
	}
	role := "system"
	if w.DeveloperRole && b.In.Policy.Model.Reasoning {
		role = "developer"
	}
	dst = append(append(append(dst, `{"role":"`...), role...), `","content":`...)
	if !b.markers() || stable == "" {
		return append(jsonline.AppendQuoted(dst, payload.SystemText(b.In.Options.System)), '}')
	}
	dst = append(dst, `[{"type":"text","text":`...)
	dst = append(jsonline.AppendQuoted(dst, stable), cacheControl...)
	if dynamic != "" {
		dst = append(dst, `},{"type":"text","text":`...)
		dst = jsonline.AppendQuoted(dst, dynamic)
	}
	return append(dst, `}]}`...)
}

const cacheControl = `,"cache_control":{"type":"ephemeral"}`

// markers reports whether cache markers go out, which need content in parts.
func (b *builder) markers() bool {
	return b.In.Policy.Wire.CacheMarkers && !b.In.Policy.Wire.StringContent
}

// marked returns the index of the newest user turn, whose last text carries a
// cache marker, -1 for none (W-522). Runtime context carries none (W-230).
func (b *builder) marked() int {
	for i := len(b.Turns) - 1; i >= 0 && b.markers(); i-- {
		t := &b.Turns[i]
		if t.Role == chat.User && lastText(t) >= 0 && !t.From.CarriesContext() {
			return i
		}
	}
	return -1
}

// lastText returns the index of the last text part, -1 for none.
func lastText(t *chat.Turn) int {
	i := len(t.Parts) - 1
	for i >= 0 && t.Parts[i].Kind != chat.Text {
		i--
	}
	return i
}
