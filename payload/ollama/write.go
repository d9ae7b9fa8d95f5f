package ollama

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
	dst = append(dst, `,"stream":true,"options":{"num_predict":`...)
	dst = append(jsonline.AppendInt(dst, int64(b.In.MaxTokens())), '}')
	if b.think != "" {
		dst = append(append(dst, `,"think":`...), b.think...)
	}
	dst = b.AppendTools(dst, b.definition)
	dst = b.AppendMessages(append(dst, `,"messages":`...), appendTurn)
	return append(dst, '}')
}

// definition returns a tool definition with a name that is legal (W-176).
func (b *builder) definition(def jsonline.Value) jsonline.Value {
	return payload.Legal(b.Names.Definition(def, format.NamePath...))
}

// appendTurn writes one message (W-551). What a user says is joined by newlines,
// what the model said goes out as it came (W-402, W-403).
func appendTurn(dst []byte, t *chat.Turn) []byte {
	dst = append(append(append(dst, `{"role":"`...), t.Role.String()...), `","content":`...)
	sep := `\n`
	if t.Role == chat.Assistant {
		sep = ``
	}
	dst = appendContent(dst, t.Parts, sep)
	dst = appendImages(dst, t.Parts)
	dst = appendCalls(dst, t.Calls)
	if t.Role == chat.Tool {
		dst = jsonline.AppendQuoted(append(dst, `,"tool_name":`...), t.Answers.Name)
		if t.Answers.Named {
			dst = jsonline.AppendQuoted(append(dst, `,"tool_call_id":`...), t.Answers.ID)
		}
	}
	return append(append(dst, t.Rest...), '}')
}

// appendContent writes the texts of a message as one string.
func appendContent(dst []byte, parts []chat.Part, sep string) []byte {
	dst = append(dst, '"')
	n := len(dst)
	for i := range parts {
		if parts[i].Kind != chat.Text {
			continue
		}
		if len(dst) > n {
			dst = append(dst, sep...)
		}
		dst = append(dst, chat.Inner(parts[i].Raw)...)
	}
	return append(dst, '"')
}

// appendImages writes the images of a message, which are absent if there are
// none.
func appendImages(dst []byte, parts []chat.Part) []byte {
	n := 0
	for i := range parts {
		if parts[i].Kind != chat.Image {
			continue
		}
		sep := `,`
		if n == 0 {
			sep = `,"images":[`
		}
		dst = append(append(dst, sep...), parts[i].Raw...)
		n++
	}
	if n > 0 {
		dst = append(dst, ']')
	}
	return dst
}

// appendCalls writes tool_calls with their arguments as objects (LO-06), and with
// their ids where a request names them. The member is absent if there are none.
func appendCalls(dst []byte, calls []chat.Call) []byte {
	for i := range calls {
		sep := `,`
		if i == 0 {
			sep = `,"tool_calls":[`
		}
		dst = append(append(dst, sep...), '{')
		if calls[i].Named {
			dst = append(jsonline.AppendQuoted(append(dst, `"id":`...), calls[i].ID), ',')
		}
		dst = jsonline.AppendQuoted(append(dst, `"function":{"name":`...), calls[i].Name)
		dst = append(append(append(append(dst, `,"arguments":`...), calls[i].Arguments...), calls[i].Beside...), '}')
		dst = append(append(dst, calls[i].Rest...), '}')
	}
	if len(calls) > 0 {
		dst = append(dst, ']')
	}
	return dst
}
