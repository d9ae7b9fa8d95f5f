package bedrock

import (
	"hygeia/internal/jsonline"
	"hygeia/transcript"
	"hygeia/wire"
	"hygeia/wire/internal/canon"
	"hygeia/wire/internal/tree"
)

// API is the name of the format (P-01).
const API = "bedrock-converse-stream"

// Decode reads a body. The error wraps [wire.ErrNoTurns] or says where the body
// is no JSON.
func Decode(body []byte) (*wire.Request, error) {
	req, root, err := canon.Parse(body, API)
	if err != nil {
		return nil, err
	}
	messages := root.Get("messages")
	if !messages.IsArray() {
		return nil, canon.NoTurns("messages")
	}
	parameters(req, root)
	d := decoder{List: canon.New(req, len(messages.Value().Raw)), names: map[string]tree.Node{}}
	for m := range messages.Elements() {
		d.message(m)
	}
	return req, d.Close()
}

// decoder writes the canonical messages.
type decoder struct {
	*canon.List
	names map[string]tree.Node // of the calls so far, by id
}

func (d *decoder) message(m tree.Node) {
	d.Turn(m)
	role, content := m.Get("role"), m.Get("content")
	switch {
	case !m.IsObject():
		d.Odd(m)
	case role.Is("user") && content.IsArray():
		d.user(content)
	case role.Is("assistant") && content.IsArray():
		d.Begin(transcript.Assistant, m.Value())
		d.blocks(content)
		d.End()
	default:
		d.Begin(transcript.Role(role.Text()), m.Value())
		d.Member("content", content)
		d.End()
	}
}

// user makes messages of the blocks of a user message: tool results, and what a
// user said before, between and behind them.
func (d *decoder) user(content tree.Node) {
	said, some := false, false
	end := func() {
		if said {
			d.EndContent()
			d.End()
		}
		said = false
	}
	var result tree.Node // open for a cache point
	endResult := func(point tree.Node) {
		if result.Exists() {
			d.Member("cachePoint", point)
			d.End()
		}
		result = tree.Node{}
	}
	for b := range content.Elements() {
		some = true
		if point := b.Get("cachePoint"); point.Exists() && result.Exists() {
			endResult(point)
			continue
		}
		endResult(tree.Node{})
		if r := b.Get("toolResult"); r.IsObject() {
			end()
			d.result(b, r)
			result = r
			continue
		}
		if !said {
			d.Begin(transcript.User, jsonline.Value{})
			d.Content()
			said = true
		}
		d.block(b)
	}
	endResult(tree.Node{})
	if !some {
		d.Begin(transcript.User, jsonline.Value{})
		d.Content()
		said = true
	}
	end()
}

// result begins a message of a toolResult block and leaves it open.
func (d *decoder) result(b, r tree.Node) {
	d.Begin(transcript.ToolResult, b.Value())
	id := r.Get("toolUseId")
	d.Member("toolCallId", id)
	d.Member("toolName", d.names[id.Text()])
	if content := r.Get("content"); content.IsArray() {
		d.blocks(content)
	} else if content.Given() {
		d.Member("content", content)
	} else {
		d.Content()
		d.EndContent()
	}
	switch status := r.Get("status"); {
	case status.Is("error"):
		d.Raw(`,"isError":true`)
	case status.IsString():
		d.Raw(`,"isError":false`)
	}
	d.Rest(r, "toolUseId", "content", "status", "role", "toolCallId", "toolName", "isError", "cachePoint")
}

func (d *decoder) blocks(content tree.Node) {
	d.Content()
	for b := range content.Elements() {
		d.block(b)
	}
	d.EndContent()
}

// types are the members that name what a block is.
var types = []string{"document", "video", "cachePoint", "guardContent", "citationsContent", "searchResult", "json", "toolResult", "reasoningContent"}

func (d *decoder) block(b tree.Node) {
	text, image, call, thought := b.Get("text"), b.Get("image"), b.Get("toolUse"), b.Get("reasoningContent")
	format, data := image.Get("format"), image.Get("source").Get("bytes")
	plain, redacted := thought.Get("reasoningText"), thought.Get("redactedContent")
	switch {
	case text.Exists():
		d.open("text")
		d.Member("text", text)
		d.Rest(b, "type", "text")
	case format.IsString() && data.IsString():
		d.open("image")
		d.Member("data", data)
		d.TextMember("mimeType", "image/"+format.Text())
		d.Rest(b, "type", "image", "data", "mimeType")
	case image.Exists():
		d.native(b, "imageLocation") // an image without data would count as damaged
		return
	case call.Get("type").Is("server_tool_use"): // the service carried it out itself (W-124)
		d.native(b, "serviceToolUse")
		return
	case b.Get("toolResult").Get("type").IsString():
		d.native(b, "serviceToolResult")
		return
	case call.IsObject():
		if id := call.Get("toolUseId"); id.IsString() {
			d.names[id.Text()] = call.Get("name")
		}
		d.open("toolCall")
		d.Member("id", call.Get("toolUseId"))
		d.Member("name", call.Get("name"))
		d.Member("arguments", call.Get("input"))
		d.Rest(call, "type", "toolUseId", "id", "name", "input", "arguments")
	case plain.IsObject():
		d.open("thinking")
		d.Member("thinking", plain.Get("text"))
		d.Member("thinkingSignature", plain.Get("signature"))
	case redacted.Exists():
		d.open("redacted_thinking")
		d.Member("data", redacted)
	default:
		d.other(b)
		return
	}
	d.Raw(`}`)
}

func (d *decoder) open(typ string) {
	d.Next()
	d.Raw(`{"type":"` + typ + `"`)
}

// other writes a block of another kind under the name of its member.
func (d *decoder) other(b tree.Node) {
	for _, name := range types {
		if b.Get(name).Exists() {
			d.native(b, name)
			return
		}
	}
	if b.IsObject() {
		d.native(b, "unknown")
		return
	}
	d.Block(b)
}

func (d *decoder) native(b tree.Node, typ string) {
	d.open(typ)
	d.Rest(b, "type")
	d.Raw(`}`)
}
