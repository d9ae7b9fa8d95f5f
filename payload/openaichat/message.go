package openaichat

import "hygeia/internal/jsonline"

// appendTurn writes one message.
func (b *builder) appendTurn(dst []byte, t *turn, marked bool) []byte {
	w := &b.in.Policy.Wire
	switch t.role {
	case user:
		dst = append(dst, `{"role":"user","content":`...)
		dst = b.appendParts(dst, t, marked)
	case assistant:
		dst = append(dst, `{"role":"assistant","content":`...)
		dst = b.appendAnswer(dst, t)
		dst = b.appendReasoning(dst, t)
		dst = appendCalls(dst, t.calls)
	case tool:
		dst = append(dst, `{"role":"tool","tool_call_id":`...)
		dst = jsonline.AppendQuoted(dst, t.answers.id)
		if w.ToolResultName {
			dst = jsonline.AppendQuoted(append(dst, `,"name":`...), t.answers.name)
		}
		dst = append(append(dst, `,"content":`...), t.parts[0].raw...)
	}
	return append(dst, '}')
}

// appendParts writes user content: one text alone is a string, as are all texts
// where the target demands that (W-402).
func (b *builder) appendParts(dst []byte, t *turn, marked bool) []byte {
	if b.in.Policy.Wire.StringContent || len(t.parts) == 1 && t.parts[0].kind == textPart && !marked {
		return append(appendTexts(append(dst, '"'), t.parts, `\n`), '"')
	}
	last := -1
	if marked {
		last = t.lastText()
	}
	for i := range t.parts {
		sep := byte(',')
		if i == 0 {
			sep = '['
		}
		dst = appendPart(append(dst, sep), &t.parts[i], i == last)
	}
	return append(dst, ']')
}

func appendPart(dst []byte, p *part, marked bool) []byte {
	switch p.kind {
	case textPart:
		dst = append(append(dst, `{"type":"text","text":`...), p.raw...)
		if marked {
			dst = append(dst, cacheControl...)
		}
		return append(dst, '}')
	case imagePart:
		dst = append(append(dst, `{"type":"image_url","image_url":{"url":"data:`...), inner(p.mime)...)
		dst = append(append(dst, `;base64,`...), inner(p.raw)...)
		return append(dst, `"}}`...)
	}
	return append(dst, p.raw...)
}

// appendAnswer writes the content of an assistant message: one string, of
// thinking that goes out as text and of its texts (W-403, W-426).
func (b *builder) appendAnswer(dst []byte, t *turn) []byte {
	var lead [][]byte
	if t.thought != nil {
		lead = t.thought.lead
	}
	switch {
	case len(lead) > 0:
		dst = appendStrings(append(dst, '"'), lead, `\n\n`)
		if len(t.parts) > 0 {
			dst = append(dst, `\n\n`...)
		}
	case len(t.parts) > 0:
		dst = append(dst, '"')
	case b.in.Policy.Wire.NoNullContent || b.in.Policy.Wire.StringContent:
		return append(dst, `""`...)
	default:
		return append(dst, `null`...)
	}
	return append(appendTexts(dst, t.parts, ``), '"')
}

// appendReasoning writes the reasoning of an assistant message, at least "" of
// it where the target demands that (W-424, W-531).
func (b *builder) appendReasoning(dst []byte, t *turn) []byte {
	var r thought
	if t.thought != nil {
		r = *t.thought
	}
	switch {
	case len(r.texts) > 0:
		dst = append(append(append(dst, `,"`...), r.field...), `":"`...)
		dst = append(appendStrings(dst, r.texts, `\n`), '"')
	case b.requires(t):
		dst = append(dst, `,"reasoning_content":""`...)
	}
	for i, raw := range r.details {
		sep := `,`
		if i == 0 {
			sep = `,"reasoning_details":[`
		}
		dst = append(append(dst, sep...), raw...)
	}
	if len(r.details) > 0 {
		dst = append(dst, ']')
	}
	return dst
}

// requires reports whether a message without reasoning_content must have it.
func (b *builder) requires(t *turn) bool {
	w := &b.in.Policy.Wire
	if w.StrictKeys || w.ReasoningOffDrops && !b.thinks {
		return false
	}
	return w.ReasoningRequired == "all" || w.ReasoningRequired == "calls" && len(t.calls) > 0
}

// appendCalls writes tool_calls, which are absent if there are none (W-404).
func appendCalls(dst []byte, calls []call) []byte {
	for i := range calls {
		c := &calls[i]
		sep := `,{"id":`
		if i == 0 {
			sep = `,"tool_calls":[{"id":`
		}
		dst = jsonline.AppendQuoted(append(dst, sep...), c.id)
		dst = jsonline.AppendQuoted(append(dst, `,"type":"function","function":{"name":`...), c.name)
		dst = jsonline.AppendQuoted(append(dst, `,"arguments":`...), c.arguments)
		dst = append(dst, '}')
		if c.signature != nil {
			dst = append(append(dst, `,"extra_content":{"google":{"thought_signature":`...), c.signature...)
			dst = append(dst, `}}`...)
		}
		dst = append(dst, '}')
	}
	if len(calls) > 0 {
		dst = append(dst, ']')
	}
	return dst
}

// appendTexts writes the texts of parts into an open string.
func appendTexts(dst []byte, parts []part, sep string) []byte {
	for i := range parts {
		if i > 0 {
			dst = append(dst, sep...)
		}
		dst = append(dst, inner(parts[i].raw)...)
	}
	return dst
}

// appendStrings writes JSON strings into an open string.
func appendStrings(dst []byte, list [][]byte, sep string) []byte {
	for i, raw := range list {
		if i > 0 {
			dst = append(dst, sep...)
		}
		dst = append(dst, inner(raw)...)
	}
	return dst
}

// inner returns the text of a JSON string without its quotes, as spelled.
func inner(raw []byte) []byte { return raw[1 : len(raw)-1] }
