package openaichat

import (
	"errors"
	"fmt"

	"hygeia/internal/jsonline"
	"hygeia/transcript"
	"hygeia/wire"
	"hygeia/wire/internal/canon"
	"hygeia/wire/internal/tree"
)

// API is the name of the format (P-01).
const API = "openai-completions"

// ErrNoMessages says that a body holds no list of messages.
var ErrNoMessages = errors.New("the body has no list of messages")

// Decode reads a body. The error is [ErrNoMessages] or says where the body is
// no JSON.
func Decode(body []byte) (*wire.Request, error) {
	root, err := tree.Parse(body)
	if err != nil {
		return nil, fmt.Errorf("request body: %w", err)
	}
	messages := root.Get("messages")
	if !messages.IsArray() {
		return nil, ErrNoMessages
	}
	req := &wire.Request{API: API, Body: jsonline.ParseObject(root.Value().Raw)}
	parameters(req, root)
	d := decoder{List: canon.New(req, len(messages.Value().Raw)), names: map[string]tree.Node{}, front: true}
	for m := range messages.Elements() {
		d.message(m)
	}
	req.System = d.system.text()
	return req, d.Close()
}

// decoder writes the canonical messages.
type decoder struct {
	*canon.List
	names  map[string]tree.Node // of the calls so far, by id
	front  bool                 // no turn was seen
	system prompt
}

func (d *decoder) message(m tree.Node) {
	d.Turn(m)
	role := m.Get("role")
	instructs := role.Is("system") || role.Is("developer")
	switch {
	case d.front && instructs:
		d.system.add(m.Get("content"))
		return
	case role.Is("user"), role.Is("assistant"), role.Is("tool"):
		d.front = false
	}
	switch {
	case !m.IsObject():
		d.Odd(m)
	case instructs:
		d.Begin(transcript.Custom, m.Value())
		d.TextMember("customType", transcript.SystemRow)
		d.content(m.Get("content"))
		d.Rest(m, "role", "content", "customType")
		d.End()
	case role.Is("user"):
		d.Begin(transcript.User, m.Value())
		d.content(m.Get("content"))
		d.Rest(m, "role", "content")
		d.End()
	case role.Is("assistant"):
		d.assistant(m)
	case role.Is("tool"):
		d.result(m)
	default:
		d.Begin(transcript.Role(role.Text()), m.Value())
		d.Rest(m, "role")
		d.End()
	}
}

// content writes the content of a user or system message: a string stays one.
func (d *decoder) content(content tree.Node) {
	if !content.IsArray() {
		d.Member("content", content)
		return
	}
	d.Content()
	d.parts(content)
	d.EndContent()
}

func (d *decoder) parts(content tree.Node) {
	for p := range content.Elements() {
		d.part(p)
	}
}

// part writes a content part. A picture in it becomes an image.
func (d *decoder) part(p tree.Node) {
	link := p.Get("image_url")
	mime, data, ok := canon.DataURL(link.Get("url").Text())
	if !ok || !p.Get("type").Is("image_url") {
		d.Block(p)
		return
	}
	d.Next()
	d.Raw(`{"type":"image"`)
	d.TextMember("data", data)
	d.TextMember("mimeType", mime)
	d.Rest(link, "url", "type", "data", "mimeType")
	d.Rest(p, "type", "image_url", "data", "mimeType", "detail")
	d.Raw(`}`)
}

// assistantMembers are the members of an assistant message that become blocks.
var assistantMembers = []string{"role", "content", "tool_calls", "reasoning", "reasoning_content", "reasoning_text", "reasoning_details"}

func (d *decoder) assistant(m tree.Node) {
	d.Begin(transcript.Assistant, m.Value())
	d.Content()
	for _, field := range assistantMembers[3:] {
		d.reasoning(field, m.Get(field))
	}
	switch content := m.Get("content"); {
	case content.IsArray():
		d.parts(content)
	case says(content):
		d.TextBlock(content)
	case content.IsObject():
		d.Block(content)
	}
	but := assistantMembers
	for _, name := range []string{"audio", "refusal"} {
		if v := m.Get(name); v.IsObject() || says(v) {
			d.beside(name, v)
			but = append(but[:len(but):len(but)], name)
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
func (d *decoder) beside(name string, v tree.Node) {
	d.Next()
	d.Raw(`{"type":`)
	d.Text(name)
	d.Member(name, v)
	d.Raw(`}`)
}

// reasoning writes a thinking block for a member that holds reasoning. Entries
// of a list go along as they are: they count only whole (W-501).
func (d *decoder) reasoning(field string, v tree.Node) {
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
func (d *decoder) call(c tree.Node) {
	if !c.IsObject() {
		d.Block(c)
		return
	}
	f, arguments := c.Get("function"), "arguments"
	custom := c.Get("type").Is("custom")
	if custom {
		f, arguments = c.Get("custom"), "input"
	}
	if id := c.Get("id"); id.IsString() {
		d.names[id.Text()] = f.Get("name")
	}
	d.Next()
	d.Raw(`{"type":"toolCall"`)
	d.Member("id", c.Get("id"))
	d.Member("name", f.Get("name"))
	d.arguments(f.Get(arguments), custom)
	if sig := c.Get("extra_content").Get("google").Get("thought_signature"); sig.IsString() && !sig.Is(skipSignature) {
		d.Member("thoughtSignature", sig)
	}
	d.Rest(c, "type", "id", "name", "function", "custom", "arguments", "thoughtSignature", "input")
	d.Raw(`}`)
}

// arguments writes the arguments of a call: the object that their text is, else
// the text, which is for the passes to judge (W-110).
func (d *decoder) arguments(v tree.Node, custom bool) {
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

func (d *decoder) result(m tree.Node) {
	d.Begin(transcript.ToolResult, m.Value())
	id, name := m.Get("tool_call_id"), m.Get("name")
	d.Member("toolCallId", id)
	if !name.IsString() {
		name = d.names[id.Text()]
	}
	d.Member("toolName", name)
	switch content := m.Get("content"); {
	case content.IsArray():
		d.Content()
		d.parts(content)
		d.EndContent()
	case content.IsString():
		d.Content()
		d.TextBlock(content)
		d.EndContent()
	case content.Given():
		d.Member("content", content)
	default:
		d.Content()
		d.EndContent()
	}
	d.Rest(m, "role", "content", "tool_call_id", "toolCallId", "toolName")
	d.End()
}
