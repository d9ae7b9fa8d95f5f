package chat

import (
	"strings"

	"hygeia/transcript"
	"hygeia/wire"
	"hygeia/wire/internal/canon"
	"hygeia/wire/internal/tree"
)

// Format is what tells the formats apart.
type Format struct {
	API string // name of the format (P-01)
	// Parameters reads what a body says besides its messages.
	Parameters func(req *wire.Request, root tree.Node)
	// Part writes a content part that has a form of its own and a canonical one.
	// It reports false for any other part.
	Part func(d *Decoder, part tree.Node) bool
	// Images is the member of a message that holds its pictures, "" for none.
	Images string
	// Reasoning are the members of an assistant message that hold reasoning, in
	// the order in which they become blocks; the block names its member as its
	// signature (W-115).
	Reasoning []string
	// Thinking is the member of an assistant message that holds thinking and is
	// no signature, "" for none.
	Thinking string
	// Beside are members of an assistant message that say something beside its
	// content.
	Beside []string
	// ToolName is the member of a result that names its tool.
	ToolName string
	// Unnamed says that calls and results may come without an id: they belong
	// together by their order.
	Unnamed bool
}

// Decode reads a body. The error wraps [wire.ErrNoTurns] or says where the body
// is no JSON.
func Decode(body []byte, f *Format) (*wire.Request, error) {
	req, root, err := canon.Parse(body, f.API)
	if err != nil {
		return nil, err
	}
	messages := root.Get("messages")
	if !messages.IsArray() {
		return nil, canon.NoTurns("messages")
	}
	f.Parameters(req, root)
	d := Decoder{List: canon.New(req, len(messages.Value().Raw)), format: f, names: map[string]tree.Node{}, front: true}
	for m := range messages.Elements() {
		d.message(m)
	}
	req.System = d.system.text()
	return req, d.Close()
}

// Decoder writes the canonical messages.
type Decoder struct {
	*canon.List
	format *Format
	names  map[string]tree.Node // of the calls so far, by id
	front  bool                 // no turn was seen
	system prompt
	calls  canon.Calls // that came without an id
}

func (d *Decoder) message(m tree.Node) {
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
		d.said(m)
		d.Rest(m, d.but(m, "customType")...)
		d.End()
	case role.Is("user"):
		d.Begin(transcript.User, m.Value())
		d.said(m)
		d.Rest(m, d.but(m)...)
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

// but names the members of a message that are written anyway.
func (d *Decoder) but(m tree.Node, more ...string) []string {
	names := append([]string{"role", "content"}, more...)
	if d.images(m).IsArray() {
		names = append(names, d.format.Images)
	}
	return names
}

// said writes the content of a user or system message: a string stays one.
func (d *Decoder) said(m tree.Node) {
	content, images := m.Get("content"), d.images(m)
	if !content.IsArray() && !images.IsArray() {
		d.Member("content", content)
		return
	}
	d.Content()
	if says(content) {
		d.TextBlock(content)
	} else {
		d.parts(content)
	}
	d.pictures(images)
	d.EndContent()
}

// images returns the pictures that stand beside the content of a message.
func (d *Decoder) images(m tree.Node) tree.Node {
	if d.format.Images == "" {
		return tree.Node{}
	}
	return m.Get(d.format.Images)
}

// pictures writes bare base64 as images.
func (d *Decoder) pictures(list tree.Node) {
	for data := range list.Elements() {
		d.Next()
		d.Raw(`{"type":"image"`)
		d.Member("data", data)
		d.TextMember("mimeType", canon.ImageType(data.Text()))
		d.Raw(`}`)
	}
}

func (d *Decoder) parts(content tree.Node) {
	for p := range content.Elements() {
		if !d.format.Part(d, p) {
			d.Block(p)
		}
	}
}

// Picture writes a picture in a data URL as an image. It reports false for any
// other URL. The rest of it are the members of the part and of the link, if that
// is an object.
func (d *Decoder) Picture(p, link, url tree.Node) bool {
	mime, data, ok := canon.DataURL(url.Text())
	if !ok {
		return false
	}
	d.Next()
	d.Raw(`{"type":"image"`)
	d.TextMember("data", data)
	d.TextMember("mimeType", mime)
	d.Rest(link, "url", "type", "data", "mimeType")
	d.Rest(p, "type", "image_url", "data", "mimeType", "detail")
	d.Raw(`}`)
	return true
}

func (d *Decoder) result(m tree.Node) {
	d.Begin(transcript.ToolResult, m.Value())
	id, name := m.Get("tool_call_id"), m.Get(d.format.ToolName)
	d.callID("toolCallId", id, name, d.calls.Answer)
	if !name.IsString() {
		name = d.names[id.Text()]
	}
	d.Member("toolName", name)
	switch content, images := m.Get("content"), d.images(m); {
	case content.IsArray():
		d.Content()
		d.parts(content)
		d.EndContent()
	case content.IsString(), images.IsArray(), !content.Given():
		d.Content()
		if says(content) || content.IsString() && !images.IsArray() {
			d.TextBlock(content)
		}
		d.pictures(images)
		d.EndContent()
	default:
		d.Member("content", content)
	}
	but := d.but(m, "tool_call_id", "toolCallId", "toolName")
	if d.format.ToolName != "name" {
		but = append(but, d.format.ToolName)
	}
	d.Rest(m, but...)
	d.End()
}

// prompt collects the system messages in front of the first turn.
type prompt []string

func (p *prompt) add(content tree.Node) {
	if content.IsString() {
		*p = append(*p, content.Text())
	}
	for part := range content.Elements() {
		if t := part.Get("text"); t.IsString() {
			*p = append(*p, t.Text())
		}
	}
}

func (p prompt) text() string { return strings.Join(p, "\n") }
