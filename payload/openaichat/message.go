package openaichat

import (
	"slices"

	"hygeia/internal/jsonline"
	"hygeia/payload/internal/chat"
)

// appendTurn writes one message.
func (b *builder) appendTurn(dst []byte, t *chat.Turn, marked bool) []byte {
	w := &b.In.Policy.Wire
	switch t.Role {
	case chat.User:
		dst = append(dst, `{"role":"user","content":`...)
		dst = b.appendParts(dst, t, marked)
	case chat.Assistant:
		dst = append(dst, `{"role":"assistant","content":`...)
		dst = b.appendAnswer(dst, t)
		dst = b.appendReasoning(dst, t)
		dst = chat.AppendCalls(dst, t.Calls)
	case chat.Tool:
		dst = append(dst, `{"role":"tool","tool_call_id":`...)
		dst = jsonline.AppendQuoted(dst, t.Answers.ID)
		if w.ToolResultName {
			dst = jsonline.AppendQuoted(append(dst, `,"name":`...), t.Answers.Name)
		}
		dst = append(append(dst, `,"content":`...), t.Parts[0].Raw...)
	case chat.System:
		dst = append(dst, `{"role":"system","content":`...)
		dst = b.appendParts(dst, t, false)
	}
	return append(append(append(dst, t.Beside...), t.Rest...), '}')
}

// appendParts writes user content: one text alone is a string, as are all texts
// where the target demands that (W-402).
func (b *builder) appendParts(dst []byte, t *chat.Turn, marked bool) []byte {
	if b.In.Policy.Wire.StringContent || len(t.Parts) == 1 && t.Parts[0].Kind == chat.Text && t.Parts[0].Rest == nil && !marked {
		return append(chat.AppendTexts(append(dst, '"'), t.Parts, `\n`), '"')
	}
	last := -1
	if marked {
		last = lastText(t)
	}
	for i := range t.Parts {
		sep := byte(',')
		if i == 0 {
			sep = '['
		}
		dst = appendPart(append(dst, sep), &t.Parts[i], i == last)
	}
	return append(dst, ']')
}

func appendPart(dst []byte, p *chat.Part, marked bool) []byte {
	switch p.Kind {
	case chat.Text:
		dst = append(append(dst, `{"type":"text","text":`...), p.Raw...)
		if marked {
			dst = append(dst, cacheControl...)
		}
		return append(append(dst, p.Rest...), '}')
	case chat.Image:
		dst = append(append(dst, `{"type":"image_url","image_url":{"url":"data:`...), chat.Inner(p.Mime)...)
		dst = append(append(dst, `;base64,`...), chat.Inner(p.Raw)...)
		return append(append(append(dst, `"`...), p.Rest...), `}}`...)
	}
	return append(dst, p.Raw...)
}

// appendAnswer writes the content of an assistant message: one string, of
// thinking that goes out as text and of its texts (W-403, W-426).
func (b *builder) appendAnswer(dst []byte, t *chat.Turn) []byte {
	var lead [][]byte
	if t.Thought != nil {
		lead = t.Thought.Lead
	}
	switch {
	case len(lead) > 0:
		dst = appendStrings(append(dst, '"'), lead, `\n\n`)
		if len(t.Parts) > 0 {
			dst = append(dst, `\n\n`...)
		}
	case slices.ContainsFunc(t.Parts, func(p chat.Part) bool { return p.Rest != nil }) && !b.In.Policy.Wire.StringContent:
		return b.appendParts(dst, t, false)
	case len(t.Parts) > 0:
		dst = append(dst, '"')
	case b.In.Policy.Wire.NoNullContent || b.In.Policy.Wire.StringContent:
		return append(dst, `""`...)
	default:
		return append(dst, `null`...)
	}
	return append(chat.AppendTexts(dst, t.Parts, ``), '"')
}

// appendReasoning writes the reasoning of an assistant message, at least "" of
// it where the target demands that (W-424, W-531).
func (b *builder) appendReasoning(dst []byte, t *chat.Turn) []byte {
	var r chat.Thought
	if t.Thought != nil {
		r = *t.Thought
	}
	switch {
	case len(r.Texts) > 0:
		dst = append(append(append(dst, `,"`...), r.Field...), `":"`...)
		dst = append(appendStrings(dst, r.Texts, `\n`), '"')
	case b.requires(t):
		dst = append(dst, `,"reasoning_content":""`...)
	}
	for i, raw := range r.Details {
		sep := `,`
		if i == 0 {
			sep = `,"reasoning_details":[`
		}
		dst = append(append(dst, sep...), raw...)
	}
	if len(r.Details) > 0 {
		dst = append(dst, ']')
	}
	return dst
}

// requires reports whether a message without reasoning_content must have it.
func (b *builder) requires(t *chat.Turn) bool {
	w := &b.In.Policy.Wire
	if w.StrictKeys || w.ReasoningOffDrops && !b.thinks {
		return false
	}
	return w.ReasoningRequired == "all" || w.ReasoningRequired == "calls" && len(t.Calls) > 0
}

// appendStrings writes JSON strings into an open string.
func appendStrings(dst []byte, list [][]byte, sep string) []byte {
	for i, raw := range list {
		if i > 0 {
			dst = append(dst, sep...)
		}
		dst = append(dst, chat.Inner(raw)...)
	}
	return dst
}
