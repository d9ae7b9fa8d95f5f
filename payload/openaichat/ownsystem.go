package openaichat

import (
	"bytes"
	"strings"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/payload/internal/chat"
)

// appendOwnSystem writes the system messages in front of the turns as they came
// in, but for what the target does not take, unless the caller gives a system
// prompt.
func (b *builder) appendOwnSystem(list []byte) []byte {
	front := chat.Front(b.Own)
	if b.In.Options.System == "" && b.In.Policy.Wire.SingleSystem && len(front) > 1 {
		return b.appendJoined(list, front)
	}
	return b.OwnSystem(list, b.appendSystem, b.systemMessage)
}

// systemMessage returns a system message as the target takes it: with a role that
// it knows (W-401), content of the right kind (W-402), and no mark of a cache
// boundary (W-123).
func (b *builder) systemMessage(m jsonline.Object) jsonline.Object {
	edit := func(name string, v jsonline.Value, rule, reason string) {
		b.Log.Parameter("messages", m.Value(), m.With(name, v).Value(), hygiene.Edit{Rule: rule, Reason: reason})
		m = m.With(name, v)
	}
	w, content := &b.In.Policy.Wire, m.Get("content")
	if m.Get("role").String() == "developer" && !w.DeveloperRole {
		edit("role", jsonline.Text("system"), "W-401", "the target knows no role developer")
	}
	switch unbounded := payload.Unbounded(content); {
	case !content.IsString() && content.Kind != jsonline.Array:
		edit("content", jsonline.Text(""), "W-402", "the content is neither a text nor a list")
	case content.Kind == jsonline.Array && w.StringContent:
		edit("content", jsonline.Text(payload.SystemText(systemText(m))), "W-402", "the target takes text only")
	case !bytes.Equal(unbounded.Raw, content.Raw):
		edit("content", unbounded, "W-123", "the text holds a cache boundary")
	}
	return m
}

// appendJoined writes one system message for all of them (W-253).
func (b *builder) appendJoined(list []byte, front []int) []byte {
	b.Splice.Cut()
	var all []string
	for n, i := range front {
		raw := b.Own.Turns[i].Raw
		all = append(all, systemText(raw.Object()))
		if n > 0 {
			b.Log.Parameter("messages", raw, jsonline.Value{}, hygiene.Edit{
				Rule: "W-253", Reason: "the target takes one system message: the text stands in the first",
			})
		}
	}
	text := payload.SystemText(strings.Join(all, "\n"))
	first := b.Own.Turns[front[0]].Raw.Object().With("content", payload.Legal(jsonline.Text(text)))
	return b.systemMessage(first).AppendTo(list)
}

// systemText returns the text of a system message.
func systemText(m jsonline.Object) string {
	content := m.Get("content")
	if content.IsString() {
		return content.String()
	}
	var parts []string
	for part := range content.Elements() {
		if t := part.Object().Get("text"); t.IsString() {
			parts = append(parts, t.String())
		}
	}
	return strings.Join(parts, "\n")
}
