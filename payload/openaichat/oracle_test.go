package openaichat_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"hygeia/payload"
	"hygeia/payload/internal/buildtest"
	"hygeia/policy"
)

// The oracle reads a finished body with another decoder and checks the rules of
// the rulebook that its policy switches on. It shares no code with the
// converter.

type body struct {
	buildtest.Oracle
	raw      buildtest.Object
	messages []buildtest.Object
	policy   *policy.Policy
}

// findings returns what a strict service would refuse.
func findings(text []byte, in *payload.Input) []string {
	b := &body{policy: in.Policy}
	if b.raw = b.Read(text); b.raw == nil {
		return b.Found
	}
	if b.messages = buildtest.Objects(b.raw["messages"]); len(b.messages) == 0 {
		b.Bad("CC-14", "messages is empty")
	}
	b.params()
	for i := range b.messages {
		b.message(i)
	}
	b.Rounds(b.messages, "CC-01", "CC-02")
	b.order()
	return b.Found
}

func (b *body) params() {
	tools, has := b.raw["tools"]
	if list, ok := tools.([]any); has && (!ok || len(list) == 0 && !b.policy.Wire.EmptyTools) {
		b.Bad("CC-16", "tools is empty")
	}
	if _, ok := b.raw["tool_choice"]; ok && !has {
		b.Bad("CC-16", "tool_choice without tools")
	}
	_, thinking := b.raw["thinking"]
	if _, effort := b.raw["reasoning_effort"]; thinking && effort {
		b.Bad("CC-13", "thinking and reasoning_effort")
	}
	if _, ok := b.raw["max_tokens"]; ok && b.policy.Wire.MaxTokensField == "max_completion_tokens" {
		b.Bad("CC-19", "max_tokens")
	}
	if b.raw["stream"] != true {
		b.Bad("W-411", "no stream")
	}
}

var (
	legalNine   = regexp.MustCompile(`^[a-zA-Z0-9]{9}$`)
	strictKeys  = []string{"role", "content", "tool_calls", "tool_call_id", "name"}
	reasonNames = []string{"reasoning", "reasoning_content", "reasoning_text", "reasoning_details"}
)

func (b *body) message(i int) {
	m, w := b.messages[i], &b.policy.Wire
	role, _ := m["role"].(string)
	switch role {
	case "system", "developer":
		if i > 0 {
			b.Bad("LO-10", "message %d: system behind the start", i)
		}
		if role == "developer" && !w.DeveloperRole {
			b.Bad("CC-15", "developer")
		}
	case "user", "assistant", "tool":
	default:
		b.Bad("CC-15", "message %d: role %q", i, role)
	}
	b.content(i, role, m)
	if _, ok := m["tool_calls"]; ok && role != "assistant" {
		b.Bad("MI-08", "message %d: calls in a message of role %s", i, role)
	}
	for name := range m {
		if w.StrictKeys && !slices.Contains(strictKeys, name) {
			b.Bad("CC-10", "message %d: property %s", i, name)
		}
	}
	b.calls(i, m)
	b.reasoning(i, role, m)
}

func (b *body) content(i int, role string, m buildtest.Object) {
	w := &b.policy.Wire
	switch c := m["content"].(type) {
	case nil:
		if _, calls := m["tool_calls"]; role != "assistant" || !calls {
			b.Bad("CC-06", "message %d: content is null", i)
		}
		if w.NoNullContent {
			b.Bad("LO-05", "message %d: content is null", i)
		}
	case string:
		_, calls := m["tool_calls"]
		if strings.TrimSpace(c) == "" && !calls {
			b.Bad("CC-24", "message %d: content is blank", i)
		}
	case []any:
		if len(c) == 0 {
			b.Bad("CC-07", "message %d: content is an empty array", i)
		}
		if w.StringContent {
			b.Bad("CC-09", "message %d: content is an array", i)
		}
		if role == "assistant" || role == "tool" {
			b.Bad("CC-20", "message %d: parts in a message of role %s", i, role)
		}
		for _, p := range c {
			b.part(i, role, p.(buildtest.Object))
		}
	}
}

func (b *body) part(i int, role string, p buildtest.Object) {
	switch p["type"] {
	case "text":
		if s, ok := p["text"].(string); !ok || strings.TrimSpace(s) == "" {
			b.Bad("W-951", "message %d: blank text part", i)
		}
	case "image_url":
		url, _ := p["image_url"].(buildtest.Object)
		if s, ok := url["url"].(string); !ok || role != "user" || strings.HasPrefix(s, "data:;") {
			b.Bad("CC-20", "message %d: image", i)
		}
	case "input_audio", "file":
	default:
		b.Bad("MI-08", "message %d: part of type %v", i, p["type"])
	}
	if _, ok := p["cache_control"]; ok && !b.policy.Wire.CacheMarkers {
		b.Bad("W-522", "message %d: cache marker", i)
	}
}

