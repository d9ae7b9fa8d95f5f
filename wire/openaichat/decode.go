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
