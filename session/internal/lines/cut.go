package lines

import (
	"bytes"
	"errors"

	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// closed returns the message entry that text is the beginning of, as far as it
// is whole, marked as salvaged; nil when that says too little (F-B08). Of the
// part in which the cut is, only the text of a text block stays: half a
// signature, number or list of arguments is worse than none.
func (a *assembler) closed(text []byte) *transcript.Entry {
	_, err := a.scan.Scan(text, jsonline.Options{Depth: 4, InvalidUTF8: true})
	var syntax *jsonline.SyntaxError
	if !errors.As(err, &syntax) || !syntax.Truncated || len(a.scan.Nodes) == 0 {
		return nil
	}
	c := cut{text: text, nodes: a.scan.Nodes}
	c.object(0, "message", func(i int) { c.object(i, "content", c.content) })
	e := a.entry(c.out)
	if e == nil || e.ID == "" || e.Message == nil || !saysText(e.Message) {
		return nil
	}
	m := e.Message
	if c.last.Exists() {
		blocks := m.Blocks()
		m = m.WithBlocks(append(blocks[:len(blocks):len(blocks)], transcript.NewTextBlockValue(c.last)))
	}
	m = m.With("__openclaw", m.Get("__openclaw").Object().With("salvaged", jsonline.Bool(true)).Value())
	return a.entry(e.Members().With("message", jsonline.Value{Raw: m.AppendJSON(nil), Kind: jsonline.ObjectKind}).AppendTo(nil))
}

// saysText reports whether a message has a whole text, and a tool result its
// call.
func saysText(m *transcript.Message) bool {
	if m.Is(transcript.ToolResult) && m.ToolCallID() == "" {
		return false
	}
	v := m.Text()
	return v.IsString() && !v.Blank() || m.Any(func(b *transcript.Block) bool { return b.IsText() && !b.IsBlankText() })
}

// cut writes the whole part of a text that was cut off.
type cut struct {
	text  []byte
	nodes []jsonline.Node // as far as a scan came
	out   []byte
	last  jsonline.Value // the text of a block in which the cut is
}

// object writes the whole members of node i, an open object, and lets into
// write the value of the open one if that has the name.
func (c *cut) object(i int, name string, into func(i int)) {
	if c.nodes[i].Kind != jsonline.ObjectKind {
		c.out = append(c.out, "null"...)
		return
	}
	c.out = append(c.out, '{')
	open := c.each(i, func(n *jsonline.Node) { c.element(c.text[n.NameStart-1 : n.End]) })
	if n := &c.nodes[open]; open > 0 && string(c.text[n.NameStart:n.NameEnd]) == name {
		c.element(c.text[n.NameStart-1 : n.NameEnd+1])
		c.out = append(c.out, ':')
		into(open)
	}
	c.out = append(c.out, '}')
}

// content writes the whole blocks of node i, an open list.
func (c *cut) content(i int) {
	if c.nodes[i].Kind != jsonline.Array {
		c.out = append(c.out, "null"...)
		return
	}
	c.out = append(c.out, '[')
	if open := c.each(i, func(n *jsonline.Node) { c.element(c.text[n.Start:n.End]) }); open > 0 {
		c.last = c.textOf(open)
	}
	c.out = append(c.out, ']')
}

// each visits the whole children of node i and returns the open one behind
// them, 0 for none. A number at the cut may lack digits.
func (c *cut) each(i int, whole func(*jsonline.Node)) (open int) {
	for j := i + 1; j < len(c.nodes); j = int(c.nodes[j].Next) {
		n := &c.nodes[j]
		if n.Next == 0 {
			return j
		}
		if n.Kind != jsonline.Number || int(n.End) < len(c.text) {
			whole(n)
		}
	}
	return 0
}

// element appends text, with a comma in front unless it is the first in its
// container.
func (c *cut) element(text []byte) {
	if last := c.out[len(c.out)-1]; last != '{' && last != '[' {
		c.out = append(c.out, ',')
	}
	c.out = append(c.out, text...)
}

// textOf returns what there is of the text of node i, an open block that has
// nothing but a type in front of it, without half a character at its end.
func (c *cut) textOf(i int) jsonline.Value {
	if i+2 != len(c.nodes) {
		return jsonline.Value{}
	}
	n := &c.nodes[i+1]
	if string(c.text[n.NameStart:n.NameEnd]) != "type" || string(c.text[n.Start:n.End]) != `"text"` {
		return jsonline.Value{}
	}
	text := c.text[n.End:]
	for _, token := range []string{",", `"text"`, ":", `"`} {
		var ok bool
		if text, ok = bytes.CutPrefix(bytes.TrimLeft(text, space), []byte(token)); !ok {
			return jsonline.Value{}
		}
	}
	const longest = len(`\ud83d\ude80`)
	for end := len(text); end > max(0, len(text)-longest); end-- {
		quoted := append(append([]byte{'"'}, text[:end]...), '"')
		if v := jsonline.Parse(quoted); v.Exists() && v.Flags&(jsonline.FlagInvalidUTF8|jsonline.FlagLoneSurrogate) == 0 && !v.Blank() {
			return v
		}
	}
	return jsonline.Value{}
}
