package model

import (
	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// detail is an entry of reasoning_details that may come in pieces.
type detail struct {
	o    jsonline.Object
	text map[string][]byte // members that grow, as JSON without quotes
}

// The members of an entry of reasoning_details that come in pieces, and those
// that may come behind the first piece.
var growing, late = []string{"text", "summary", "data"}, []string{"signature", "id", "format"}

// detail adds an entry of reasoning_details, or a piece of one.
func (c *chat) detail(o jsonline.Object) {
	if !o.Exists() {
		return
	}
	index := ""
	if o.Has("index") {
		index = string(o.Get("index").Raw) + o.Get("type").String()
	}
	d := c.known[index]
	if d == nil {
		d = &detail{o: o, text: map[string][]byte{}}
		c.details = append(c.details, d)
		if index != "" {
			c.known[index] = d
		}
	}
	for _, name := range growing {
		if v := o.Get(name); v.IsString() {
			d.text[name] = append(d.text[name], inner(v)...)
		}
	}
	for _, name := range late {
		if v := o.Get(name); v.Exists() && v.Kind != jsonline.Null {
			d.o = d.o.With(name, v)
		}
	}
	if c.thought == nil {
		c.thought = c.thinking()
	}
}

// thinking returns the block that entries of reasoning_details belong to.
func (c *chat) thinking() *block {
	for _, b := range c.blocks {
		if b.kind == transcript.TypeThinking {
			return b
		}
	}
	b := c.at(transcript.TypeThinking)
	b.set("thinkingSignature", jsonline.Text("reasoning_details"))
	return b
}

// keepDetails gives the thinking all entries of reasoning_details: they count
// only whole (W-501).
func (c *chat) keepDetails() {
	if c.thought == nil {
		return
	}
	raw := []byte{'['}
	for i, d := range c.details {
		if i > 0 {
			raw = append(raw, ',')
		}
		for _, name := range growing {
			if text, ok := d.text[name]; ok {
				d.o = d.o.With(name, jsonline.Value{Raw: quoted(text), Kind: jsonline.String})
			}
		}
		raw = d.o.AppendTo(raw)
	}
	c.thought.set("details", jsonline.Value{Raw: oneLine(append(raw, ']')), Kind: jsonline.Array})
}
