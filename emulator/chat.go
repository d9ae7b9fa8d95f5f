package emulator

var chatFormat = format{
	callPrefix: "call_",
	read:       readChat,
	verify:     (*call).verifyDetails,
	finish:     (*call).signDetails,
	plain:      chatPlain,
	events:     chatEvents,
	frame:      func(*call) *framing { return &dataEvents },
	failed: func(c *call, message string) event {
		return event{data: object{"error", object{"message", message, "type", "server_error", "param", nil, "code", nil}}}
	},
	counted: func(n int) any { return nil }, // no such endpoint
}

// mistralFormat is Chat Completions with thinking among the content.
var mistralFormat = func() format {
	f := chatFormat
	f.verify, f.finish = nil, nil
	return f
}()

func readChat(c *call) {
	effort, reasoning := c.root.Get("reasoning_effort").String(), c.root.Get("reasoning")
	switch {
	case effort != "" && effort != "none",
		under(c.root, "thinking", "type").String() == "enabled",
		c.root.Get("prompt_mode").String() == "reasoning",
		reasoning.Object().Exists() && under(c.root, "reasoning", "effort").String() != "none":
		c.thinks = true
	}
	c.extra = len(c.root.Get("tools").Raw)
	for i, v := range elements(c.root.Get("messages")) {
		m := v.Object()
		role, content := m.Get("role").String(), m.Get("content")
		switch role {
		case "tool":
			c.add(piece{role: user, kind: result, id: m.Get("tool_call_id").String(), text: textOf(content), message: i})
			continue
		case "developer":
			role = system
		}
		c.details(m, i)
		if content.IsString() {
			c.add(piece{role: role, kind: text, text: content.String(), message: i})
		}
		for j, part := range elements(content) {
			p := piece{role: role, kind: other, text: canonical(part), message: i, block: j}
			if part.Object().Get("type").String() == "text" {
				p.kind, p.text = text, part.Object().Get("text").String()
			}
			c.add(p)
		}
		for _, call := range elements(m.Get("tool_calls")) {
			f := call.Object().Get("function").Object()
			c.add(piece{
				role: role, kind: toolCall, id: call.Object().Get("id").String(), name: f.Get("name").String(), text: arguments(f.Get("arguments")),
				message: i, seal: under(call.Object(), "extra_content", "google", "thought_signature").String(),
			})
		}
	}
}

// reasoningMembers are the members in which providers show reasoning, where it is
// not reasoning_content.
var reasoningMembers = map[string]string{
	"openai": "", "azure-openai": "", "github-copilot": "", "google": "", "openrouter": "reasoning", "groq": "reasoning", "cerebras": "reasoning",
}

func (c *call) reasoningMember() string {
	if m, ok := reasoningMembers[c.target.Provider]; ok {
		return m
	}
	return "reasoning_content"
}

var chatStops = map[string]string{"stop": "stop", "length": "length", "toolUse": "tool_calls", "refusal": "content_filter"}

func chatCall(p *said, i int, arguments string) object {
	o := object{"index", i, "id", p.id, "type", "function", "function", object{"name", p.name, "arguments", arguments}}
	if p.seal != "" {
		o = append(o, "extra_content", object{"google", object{"thought_signature", p.seal}})
	}
	return o
}

func (c *call) isMistral() bool { return c.target.API == "mistral-conversations" }

// thinkingPart is thinking as Mistral shows it.
func thinkingPart(s string) object {
	return object{"type", "thinking", "thinking", list{object{"type", "text", "text", s}}}
}

// content is the content member of a whole answer.
func (c *call) content(r *reply) any {
	said := r.join(text)
	switch {
	case c.isMistral() && r.has(thinking):
		parts := list{thinkingPart(r.join(thinking))}
		if said != "" {
			parts = append(parts, object{"type", "text", "text", said})
		}
		return parts
	case said == "" && r.has(toolCall) && !c.isMistral():
		return nil
	}
	return said
}

func chatPlain(c *call, r *reply) any {
	message := object{"role", "assistant", "content", c.content(r)}
	if member := c.reasoningMember(); member != "" && r.has(thinking) && !c.isMistral() {
		message = append(message, member, r.join(thinking))
	}
	if d := c.reasoningDetails(r); d != nil {
		message = append(message, "reasoning_details", d)
	}
	calls := list{}
	for i := range r.parts {
		if p := &r.parts[i]; p.kind == toolCall {
			calls = append(calls, chatCall(p, len(calls), p.text))
		}
	}
	if len(calls) > 0 {
		message = append(message, "tool_calls", calls)
	}
	return append(chatHead(c, r, "chat.completion"),
		"choices", list{object{"index", 0, "message", message, "logprobs", nil, "finish_reason", r.stopWord(chatStops)}},
		"usage", chatUsage(r))
}

func chatHead(c *call, r *reply, kind string) object {
	return object{"id", "chatcmpl-" + r.id, "object", kind, "created", created, "model", c.target.Model}
}

func chatUsage(r *reply) object {
	input := r.usage.input + r.usage.cacheRead
	return object{
		"prompt_tokens", input, "completion_tokens", r.usage.output, "total_tokens", input + r.usage.output,
		"prompt_tokens_details",
		object{"cached_tokens", r.usage.cacheRead},
		"completion_tokens_details",
		object{"reasoning_tokens", r.usage.thinking},
	}
}

// chatEvents streams deltas; every chunk is a whole object.
func chatEvents(c *call, r *reply) []event {
	var events []event
	chunk := func(delta object, finish any) {
		events = append(events, event{data: append(chatHead(c, r, "chat.completion.chunk"),
			"choices", list{object{"index", 0, "delta", delta, "logprobs", nil, "finish_reason", finish}})})
	}
	chunk(object{"role", "assistant", "content", ""}, nil)
	calls := 0
	for i := range r.parts {
		p := &r.parts[i]
		if p.kind == toolCall {
			c.chatCallDeltas(p, calls, chunk)
			calls++
			continue
		}
		for _, s := range cut(p.text) {
			if d := c.chatDelta(p.kind, s); d != nil {
				chunk(d, nil)
			}
		}
	}
	if d := c.reasoningDetails(r); d != nil {
		chunk(object{"content", "", "reasoning_details", d}, nil)
	}
	chunk(object{}, r.stopWord(chatStops))
	if under(c.root, "stream_options", "include_usage").Bool() || c.isMistral() || c.target.Provider == "openrouter" {
		events = append(events, event{data: append(chatHead(c, r, "chat.completion.chunk"), "choices", list{}, "usage", chatUsage(r))})
	}
	return append(events, event{data: "[DONE]"})
}

// chatDelta is a piece of text or thinking, nil where it does not show.
func (c *call) chatDelta(kind, s string) object {
	switch {
	case kind == text:
		return object{"content", s}
	case kind == redacted:
		return nil
	case c.isMistral():
		return object{"content", list{thinkingPart(s)}}
	case c.reasoningMember() == "":
		return nil
	}
	return object{c.reasoningMember(), s}
}

func (c *call) chatCallDeltas(p *said, i int, chunk func(object, any)) {
	chunk(object{"tool_calls", list{chatCall(p, i, "")}}, nil)
	for _, s := range cut(p.text) {
		chunk(object{"tool_calls", list{object{"index", i, "function", object{"arguments", s}}}}, nil)
	}
}
