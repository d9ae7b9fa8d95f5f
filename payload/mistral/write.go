package mistral

import (
	"hygeia/internal/jsonline"
	"hygeia/internal/pages"
	"hygeia/payload"
	"hygeia/payload/internal/chat"
)

// body writes the request. The members have one fixed order, the messages come
// last (W-003).
func (b *builder) body() []byte {
	dst := pages.Room(b.Size())
	dst = jsonline.AppendQuoted(append(dst, `{"model":`...), b.In.Target.Model)
	dst = append(dst, `,"stream":true,"max_tokens":`...)
	dst = jsonline.AppendInt(dst, int64(b.In.MaxTokens()))
	dst = b.AppendTools(dst, b.definition)
	dst = b.AppendMessages(append(dst, `,"messages":`...), appendTurn)
	return append(dst, '}')
}

// appendTurn writes one message (W-801…W-803).
func appendTurn(dst []byte, t *chat.Turn) []byte {
	dst = append(append(append(dst, `{"role":"`...), t.Role.String()...), '"')
	if t.Role == chat.Tool {
		dst = jsonline.AppendQuoted(append(dst, `,"tool_call_id":`...), t.Answers.ID)
		dst = jsonline.AppendQuoted(append(dst, `,"name":`...), t.Answers.Name)
	}
	dst = appendContent(dst, t)
	dst = chat.AppendCalls(dst, t.Calls)
	return append(append(dst, t.Rest...), '}')
}

// appendContent writes content in parts; one text alone that is no model's and
// no tool's is a string.
func appendContent(dst []byte, t *chat.Turn) []byte {
	said := t.Role == chat.User || t.Role == chat.System
	if said && len(t.Parts) == 1 && t.Parts[0].Kind == chat.Text && t.Parts[0].Rest == nil {
		return append(append(dst, `,"content":`...), t.Parts[0].Raw...)
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
	return dst
}

func appendPart(dst []byte, p *chat.Part) []byte {
	switch p.Kind {
	case chat.Image:
		dst = append(append(dst, `{"type":"image_url","image_url":"data:`...), chat.Inner(p.Mime)...)
		dst = append(append(append(dst, `;base64,`...), chat.Inner(p.Raw)...), '"')
	case chat.Thinking:
		dst = append(dst, `{"type":"thinking","thinking":[{"type":"text","text":`...)
		dst = append(append(dst, p.Raw...), `}]`...)
	case chat.Native:
		return append(dst, p.Raw...)
	default:
		dst = append(append(dst, `{"type":"text","text":`...), p.Raw...)
	}
	return append(append(dst, p.Rest...), '}')
}

// definition returns a tool definition with a name that is legal (W-176).
func (b *builder) definition(def jsonline.Value) jsonline.Value {
	return payload.Legal(b.Names.Definition(def, format.NamePath...))
}
