package mistral_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"hygeia/payload"
	"hygeia/policy"
)

// The oracle reads a finished body with another decoder and checks the rules of
// the rulebook, section 7, and the form of file 80 §16. It shares no code with
// the converter. The form of ids is the work of the passes and not checked here.

type object = map[string]any

type oracle struct {
	messages []object
	policy   *policy.Policy
	found    []string
}

// findings returns what a strict service would refuse.
func findings(text []byte, in *payload.Input) []string {
	o := &oracle{policy: in.Policy}
	var body object
	if err := json.Unmarshal(text, &body); err != nil || !utf8.Valid(text) {
		return []string{fmt.Sprintf("W-955: not JSON in UTF-8: %v", err)}
	}
	if s := fmt.Sprint(body); strings.ContainsRune(s, 0) || strings.ContainsRune(s, utf8.RuneError) && !strings.Contains(string(text), "\uFFFD") ||
		strings.Contains(s, "OPENCLAW_CACHE_BOUNDARY") {
		o.bad("W-955", "U+0000, a lone surrogate, or W-962: cache boundary")
	}
	if !strings.HasSuffix(string(text), "]}") {
		o.bad("W-003", "the message list is not last")
	}
	o.keys("body", body, "model stream max_tokens tools messages")
	if limit, _ := body["max_tokens"].(float64); limit < 1 || body["stream"] != true {
		o.bad("shape", "max_tokens %v, stream %v", body["max_tokens"], body["stream"])
	}
	tools, has := body["tools"].([]any)
	if has && len(tools) == 0 {
		o.bad("W-952", "tools is empty")
	}
	for _, def := range tools {
		o.name("tools", def.(object)["function"].(object)["name"])
	}
	list, _ := body["messages"].([]any)
	for _, m := range list {
		o.messages = append(o.messages, m.(object))
	}
	for i, m := range o.messages {
		o.message(i, m)
	}
	o.pairs()
	o.order()
	return o.found
}

func (o *oracle) bad(rule, format string, args ...any) {
	o.found = append(o.found, rule+": "+fmt.Sprintf(format, args...))
}

func (o *oracle) keys(where string, m object, allowed string) {
	for name := range m {
		if !strings.Contains(" "+allowed+" ", " "+name+" ") {
			o.bad("MI-08", "%s: %q", where, name)
		}
	}
}

var legal = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

func (o *oracle) name(where string, v any) {
	if name, _ := v.(string); !legal.MatchString(name) {
		o.bad("W-176", "%s: tool name %q", where, v)
	}
}

// members are the members of a message by its role.
var members = map[string]string{
	"system": "role content", "user": "role content", "assistant": "role content tool_calls", "tool": "role tool_call_id name content",
}

func (o *oracle) message(i int, m object) {
	role, _ := m["role"].(string)
	where := fmt.Sprintf("messages.%d (%s)", i, role)
	o.keys(where, m, members[role])
	calls, _ := m["tool_calls"].([]any)
	switch content := m["content"].(type) {
	case nil:
		if role != "assistant" || len(calls) == 0 {
			o.bad("MI-06", "%s: no content", where)
		}
	case string:
		if strings.TrimSpace(content) == "" || role == "assistant" || role == "tool" {
			o.bad("W-802", "%s: content %q", where, content)
		}
	case []any:
		if len(content) == 0 || role == "system" {
			o.bad("W-952", "%s: content %v", where, content)
		}
		for _, p := range content {
			o.part(where, role, p.(object))
		}
	}
	for _, c := range calls {
		call := c.(object)
		f := call["function"].(object)
		o.name(where, f["name"])
		var args object
		if text, ok := f["arguments"].(string); !ok || json.Unmarshal([]byte(text), &args) != nil || args == nil {
			o.bad("CC-18", "%s: arguments %v", where, f["arguments"])
		}
	}
	if _, has := m["tool_calls"]; has && len(calls) == 0 {
		o.bad("W-952", "%s: tool_calls is empty", where)
	}
	if role == "tool" {
		o.name(where, m["name"])
	}
}

func (o *oracle) part(where, role string, p object) {
	text, _ := p["text"].(string)
	switch p["type"] {
	case "text":
		if strings.TrimSpace(text) == "" {
			o.bad("W-951", "%s: blank text", where)
		}
	case "image_url":
		if url, _ := p["image_url"].(string); !strings.HasPrefix(url, "data:") || role == "assistant" {
			o.bad("MI-12", "%s: image %.40v", where, p)
		}
	case "thinking":
		inner, _ := p["thinking"].([]any)
		if len(inner) != 1 || role != "assistant" {
			o.bad("MI-08", "%s: thinking %v", where, p)
			return
		}
		o.part(where, role, inner[0].(object))
	default:
		o.bad("MI-08", "%s: part %v", where, p)
	}
}

// pairs checks that calls and results belong together (MI-05, MI-09).
func (o *oracle) pairs() {
	var open []string
	for i, m := range o.messages {
		if m["role"] == "tool" {
			id, _ := m["tool_call_id"].(string)
			at := slices.Index(open, id)
			if at < 0 {
				o.bad("MI-09", "messages.%d: %q answers no call", i, id)
				continue
			}
			open = slices.Delete(open, at, at+1)
			continue
		}
		if len(open) > 0 {
			o.bad("MI-05", "messages.%d: calls %q have no result", i, open)
		}
		open = nil
		calls, _ := m["tool_calls"].([]any)
		for _, c := range calls {
			open = append(open, c.(object)["id"].(string))
		}
	}
	if len(open) > 0 {
		o.bad("MI-05", "calls %q have no result", open)
	}
}

// order checks the order of roles (MI-02…MI-04).
func (o *oracle) order() {
	before := ""
	for i, m := range o.messages {
		role := m["role"].(string)
		switch {
		case role == "user" && before == "tool" && o.policy.BridgeToolResults:
			o.bad("MI-02", "messages.%d: user behind tool", i)
		case role == "tool" && before != "tool" && before != "assistant", role == "system" && i > 0:
			o.bad("MI-03", "messages.%d: %s behind %q", i, role, before)
		}
		before = role
	}
	if before == "assistant" && o.policy.Wire.Prefill == policy.PrefillNever || before == "" || before == "system" {
		o.bad("MI-04", "the last message is of role %q", before)
	}
}
