package openaichat

import (
	"hygeia/internal/jsonline"
	"hygeia/payload"
)

// body writes the request. The members have one fixed order, the messages come
// last (W-003).
func (b *builder) body() []byte {
	dst := b.appendHead(make([]byte, 0, b.size()))
	dst = append(dst, `,"messages":[`...)
	n := len(dst)
	dst = b.appendSystem(dst)
	marked := b.marked()
	for i := range b.turns {
		if len(dst) > n {
			dst = append(dst, ',')
		}
		dst = b.appendTurn(dst, &b.turns[i], i == marked)
	}
	return append(dst, `]}`...)
}

// size estimates the length of the body, so that it is written in one piece.
// Only quotes in arguments can make it longer.
func (b *builder) size() int {
	n := 1024 + len(b.in.Options.System) + len(b.in.Options.Tools.Raw)
	for i := range b.turns {
		t := &b.turns[i]
		n += 64
		for j := range t.parts {
			n += len(t.parts[j].raw) + len(t.parts[j].mime) + 32
		}
		for j := range t.calls {
			c := &t.calls[j]
			n += len(c.arguments) + len(c.arguments)/8 + len(c.signature) + 2*(len(c.id)+len(c.name)) + 128
		}
		if t.thought != nil {
			for _, list := range [][][]byte{t.thought.lead, t.thought.texts, t.thought.details} {
				for _, raw := range list {
					n += len(raw) + 32
				}
			}
		}
	}
	return n
}

// appendSystem writes the one system message (W-401, W-253).
func (b *builder) appendSystem(dst []byte) []byte {
	w := &b.in.Policy.Wire
	stable, dynamic := payload.SplitSystem(b.in.Options.System)
	if stable == "" && dynamic == "" {
		return dst
	}
	role := "system"
	if w.DeveloperRole && b.in.Policy.Model.Reasoning {
		role = "developer"
	}
	dst = append(append(append(dst, `{"role":"`...), role...), `","content":`...)
	if !b.markers() || stable == "" {
		return append(jsonline.AppendQuoted(dst, payload.SystemText(b.in.Options.System)), '}')
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
	return b.in.Policy.Wire.CacheMarkers && !b.in.Policy.Wire.StringContent
}

// marked returns the index of the newest user turn, whose last text carries a
// cache marker, -1 for none (W-522). Runtime context carries none (W-230).
func (b *builder) marked() int {
	for i := len(b.turns) - 1; i >= 0 && b.markers(); i-- {
		t := &b.turns[i]
		if t.role == user && t.lastText() >= 0 && !t.from.Get("runtimeContextCarrier").Bool() {
			return i
		}
	}
	return -1
}

// lastText returns the index of the last text part, -1 for none.
func (t *turn) lastText() int {
	i := len(t.parts) - 1
	for i >= 0 && t.parts[i].kind != textPart {
		i--
	}
	return i
}
