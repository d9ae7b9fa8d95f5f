package chat

import "hygeia/internal/jsonline"

// Size estimates the length of the body, so that it is written in one piece.
// Only quotes in arguments can make it longer.
func (b *Builder) Size() int {
	n := 1024 + len(b.In.Options.System) + len(b.In.Options.Tools.Raw)
	for i := range b.Turns {
		t := &b.Turns[i]
		n += 64
		for j := range t.Parts {
			n += len(t.Parts[j].Raw) + len(t.Parts[j].Mime) + 32
		}
		for j := range t.Calls {
			c := &t.Calls[j]
			n += len(c.Arguments) + len(c.Arguments)/8 + len(c.Signature) + 2*(len(c.ID)+len(c.Name)) + 128
		}
		if t.Thought != nil {
			for _, list := range [][][]byte{t.Thought.Lead, t.Thought.Texts, t.Thought.Details} {
				for _, raw := range list {
					n += len(raw) + 32
				}
			}
		}
	}
	return n
}

// AppendTools writes the tool definitions, each as it is given back, or nothing
// if there are none.
func (b *Builder) AppendTools(dst []byte, define func(jsonline.Value) jsonline.Value) []byte {
	n := 0
	for def := range b.In.Options.Tools.Elements() {
		sep := `,`
		if n == 0 {
			sep = `,"tools":[`
		}
		dst = append(append(dst, sep...), define(def).Raw...)
		n++
	}
	if n > 0 {
		dst = append(dst, ']')
	}
	return dst
}

// AppendCalls writes tool_calls with their ids and their arguments as JSON text.
// The member is absent if there are none (W-404).
func AppendCalls(dst []byte, calls []Call) []byte {
	for i := range calls {
		c := &calls[i]
		sep := `,{"id":`
		if i == 0 {
			sep = `,"tool_calls":[{"id":`
		}
		dst = jsonline.AppendQuoted(append(dst, sep...), c.ID)
		if c.Custom != nil {
			dst = jsonline.AppendQuoted(append(dst, `,"type":"custom","custom":{"name":`...), c.Name)
			dst = append(append(dst, `,"input":`...), c.Custom...)
		} else {
			dst = jsonline.AppendQuoted(append(dst, `,"type":"function","function":{"name":`...), c.Name)
			dst = jsonline.AppendQuoted(append(dst, `,"arguments":`...), c.Arguments)
		}
		dst = append(append(dst, c.Beside...), '}')
		if c.Signature != nil {
			dst = append(append(dst, `,"extra_content":{"google":{"thought_signature":`...), c.Signature...)
			dst = append(dst, `}}`...)
		}
		dst = append(append(dst, c.Rest...), '}')
	}
	if len(calls) > 0 {
		dst = append(dst, ']')
	}
	return dst
}

// AppendTexts writes the texts of parts into an open string.
func AppendTexts(dst []byte, parts []Part, sep string) []byte {
	for i := range parts {
		if i > 0 {
			dst = append(dst, sep...)
		}
		dst = append(dst, Inner(parts[i].Raw)...)
	}
	return dst
}

// Inner returns the text of a JSON string without its quotes, as spelled.
func Inner(raw []byte) []byte { return raw[1 : len(raw)-1] }
