package anthropicmessages

import (
	"hygeia/internal/jsonline"
	"hygeia/transcript"
	"hygeia/wire"
	"hygeia/wire/internal/canon"
	"hygeia/wire/internal/tree"
)

// API is the name of the format (P-01).
const API = "anthropic-messages"

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
		d.userBlocks(content)
	case role.Is("assistant") && (content.IsString() || content.IsArray()):
		d.Begin(transcript.Assistant, m.Value())
		d.blocks(content)
		d.End()
	case role.Is("system"):
		d.Begin(transcript.Custom, m.Value())
		d.TextMember("customType", transcript.SystemRow)
		d.Member("content", content)
		d.End()
	default:
		d.Begin(transcript.Role(role.Text()), m.Value())
		d.Member("content", content)
		d.End()
	}
}

// userBlocks makes messages of the blocks of a user message: tool results, and
// what a user said before, between and behind them.
func (d *decoder) userBlocks(content tree.Node) {
	const (
		nothing = iota
		said    // a user turn is open
		answered
	)
	state := nothing
	begin := func() {
		d.Begin(transcript.User, jsonline.Value{})
		d.Content()
		state = said
	}
	end := func() {
		if state == said {
			d.EndContent()
			d.End()
		}
	}
	for b := range content.Elements() {
		if b.Get("type").Is("tool_result") {
			end()
			d.result(b)
			state = answered
			continue
		}
		if state != said {
			begin()
		}
		d.block(b)
	}
	if state == nothing {
		begin()
	}
	end()
}

// result makes a message of a tool_result block.
func (d *decoder) result(b tree.Node) {
	d.Begin(transcript.ToolResult, b.Value())
	id := b.Get("tool_use_id")
	d.Member("toolCallId", id)
	d.Member("toolName", d.names[id.Text()])
	d.blocks(b.Get("content"))
	d.Member("isError", b.Get("is_error"))
	d.Rest(b, "type", "tool_use_id", "content", "is_error", "role", "toolCallId", "toolName", "isError")
	d.End()
}

// blocks writes content as a list of blocks.
func (d *decoder) blocks(content tree.Node) {
	switch {
	case content.IsArray():
		d.Content()
		for b := range content.Elements() {
			d.block(b)
		}
		d.EndContent()
	case content.Given() && !content.IsString():
		d.Member("content", content)
	default:
		d.Content()
		if content.IsString() {
			d.TextBlock(content)
		}
		d.EndContent()
	}
}

func (d *decoder) block(b tree.Node) {
	switch typ, source := b.Get("type"), b.Get("source"); {
	case typ.Is("tool_use"):
		if id := b.Get("id"); id.IsString() {
			d.names[id.Text()] = b.Get("name")
		}
		d.Next()
		d.Raw(`{"type":"toolCall"`)
		d.Member("id", b.Get("id"))
		d.Member("name", b.Get("name"))
		d.Member("arguments", b.Get("input"))
		d.Rest(b, "type", "id", "name", "input", "arguments")
		d.Raw(`}`)
	case typ.Is("image") && source.Get("type").Is("base64") && source.Get("data").IsString() && source.Get("media_type").IsString():
		d.Next()
		d.Raw(`{"type":"image"`)
		d.Member("data", source.Get("data"))
		d.Member("mimeType", source.Get("media_type"))
		d.Rest(b, "type", "source", "data", "mimeType")
		d.Raw(`}`)
	default:
		d.Block(b)
	}
}
