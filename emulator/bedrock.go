package emulator

import (
	"encoding/base64"

	"github.com/go-json-experiment/json/jsontext"

	"hygeia/internal/jsonline"
)

var bedrockFormat = format{
	callPrefix: "tooluse_",
	unwrap:     unwrapBedrock,
	read:       readBedrock,
	verify:     (*call).verifyClaude,
	finish: func(c *call, r *reply) {
		if c.claude { // other models sign nothing (BR-14)
			c.signClaude(r)
		}
	},
	plain:  bedrockPlain,
	events: bedrockEvents,
	frame:  func(*call) *framing { return &eventStream },
	failed: func(_ *call, message string) event {
		return event{"modelStreamErrorException", object{"message", message}}
	},
	counted: func(n int) any { return object{"inputTokens", n} },
}

// unwrapBedrock finds the request whose tokens are to be counted: one of
// Converse, or one of InvokeModel in base64.
func unwrapBedrock(c *call) []byte {
	if c.route.mode != count {
		return c.body
	}
	input := c.root.Get("input").Object()
	if invoke := under(input, "invokeModel", "body"); invoke.IsString() {
		raw, _ := base64.StdEncoding.DecodeString(invoke.String())
		c.root = jsonline.ParseObject(raw)
		c.target.API, c.format = "anthropic-messages", &invokeCount
		return raw
	}
	c.root = input.Get("converse").Object()
	return c.root.AppendTo(nil)
}

// invokeCount counts the tokens of a body of Anthropic's form in Bedrock's
// words.
var invokeCount = format{read: readAnthropic, verify: (*call).verifyClaude, counted: func(n int) any { return object{"inputTokens", n} }}

func readBedrock(c *call) {
	switch under(c.root, "additionalModelRequestFields", "thinking", "type").String() {
	case "enabled", "adaptive":
		c.thinks = true
	}
	c.extra = len(c.root.Get("system").Raw) + len(c.root.Get("toolConfig").Raw)
	for i, m := range elements(c.root.Get("messages")) {
		role := m.Object().Get("role").String()
		for j, b := range elements(m.Object().Get("content")) {
			if b.Object().Get("cachePoint").Exists() {
				continue
			}
			p := bedrockPiece(b.Object())
			p.role, p.message, p.block = role, i, j
			c.add(p)
			c.pictures(p, under(b.Object(), "toolResult", "content"))
		}
	}
}

func bedrockPiece(b jsonline.Object) piece {
	reasoning := under(b, "reasoningContent", "reasoningText").Object()
	use, answer := b.Get("toolUse").Object(), b.Get("toolResult").Object()
	switch {
	case b.Has("text"):
		return piece{kind: text, text: b.Get("text").String()}
	case reasoning.Exists():
		return piece{kind: thinking, text: reasoning.Get("text").String(), seal: reasoning.Get("signature").String()}
	case b.Has("reasoningContent"):
		return piece{kind: redacted, seal: under(b, "reasoningContent", "redactedContent").String()}
	case use.Exists():
		return piece{kind: toolCall, id: use.Get("toolUseId").String(), name: use.Get("name").String(), text: canonical(use.Get("input"))}
	case answer.Exists():
		return piece{kind: result, id: answer.Get("toolUseId").String(), text: textOf(answer.Get("content"))}
	}
	return piece{kind: other, text: canonical(b.Value())}
}

var bedrockStops = map[string]string{"stop": "end_turn", "length": "max_tokens", "toolUse": "tool_use", "refusal": "content_filtered"}

func bedrockPlain(_ *call, r *reply) any {
	content := list{}
	for i := range r.parts {
		p := &r.parts[i]
		switch {
		case p.kind == redacted && p.seal == "":
		case p.kind == thinking:
			thought := object{"text", p.text}
			if p.seal != "" {
				thought = append(thought, "signature", p.seal)
			}
			content = append(content, object{"reasoningContent", object{"reasoningText", thought}})
		case p.kind == redacted:
			content = append(content, object{"reasoningContent", object{"redactedContent", p.seal}})
		case p.kind == toolCall:
			content = append(content, object{"toolUse", object{"toolUseId", p.id, "name", p.name, "input", jsontext.Value(p.text)}})
		default:
			content = append(content, object{"text", p.text})
		}
	}
	return object{
		"output",
		object{"message", object{"role", "assistant", "content", content}},
		"stopReason", r.stopWord(bedrockStops), "usage", bedrockUsage(r), "metrics",
		object{"latencyMs", 1},
	}
}

func bedrockUsage(r *reply) object {
	return object{
		"inputTokens", r.usage.input, "outputTokens", r.usage.output,
		"totalTokens", r.usage.input + r.usage.output + r.usage.cacheRead + r.usage.cacheWrite,
		"cacheReadInputTokens", r.usage.cacheRead, "cacheWriteInputTokens", r.usage.cacheWrite,
	}
}

func bedrockEvents(_ *call, r *reply) []event {
	events := []event{{"messageStart", object{"role", "assistant"}}}
	for i := range r.parts {
		p := &r.parts[i]
		if p.kind == redacted && p.seal == "" {
			continue
		}
		if p.kind == toolCall { // other blocks begin with their first delta
			events = append(events, event{"contentBlockStart", object{
				"contentBlockIndex", i, "start", object{"toolUse", object{"toolUseId", p.id, "name", p.name}},
			}})
		}
		for _, d := range bedrockDeltas(p) {
			events = append(events, event{"contentBlockDelta", object{"contentBlockIndex", i, "delta", d}})
		}
		events = append(events, event{"contentBlockStop", object{"contentBlockIndex", i}})
	}
	return append(events,
		event{"messageStop", object{"stopReason", r.stopWord(bedrockStops)}},
		event{"metadata", object{"usage", bedrockUsage(r), "metrics", object{"latencyMs", 1}}})
}

func bedrockDeltas(p *said) []object {
	var out []object
	switch p.kind {
	case redacted:
		return []object{{"reasoningContent", object{"redactedContent", p.seal}}}
	case thinking:
		for _, s := range cut(p.text) {
			out = append(out, object{"reasoningContent", object{"text", s}})
		}
		if p.seal != "" {
			out = append(out, object{"reasoningContent", object{"signature", p.seal}})
		}
		return out
	}
	for _, s := range cut(p.text) {
		if p.kind == toolCall {
			out = append(out, object{"toolUse", object{"input", s}})
		} else {
			out = append(out, object{"text", s})
		}
	}
	return out
}
