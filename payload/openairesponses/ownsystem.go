package openairesponses

import (
	"bytes"
	"strings"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/payload"
)

// front returns the system messages in front of the turns, as they came in but
// for marks of a cache boundary (W-123). Where the prompt stands in the
// instructions (W-342) those of role system do not go out.
func (b *builder) front() [][]byte {
	list := make([][]byte, 0, len(b.items)+1)
	for _, t := range b.own.Turns {
		if t.To > 0 {
			break
		}
		o := t.Raw.Object()
		switch content := o.Get("content"); {
		case b.in.Options.System != "":
			continue
		case b.codex && o.Get("role").String() == "system":
			b.instructed = append(b.instructed, textOf(content))
			b.prompted(t.Raw, jsonline.Value{}, "W-342", "the endpoint takes the system prompt as the instructions")
			continue
		default:
			if v := payload.Unbounded(content); !bytes.Equal(v.Raw, content.Raw) {
				o = o.With("content", v)
				b.prompted(t.Raw, o.Value(), "W-123", "the text holds a cache boundary")
			}
		}
		v := o.Value()
		legal := payload.Legal(v)
		if !bytes.Equal(legal.Raw, v.Raw) {
			b.prompted(v, legal, "W-120", "text holds code units that no request may hold")
		}
		list = append(list, legal.Raw)
	}
	return list
}

// prompted records that a system message in front of the turns goes out in
// another form.
func (b *builder) prompted(before, after jsonline.Value, rule, reason string) {
	b.log.Parameter("input", before, after, hygiene.Edit{Rule: rule, Reason: reason, Lossy: rule == "W-120"})
}

// textOf returns the text of a system message.
func textOf(content jsonline.Value) string {
	if content.IsString() {
		return content.String()
	}
	var list []string
	for part := range content.Elements() {
		list = append(list, part.Object().Get("text").String())
	}
	return strings.Join(list, "\n")
}
