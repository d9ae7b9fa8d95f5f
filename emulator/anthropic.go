package emulator

import (
	"encoding/base64"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"hygeia/internal/jsonline"
)

var anthropicFormat = format{
	callPrefix: "toolu_01",
	read:       readAnthropic,
	verify:     (*call).verifyClaude,
	finish:     (*call).signClaude,
	plain:      func(c *call, r *reply) any { return anthropicMessage(c, r, true) },
	events:     anthropicEvents,
	frame: func(c *call) *framing {
		if c.route.shape == "bedrock" {
			return &invokeStream
		}
		return &namedEvents
	},
	failed: func(c *call, message string) event {
		if c.route.shape == "bedrock" {
			return event{"modelStreamErrorException", object{"message", message}}
		}
		return event{"error", object{"type", "error", "error", object{"type", "overloaded_error", "message", message}}}
	},
	counted: func(n int) any { return object{"input_tokens", n} },
}

// invokeStream is the framing of InvokeModel: Anthropic's events in base64, each
// in one event of the service.
var invokeStream = framing{contentType: eventStream.contentType, frame: func(i int, e event) []byte {
	if e.name == "modelStreamErrorException" {
		return eventStream.frame(i, e)
	}
	return eventStream.frame(i, event{"chunk", object{"bytes", base64.StdEncoding.EncodeToString(e.json())}})
}}

func readAnthropic(c *call) {
	switch under(c.root, "thinking", "type").String() {
	case "enabled", "adaptive", "between_tools":
		c.thinks = true
	}
	c.extra = len(c.root.Get("system").Raw) + len(c.root.Get("tools").Raw)
	for i, m := range elements(c.root.Get("messages")) {
		role := m.Object().Get("role").String()
		content := m.Object().Get("content")
		if content.IsString() {
			c.add(piece{role: role, kind: text, text: content.String(), message: i})
			continue
		}
		for j, b := range elements(content) {
			p := anthropicPiece(b.Object())
			p.role, p.message, p.block = role, i, j
			c.add(p)
			c.pictures(p, b.Object().Get("content"))
		}
	}
}

// pictures adds what a result holds besides text.
func (c *call) pictures(p piece, content jsonline.Value) {
	for _, e := range elements(content) {
		if !e.Object().Has("text") {
			c.add(piece{role: p.role, kind: other, text: canonical(e), message: p.message, block: p.block})
		}
	}
}

func anthropicPiece(b jsonline.Object) piece {
	switch b.Get("type").String() {
	case "text":
		return piece{kind: text, text: b.Get("text").String()}
	case "thinking":
		return piece{kind: thinking, text: b.Get("thinking").String(), seal: b.Get("signature").String()}
	case "redacted_thinking":
		return piece{kind: redacted, seal: b.Get("data").String()}
	case "tool_use":
		return piece{kind: toolCall, id: b.Get("id").String(), name: b.Get("name").String(), text: canonical(b.Get("input"))}
	case "tool_result":
		return piece{kind: result, id: b.Get("tool_use_id").String(), text: textOf(b.Get("content"))}
	}
	return piece{kind: other, text: canonical(b.Without("cache_control").Value())}
}

var anthropicStops = map[string]string{"stop": "end_turn", "length": "max_tokens", "toolUse": "tool_use", "refusal": "refusal"}

// anthropicBlock is a part of an answer as a content block, empty as it stands at
// the beginning of a stream.
func anthropicBlock(p *said, whole bool) object {
	shown := func(s string) string {
		if whole {
			return s
		}
		return ""
	}
	switch p.kind {
	case thinking:
		return object{"type", "thinking", "thinking", shown(p.text), "signature", shown(p.seal)}
	case redacted:
		return object{"type", "redacted_thinking", "data", p.seal}
	case toolCall:
		input := jsontext.Value("{}")
		if whole {
			input = jsontext.Value(p.text)
		}
		return object{"type", "tool_use", "id", p.id, "name", p.name, "input", input}
	}
	return object{"type", "text", "text", shown(p.text)}
}

func anthropicMessage(c *call, r *reply, whole bool) object {
	content := list{}
	var stop any
	output := 1
	if whole {
		for i := range r.parts {
			content = append(content, anthropicBlock(&r.parts[i], true))
		}
		stop, output = r.stopWord(anthropicStops), r.usage.output
	}
	return object{
		"id", "msg_01" + r.id, "type", "message", "role", "assistant", "model", c.target.Model, "content", content,
		"stop_reason", stop, "stop_sequence", nil,
		"usage",
		object{
			"input_tokens", r.usage.input, "cache_creation_input_tokens", r.usage.cacheWrite,
			"cache_read_input_tokens", r.usage.cacheRead, "output_tokens", output, "service_tier", "standard",
		},
	}
}

func anthropicEvents(c *call, r *reply) []event {
	events := []event{{"message_start", object{"type", "message_start", "message", anthropicMessage(c, r, false)}}}
	for i := range r.parts {
		p := &r.parts[i]
		events = append(events, event{"content_block_start", object{
			"type", "content_block_start", "index", i, "content_block", anthropicBlock(p, false),
		}})
		if i == 0 {
			events = append(events, event{"ping", object{"type", "ping"}})
		}
		for _, d := range anthropicDeltas(p) {
			events = append(events, event{"content_block_delta", object{"type", "content_block_delta", "index", i, "delta", d}})
		}
		events = append(events, event{"content_block_stop", object{"type", "content_block_stop", "index", i}})
	}
	return append(events,
		event{"message_delta", object{
			"type", "message_delta", "delta",
			object{"stop_reason", r.stopWord(anthropicStops), "stop_sequence", nil},
			"usage",
			object{"output_tokens", r.usage.output},
		}},
		event{"message_stop", object{"type", "message_stop"}})
}

func anthropicDeltas(p *said) []object {
	kind, member := "text_delta", "text"
	switch p.kind {
	case thinking:
		kind, member = "thinking_delta", "thinking"
	case toolCall:
		kind, member = "input_json_delta", "partial_json"
	case redacted:
		return nil // it comes whole
	}
	var out []object
	for _, s := range cut(p.text) {
		out = append(out, object{"type", kind, member, s})
	}
	if p.kind == thinking {
		out = append(out, object{"type", "signature_delta", "signature", p.seal})
	}
	return out
}

// at is the place of a block in Anthropic's texts.
func (p *piece) at() string { return fmt.Sprintf("messages.%d.content.%d", p.message, p.block) }
