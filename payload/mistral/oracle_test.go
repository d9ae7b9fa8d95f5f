package mistral_test

import (
	"encoding/json"
	"fmt"
	"strings"

	"hygeia/payload"
	"hygeia/payload/internal/buildtest"
	"hygeia/policy"
)

// The oracle reads a finished body with another decoder and checks the rules of
// the rulebook, section 7, and the form of file 80 §16. It shares no code with
// the converter. The form of ids is the work of the passes and not checked here.

type object = buildtest.Object

type oracle struct {
	buildtest.Oracle
	messages []object
	policy   *policy.Policy
}

// findings returns what a strict service would refuse.
func findings(text []byte, in *payload.Input) []string {
	o := &oracle{policy: in.Policy}
	body := o.Read(text)
	o.Last(text)
	o.Keys("MI-08", "body", body, "model stream max_tokens tools messages")
	if limit, _ := body["max_tokens"].(float64); limit < 1 || body["stream"] != true {
		o.Bad("shape", "max_tokens %v, stream %v", body["max_tokens"], body["stream"])
	}
	tools, has := body["tools"].([]any)
	if has && len(tools) == 0 {
		o.Bad("W-952", "tools is empty")
	}
	for _, def := range tools {
		o.Name("W-176", "tools", def.(object)["function"].(object)["name"])
	}
	o.messages = buildtest.Objects(body["messages"])
	for i, m := range o.messages {
		o.message(i, m)
	}
	o.Rounds(o.messages, "MI-05", "MI-09")
	o.order()
	return o.Found
}

// members are the members of a message by its role.
var members = map[string]string{
	"system": "role content", "user": "role content", "assistant": "role content tool_calls", "tool": "role tool_call_id name content",
}

func (o *oracle) message(i int, m object) {
	role, _ := m["role"].(string)
	where := fmt.Sprintf("messages.%d (%s)", i, role)
	o.Keys("MI-08", where, m, members[role])
	calls, _ := m["tool_calls"].([]any)
	switch content := m["content"].(type) {
	case nil:
		if role != "assistant" || len(calls) == 0 {
			o.Bad("MI-06", "%s: no content", where)
		}
	case string:
		if strings.TrimSpace(content) == "" || role == "assistant" || role == "tool" {
			o.Bad("W-802", "%s: content %q", where, content)
		}
	case []any:
		if len(content) == 0 || role == "system" {
			o.Bad("W-952", "%s: content %v", where, content)
		}
		for _, p := range content {
			o.part(where, role, p.(object))
		}
	}
	for _, c := range calls {
		call := c.(object)
		f := call["function"].(object)
		o.Name("W-176", where, f["name"])
		var args object
		if text, ok := f["arguments"].(string); !ok || json.Unmarshal([]byte(text), &args) != nil || args == nil {
			o.Bad("CC-18", "%s: arguments %v", where, f["arguments"])
		}
	}
	if _, has := m["tool_calls"]; has && len(calls) == 0 {
		o.Bad("W-952", "%s: tool_calls is empty", where)
	}
	if role == "tool" {
		o.Name("W-176", where, m["name"])
	}
}

func (o *oracle) part(where, role string, p object) {
	text, _ := p["text"].(string)
	switch p["type"] {
	case "text":
		if strings.TrimSpace(text) == "" {
			o.Bad("W-951", "%s: blank text", where)
		}
	case "image_url":
		if url, _ := p["image_url"].(string); !strings.HasPrefix(url, "data:") || role == "assistant" {
			o.Bad("MI-12", "%s: image %.40v", where, p)
		}
	case "thinking":
		inner, _ := p["thinking"].([]any)
		if len(inner) != 1 || role != "assistant" {
			o.Bad("MI-08", "%s: thinking %v", where, p)
			return
		}
		o.part(where, role, inner[0].(object))
	default:
		o.Bad("MI-08", "%s: part %v", where, p)
	}
}

// order checks the order of roles (MI-02…MI-04).
func (o *oracle) order() {
	before := ""
	for i, m := range o.messages {
		role := m["role"].(string)
		switch {
		case role == "user" && before == "tool" && o.policy.BridgeToolResults:
			o.Bad("MI-02", "messages.%d: user behind tool", i)
		case role == "tool" && before != "tool" && before != "assistant", role == "system" && i > 0:
			o.Bad("MI-03", "messages.%d: %s behind %q", i, role, before)
		}
		before = role
	}
	if before == "assistant" && o.policy.Wire.Prefill == policy.PrefillNever || before == "" || before == "system" {
		o.Bad("MI-04", "the last message is of role %q", before)
	}
}
