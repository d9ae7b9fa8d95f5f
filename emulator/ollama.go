package emulator

import "github.com/go-json-experiment/json/jsontext"

// ollamaFormat is Ollama's own.
var ollamaFormat = format{
	read: readOllama,
	plain: func(c *call, r *reply) any {
		message := object{"role", "assistant", "content", r.join(text)}
		if r.has(thinking) {
			message = append(message, "thinking", r.join(thinking))
		}
		if calls := ollamaCalls(r.parts); len(calls) > 0 {
			message = append(message, "tool_calls", calls)
		}
		return ollamaEnd(c, r, message)
	},
	events: ollamaEvents,
	frame:  func(*call) *framing { return &jsonLines },
	failed: func(_ *call, message string) event { return event{data: object{"error", message}} },
}

func readOllama(c *call) {
	think := c.root.Get("think")
	c.thinks = think.Bool() || think.String() != ""
	c.extra = len(c.root.Get("tools").Raw)
	for i, v := range elements(c.root.Get("messages")) {
		m := v.Object()
		role := m.Get("role").String()
		if role == "tool" {
			c.add(piece{role: user, kind: result, name: m.Get("tool_name").String(), text: m.Get("content").String(), message: i})
			continue
		}
		c.add(piece{role: role, kind: text, text: m.Get("content").String(), message: i})
		for _, call := range elements(m.Get("tool_calls")) {
			f := call.Object().Get("function").Object()
			c.add(piece{role: role, kind: toolCall, name: f.Get("name").String(), text: arguments(f.Get("arguments")), message: i})
		}
		for range elements(m.Get("images")) {
			c.add(piece{role: role, kind: other, message: i})
		}
	}
}

var ollamaStops = map[string]string{"toolUse": "stop", "refusal": "stop"}

const ollamaTime = "2026-01-01T00:00:00Z"

func ollamaHead(c *call, message object) object {
	return object{"model", c.target.Model, "created_at", ollamaTime, "message", message}
}

func ollamaEnd(c *call, r *reply, message object) object {
	return append(ollamaHead(c, message),
		"done", true, "done_reason", r.stopWord(ollamaStops), "total_duration", 1000000, "load_duration", 1000,
		"prompt_eval_count", r.usage.input, "prompt_eval_duration", 1000, "eval_count", r.usage.output, "eval_duration", 1000)
}

func ollamaCalls(parts []said) list {
	var calls list
	for i := range parts {
		if p := &parts[i]; p.kind == toolCall {
			calls = append(calls, object{"function", object{"name", p.name, "arguments", jsontext.Value(p.text)}})
		}
	}
	return calls
}

func ollamaEvents(c *call, r *reply) []event {
	var events []event
	add := func(message object) {
		events = append(events, event{data: append(ollamaHead(c, message), "done", false)})
	}
	for i := range r.parts {
		p := &r.parts[i]
		if p.kind == toolCall {
			add(object{"role", "assistant", "content", "", "tool_calls", ollamaCalls(r.parts[i : i+1])})
			continue
		}
		for _, s := range cut(p.text) {
			switch p.kind {
			case thinking:
				add(object{"role", "assistant", "content", "", "thinking", s})
			case text:
				add(object{"role", "assistant", "content", s})
			}
		}
	}
	return append(events, event{data: ollamaEnd(c, r, object{"role", "assistant", "content", ""})})
}