func (b *body) calls(i int, m buildtest.Object) {
	v, has := m["tool_calls"]
	if !has {
		return
	}
	list, _ := v.([]any)
	if len(list) == 0 {
		b.Bad("CC-08", "message %d: tool_calls is empty", i)
	}
	seen := map[string]bool{}
	for _, c := range list {
		call := c.(buildtest.Object)
		id, _ := call["id"].(string)
		if id == "" || seen[id] {
			b.Bad("CC-04", "message %d: call id %q", i, id)
		}
		seen[id] = true
		if b.policy.ToolCallIDForm.Max > 0 && len(id) > b.policy.ToolCallIDForm.Max {
			b.Bad("CC-05", "message %d: call id of length %d", i, len(id))
		}
		if b.policy.ToolCallIDMode == policy.IDStrict9 && !legalNine.MatchString(id) {
			b.Bad("MI-01", "message %d: call id %q", i, id)
		}
		f, _ := call["function"].(buildtest.Object)
		b.Name("CC-17", fmt.Sprintf("message %d", i), f["name"])
		args, ok := f["arguments"].(string)
		var object buildtest.Object
		if !ok || json.Unmarshal([]byte(args), &object) != nil || object == nil {
			b.Bad("CC-18", "message %d: arguments %v", i, f["arguments"])
		}
	}
}

func (b *body) reasoning(i int, role string, m buildtest.Object) {
	w := &b.policy.Wire
	_, calls := m["tool_calls"]
	_, has := m["reasoning_content"].(string)
	if role == "assistant" && !has && !w.StrictKeys && !(w.ReasoningOffDrops && !b.thinks()) &&
		(w.ReasoningRequired == "all" || w.ReasoningRequired == "calls" && calls) {
		b.Bad("CC-12", "message %d: reasoning_content is missing", i)
	}
	for _, name := range reasonNames {
		v, has := m[name]
		if !has {
			continue
		}
		_, text := v.(string)
		list, details := v.([]any)
		switch {
		case w.ReasoningReplay == "" || w.ReasoningReplay == policy.ReasoningNone:
			b.Bad("W-958", "message %d: %s", i, name)
		case name == "reasoning_details" && (!details || len(list) == 0), name != "reasoning_details" && !text:
			b.Bad("OP-02", "message %d: %s has the wrong form", i, name)
		case w.ReasoningReplay == policy.ReasoningDetails && name != "reasoning_details":
			b.Bad("OP-02", "message %d: bare %s", i, name)
		case w.ReasoningReplay == policy.ReasoningContent && name != "reasoning_content":
			b.Bad("CC-11", "message %d: %s", i, name)
		}
		for _, e := range list {
			entry := e.(buildtest.Object)
			if w.ReasoningReplay == policy.ReasoningDetails && entry["signature"] == nil && entry["data"] == nil {
				b.Bad("OP-02", "message %d: entry without proof", i)
			}
		}
	}
}

// order checks the order of roles (MI-02…MI-06, LO-01…LO-04, CC-23, OP-03).
func (b *body) order() {
	p := b.policy
	role := func(i int) string { return b.messages[i]["role"].(string) }
	alternating := p.Wire.StrictAlternation || p.ValidateAnthropicTurns
	for i := 1; i < len(b.messages); i++ {
		if role(i) == "user" && role(i-1) == "tool" && p.BridgeToolResults {
			b.Bad("MI-02", "message %d: user behind tool", i)
		}
		if role(i) == "tool" && role(i-1) != "tool" && role(i-1) != "assistant" {
			b.Bad("MI-03", "message %d: tool behind %s", i, role(i-1))
		}
		if alternating && role(i) == role(i-1) && role(i) != "tool" {
			b.Bad("LO-03", "messages %d and %d are both %s", i-1, i, role(i))
		}
	}
	n := len(b.messages)
	if n == 0 || role(n-1) != "assistant" {
		return
	}
	switch {
	case p.Wire.Prefill == policy.PrefillNever:
		b.Bad("MI-04", "the last message is an assistant's")
	case p.Wire.Prefill == policy.PrefillThinking && b.thinks():
		b.Bad("OP-03", "the last message is an assistant's")
	}
}

// thinks reads the parameters of the body as W-521 and LO-01 do.
func (b *body) thinks() bool {
	on := func(s string) bool { return s != "" && s != "none" && s != "off" }
	if s, ok := b.raw["reasoning_effort"].(string); ok {
		return on(s)
	}
	if o, ok := b.raw["reasoning"].(buildtest.Object); ok {
		s, ok := o["effort"].(string)
		return !ok || on(s)
	}
	if o, ok := b.raw["thinking"].(buildtest.Object); ok {
		return o["type"] != "disabled"
	}
	if o, ok := b.raw["chat_template_kwargs"].(buildtest.Object); ok {
		return o["enable_thinking"] == true
	}
	return b.policy.Model.Reasoning && b.policy.Model.ThinkingDefault != "" && b.policy.Model.ThinkingDefault != policy.ThinksOff
}
