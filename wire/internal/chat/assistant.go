package chat

import (
	"hygeia/internal/jsonline"
	"hygeia/transcript"
	"hygeia/wire/internal/canon"
	"hygeia/wire/internal/tree"
)

func (d *Decoder) assistant(m tree.Node) {
	d.calls.Turn()
	d.Begin(transcript.Assistant, m.Value())
	d.Content()
	but := d.but(m, "tool_calls")
	for _, field := range d.format.Reasoning {
		d.reasoning(field, m.Get(field))
		but = append(but, field)
	}
	if v := m.Get(d.format.Thinking); d.format.Thinking != "" && says(v) {
		d.Next()
		d.Raw(`{"type":"thinking"`)
		d.Member("thinking", v)
		d.Raw(`}`)
		but = append(but, d.format.Thinking)
	}
	switch content := m.Get("content"); {
	case content.IsArray():
		d.parts(content)
	case says(content):
		d.TextBlock(content)
	case content.IsObject():
		d.Block(content)
	}
	d.pictures(d.images(m))
	for _, name := range d.format.Beside {
		if v := m.Get(name); v.IsObject() || says(v) {
			d.beside(name, v)
			but = append(but, name)
		}
	}
	for c := range m.Get("tool_calls").Elements() {
		d.call(c)
	}
	d.EndContent()
	d.Rest(m, but...)
	d.End()
}

// beside writes a block for a member that stands beside the content and says
// something by itself.
func (d *Decoder) beside(name string, v tree.Node) {
	d.Next()
	d.Raw(`{"type":`)
	d.Text(name)
	d.Member(name, v)
	d.Raw(`}`)
}

// reasoning writes a thinking block for a member that holds reasoning. Entries
// of a list go along as they are: they count only whole (W-501).
func (d *Decoder) reasoning(field string, v tree.Node) {
	if !says(v) && !v.IsArray() {
		return
	}
	d.Next()
	d.Raw(`{"type":"thinking","thinking":`)
	if v.IsString() {
		d.Copy(v)
	} else {
		d.Raw(`""`)
	}
	d.TextMember("thinkingSignature", field)
	if v.IsArray() {
		d.Member("details", v)
	}
	d.Raw(`}`)
}

// says reports whether a value is a string that is not empty.
func says(n tree.Node) bool { return n.IsString() && len(n.Value().Raw) > len(`""`) }

// skipSignature stands in the place of a thought signature and is never stored
// (W-613).
const skipSignature = "skip_thought_signature_validator"

// call writes a tool call.
func (d *Decoder) call(c tree.Node) {
	if !c.IsObject() {
		d.Block(c)
		return
	}
	f, arguments := c.Get("function"), "arguments"
	custom := c.Get("type").Is("custom")
	if custom {
		f, arguments = c.Get("custom"), "input"
	}
	id := c.Get("id")
	if id.IsString() {
		d.names[id.Text()] = f.Get("name")
	}
	d.Next()
	d.Raw(`{"type":"toolCall"`)
	d.callID("id", id, f.Get("name"), d.calls.Call)
	d.Member("name", f.Get("name"))
	d.arguments(f.Get(arguments), custom)
	if sig := c.Get("extra_content").Get("google").Get("thought_signature"); sig.IsString() && !sig.Is(skipSignature) {
		d.Member("thoughtSignature", sig)
	}
	if rest := f.AppendRest(nil, "name", arguments); len(rest) > 0 {
		d.Raw(`,"function":{` + string(rest[1:]) + `}`) // what else stands beside the name
	}
	d.Rest(c, "type", "id", "name", "function", "custom", "arguments", "thoughtSignature", "input")
	d.Raw(`}`)
}

// callID writes the id of a call or result. Where the format may do without one
// pair gives it.
func (d *Decoder) callID(member string, id, name tree.Node, pair func(id, name string) (string, bool)) {
	if !d.format.Unnamed {
		d.Member(member, id)
		return
	}
	if given, unnamed := pair(id.Text(), name.Text()); unnamed {
		d.TextMember(member, given)
		d.Raw(canon.Unnamed)
		return
	}
	d.Member(member, id)
}

// arguments writes the arguments of a call: the object that their text is, else
// the text, which is for the passes to judge (W-110).
func (d *Decoder) arguments(v tree.Node, custom bool) {
	switch parsed := jsonline.Parse([]byte(v.Text())); {
	case custom && v.Exists():
		d.Raw(`,"arguments":{"input":`)
		d.Copy(v)
		d.Raw(`},"custom":true`)
	case v.IsString() && parsed.Kind == jsonline.ObjectKind:
		d.Raw(`,"arguments":`)
		d.Raw(string(parsed.Raw))
	default:
		d.Member("arguments", v)
	}
}
