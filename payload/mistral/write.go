package mistral

import (
	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/payload/internal/chat"
)

// body writes the request. The members have one fixed order, the messages come
// last (W-003).
func (b *builder) body() []byte {
	dst := make([]byte, 0, b.Size())
	dst = jsonline.AppendQuoted(append(dst, `{"model":`...), b.In.Target.Model)
	dst = append(dst, `,"stream":true,"max_tokens":`...)
	dst = jsonline.AppendInt(dst, int64(b.In.MaxTokens()))
	dst = b.AppendTools(dst, b.definition)
	dst = append(dst, `,"messages":[`...)
	n := len(dst)
	if system := payload.SystemText(b.In.Options.System); system != "" {
		dst = append(jsonline.AppendQuoted(append(dst, `{"role":"system","content":`...), system), '}')
	}
	for i := range b.Turns {
		if len(dst) > n {
			dst = append(dst, ',')
		}
		dst = appendTurn(dst, &b.Turns[i])
	}
	return append(dst, `]}`...)
}

// appendTurn writes one message (W-801…W-803).
func appendTurn(dst []byte, t *chat.Turn) []byte {
	switch t.Role {
	case chat.User:
		dst = append(dst, `{"role":"user"`...)
		if len(t.Parts) == 1 && t.Parts[0].Kind == chat.Text {
			return append(append(append(dst, `,"content":`...), t.Parts[0].Raw...), '}')
		}
	case chat.Assistant:
		dst = append(dst, `{"role":"assistant"`...)
	case chat.Tool:
		dst = jsonline.AppendQuoted(append(dst, `{"role":"tool","tool_call_id":`...), t.Answers.ID)
		dst = jsonline.AppendQuoted(append(dst, `,"name":`...), t.Answers.Name)
	}
	for i := range t.Parts {
		sep := `,`
		if i == 0 {
			sep = `,"content":[`
		}
		dst = appendPart(append(dst, sep...), &t.Parts[i])
	}
	if len(t.Parts) > 0 {
		dst = append(dst, ']')
	}
	return append(chat.AppendCalls(dst, t.Calls), '}')
}

func appendPart(dst []byte, p *chat.Part) []byte {
	switch p.Kind {
	case chat.Image:
		dst = append(append(dst, `{"type":"image_url","image_url":"data:`...), chat.Inner(p.Mime)...)
		return append(append(append(dst, `;base64,`...), chat.Inner(p.Raw)...), `"}`...)
	case chat.Thinking:
		dst = append(dst, `{"type":"thinking","thinking":[{"type":"text","text":`...)
		return append(append(dst, p.Raw...), `}]}`...)
	}
	return append(append(append(dst, `{"type":"text","text":`...), p.Raw...), '}')
}

// definition returns a tool definition with a name that is legal (W-176).
func (b *builder) definition(def jsonline.Value) jsonline.Value {
	return payload.Legal(b.Names.Definition(def, format.NamePath...))
}
