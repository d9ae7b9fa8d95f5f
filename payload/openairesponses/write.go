package openairesponses

import (
	"hygeia/internal/jsonline"
	"hygeia/internal/pages"
	"hygeia/payload"
)

// body writes the request. The members have one fixed order, the input comes
// last (W-003).
func (b *builder) body() []byte {
	o := &b.in.Options
	dst := pages.Room(1024 + b.size + len(b.items)*32 + len(o.System) + len(o.System)/8 + len(o.Tools.Raw))
	dst = append(b.head(dst), `,"input":[`...)
	n := len(dst)
	dst = b.prompt(dst)
	for i := range b.items {
		if len(dst) > n {
			dst = append(dst, ',')
		}
		dst = b.item(dst, &b.items[i])
	}
	return append(dst, `]}`...)
}

// prompt writes the system prompt as the first item (W-301). On the back end of
// ChatGPT it stands in the instructions alone (W-342).
func (b *builder) prompt(dst []byte) []byte {
	system := payload.SystemText(b.in.Options.System)
	if system == "" || b.codex {
		return dst
	}
	role := "system"
	if b.in.Policy.Model.Reasoning {
		role = "developer"
	}
	dst = append(append(append(dst, `{"type":"message","role":"`...), role...), `","content":[{"type":"input_text","text":`...)
	return append(jsonline.AppendQuoted(dst, system), `}]}`...)
}

func (b *builder) item(dst []byte, it *item) []byte {
	switch it.kind {
	case userMessage, systemMessage:
		role := "user"
		if it.kind == systemMessage {
			role = "system"
			if b.codex {
				role = "developer" // CX-07
			}
		}
		dst = append(append(append(dst, `{"type":"message","role":"`...), role...), `","content":`...)
		dst = appendParts(dst, it.parts, `{"type":"input_text","text":`, `}`)
	case assistantMessage:
		dst = append(dst, `{"type":"message","role":"assistant"`...)
		if !b.in.Policy.Wire.NoItemStatus {
			dst = append(dst, `,"status":"completed"`...)
		}
		dst = appendMember(dst, `,"id":`, it.id)
		dst = appendMember(dst, `,"phase":`, it.phase)
		dst = append(dst, `,"content":`...)
		dst = appendParts(dst, it.parts, `{"type":"output_text","text":`, `,"annotations":[]}`)
	case reasoning:
		o := it.thought.object
		if it.id == "" {
			o = o.Without("id") // W-325, W-343
		}
		return o.AppendTo(dst)
	case call:
		dst = append(append(append(dst, `{"type":"`...), it.calls()...), '"')
		dst = appendMember(dst, `,"id":`, it.id)
		dst = appendMember(dst, `,"call_id":`, it.callID)
		dst = appendMember(dst, `,"name":`, it.name)
		if it.custom {
			dst = jsonline.AppendQuoted(append(dst, `,"input":`...), it.input())
		} else {
			dst = jsonline.AppendQuoted(append(dst, `,"arguments":`...), it.raw)
		}
	case output:
		dst = appendMember(append(append(append(dst, `{"type":"`...), it.calls()...), `_output"`...), `,"call_id":`, it.callID)
		dst = append(dst, `,"output":`...)
		if it.parts == nil {
			dst = append(dst, it.raw...)
		} else {
			dst = appendParts(dst, it.parts, `{"type":"input_text","text":`, `}`)
		}
	}
	return append(dst, '}')
}

// appendMember writes a member whose value is a string, unless that is empty.
func appendMember(dst []byte, name, value string) []byte {
	if value == "" {
		return dst
	}
	return jsonline.AppendQuoted(append(dst, name...), value)
}

// appendParts writes a list of parts. What stands around a text depends on who
// says it (OR-14).
func appendParts(dst []byte, parts []part, open, end string) []byte {
	for i := range parts {
		sep := byte(',')
		if i == 0 {
			sep = '['
		}
		dst = append(dst, sep)
		switch p := &parts[i]; p.kind {
		case textPart:
			dst = append(append(dst, open...), p.raw...)
			if p.rest != nil {
				dst = append(append(dst, p.rest...), '}')
			} else {
				dst = append(dst, end...)
			}
		case imagePart:
			dst = append(dst, `{"type":"input_image"`...)
			if p.rest == nil {
				dst = append(dst, `,"detail":"auto"`...)
			}
			dst = append(append(append(dst, `,"image_url":"data:`...), inner(p.mime)...), `;base64,`...)
			dst = append(append(append(append(dst, inner(p.raw)...), '"'), p.rest...), '}')
		case nativePart:
			dst = append(dst, p.raw...)
		}
	}
	return append(dst, ']')
}

// inner returns the text of a JSON string without its quotes, as spelled.
func inner(raw []byte) []byte { return raw[1 : len(raw)-1] }
