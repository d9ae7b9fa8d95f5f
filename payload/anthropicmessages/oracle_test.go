package anthropicmessages_test

import (
	"fmt"
	"regexp"
	"strings"

	"hygeia/payload"
	"hygeia/payload/internal/buildtest"
	"hygeia/policy"
)

// The oracle reads a finished body with another decoder and checks the rules of
// the rulebook, section 1, that the policy switches on. It shares no code with
// the converter.

type object = buildtest.Object

type oracle struct {
	buildtest.Oracle
	body     object
	messages []object
	policy   *policy.Policy
	on       bool // the model thinks
	manual   bool
	ids      map[string]bool
	marks    int
}

// findings returns what a strict service would refuse.
func findings(text []byte, in *payload.Input) []string {
	o := &oracle{policy: in.Policy, ids: map[string]bool{}}
	if o.body = o.Read(text); o.body == nil {
		return o.Found
	}
	o.road()
	o.Last(text)
	o.parameters()
	o.system()
	o.tools()
	o.messages = buildtest.Objects(o.body["messages"])
	if len(o.messages) == 0 {
		o.Bad("AN-31", "no message")
	}
	for i := range o.messages {
		o.message(i)
	}
	o.round()
	o.end()
	if o.marks > 4 {
		o.Bad("AN-28", "%d cache markers", o.marks)
	}
	return o.Found
}

// road checks the members that differ by road (W-233).
func (o *oracle) road() {
	known := "max_tokens system tools thinking output_config messages"
	if version := o.policy.Wire.AnthropicVersion; version == "" {
		known += " model"
	} else if known += " anthropic_version"; o.body["anthropic_version"] != version {
		o.Bad("W-233", "no version %s", version)
	}
	if !o.policy.Wire.NoStreamMember {
		known += " stream"
	}
	o.Keys("AN-35", "body", o.body, known)
}

func (o *oracle) parameters() {
	limit, _ := o.body["max_tokens"].(float64)
	if top := o.policy.Model.MaxOutputTokens; limit < 1 || limit != float64(int(limit)) || top > 0 && limit > float64(top) {
		o.Bad("AN-24", "max_tokens %v", limit)
	}
	model := &o.policy.Model
	thinking, has := o.body["thinking"].(object)
	if !has {
		o.on = model.ThinkingDefault == policy.ThinksOn || model.ThinkingDefault == policy.ThinksAlways
		return
	}
	if !model.Reasoning {
		o.Bad("AN-25", "the model does not reason")
	}
	o.Keys("AN-35", "thinking", thinking, "type budget_tokens")
	budget, _ := thinking["budget_tokens"].(float64)
	switch kind := thinking["type"]; kind {
	case "enabled":
		o.on, o.manual = true, true
		if model.Thinking != policy.ThinkingManual || o.policy.Wire.EnabledAsAdaptive {
			o.Bad("AN-25", "enabled is not supported")
		}
		if budget < 1024 || budget >= limit {
			o.Bad("AN-21", "budget %v of %v", budget, limit)
		}
	case "adaptive":
		o.on = true
		if model.Thinking != policy.ThinkingAdaptive && !o.policy.Wire.EnabledAsAdaptive {
			o.Bad("AN-25", "adaptive is not supported")
		}
	case "between_tools":
		o.on = true
		if !o.policy.Wire.ThinkingBetweenTools {
			o.Bad("AN-25", "between_tools is not supported")
		}
	case "disabled":
		if model.ThinkingDefault == policy.ThinksAlways {
			o.Bad("AN-25", "disabled is not supported")
		}
	default:
		o.Bad("AN-25", "thinking type %v", kind)
	}
	if effort, ok := o.body["output_config"].(object); ok && (thinking["type"] != "adaptive" || len(effort) != 1) {
		o.Bad("AN-35", "output_config %v", effort)
	}
}

func (o *oracle) system() {
	for _, block := range buildtest.Objects(o.body["system"]) {
		o.text("system", block)
	}
}

var toolName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,128}$`)

func (o *oracle) tools() {
	list, has := o.body["tools"].([]any)
	if has && len(list) == 0 {
		o.Bad("W-952", "tools is empty")
	}
	names := map[string]bool{}
	for _, v := range list {
		def := v.(object)
		name, _ := def["name"].(string)
		if !toolName.MatchString(name) {
			o.Bad("AN-09", "tool name %q", name)
		}
		if names[name] {
			o.Bad("AN-33", "tool name %q twice", name)
		}
		names[name] = true
		own := def["type"] == nil || def["type"] == "custom"
		if schema, ok := def["input_schema"].(object); own && (!ok || len(schema) == 0) {
			o.Bad("MM-04", "schema of tool %q is empty", name)
		}
		o.mark("tool", def, true)
	}
}

// mark counts a cache marker.
func (o *oracle) mark(where string, block object, legal bool) {
	if _, ok := block["cache_control"]; !ok {
		return
	}
	o.marks++
	if !legal {
		o.Bad("AN-29", "%s: cache marker", where)
	}
}

func (o *oracle) text(where string, block object) {
	o.Keys("AN-35", where, block, "type text cache_control")
	text, ok := block["text"].(string)
	if !ok || strings.TrimSpace(text) == "" {
		o.Bad("AN-12", "%s: text is blank", where)
	}
	o.mark(where, block, strings.TrimSpace(text) != "")
}

func (o *oracle) message(i int) {
	m := o.messages[i]
	where := fmt.Sprintf("messages.%d", i)
	o.Keys("AN-35", where, m, "role content")
	role := m["role"]
	if role != "user" && role != "assistant" {
		o.Bad("AN-10", "%s: role %v", where, role)
	}
	if i == 0 && role != "user" {
		o.Bad("AN-02", "first message is %v", role)
	}
	if i > 0 && o.messages[i-1]["role"] == role {
		o.Bad("AN-01", "%s: two %v messages in a row", where, role)
	}
	if s, ok := m["content"].(string); ok {
		if strings.TrimSpace(s) == "" {
			o.Bad("AN-13", "%s: content is blank", where)
		}
		return
	}
	list := blocks(m)
	if len(list) == 0 {
		o.Bad("AN-13", "%s: content is empty", where)
	}
	for j, b := range list {
		o.block(fmt.Sprintf("%s.content.%d", where, j), role.(string), b)
	}
	if role == "assistant" {
		o.assistant(where, list)
		o.answered(where, list, i)
	} else {
		o.results(where, list, i)
	}
}

func blocks(m object) []object { return buildtest.Objects(m["content"]) }

var callID = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

func (o *oracle) block(where, role string, b object) {
	kind, _ := b["type"].(string)
	if roles := map[string]string{
		"text": "user assistant", "image": "user", "tool_result": "user",
		"tool_use": "assistant", "thinking": "assistant", "redacted_thinking": "assistant",
	}; !strings.Contains(roles[kind], role) {
		o.Bad("AN-37", "%s: type %q as %s", where, kind, role)
	}
	switch kind {
	case "text":
		o.text(where, b)
	case "image":
		o.image(where, b)
	case "tool_use":
		o.Keys("AN-35", where, b, "type id name input")
		id, _ := b["id"].(string)
		if !callID.MatchString(id) { // W-954
			o.Bad("AN-08", "%s: id %q", where, id)
		}
		if o.ids[id] {
			o.Bad("AN-06", "%s: id %q twice", where, id)
		}
		o.ids[id] = true
		if name, _ := b["name"].(string); !toolName.MatchString(name) {
			o.Bad("AN-09", "%s: name %q", where, name)
		}
		if _, ok := b["input"].(object); !ok {
			o.Bad("AN-11", "%s: input %v", where, b["input"])
		}
	case "tool_result":
		o.result(where, b)
	case "thinking":
		o.Keys("AN-35", where, b, "type thinking signature")
		sig, _ := b["signature"].(string)
		if strings.TrimSpace(sig) == "" {
			o.Bad("AN-17", "%s: no signature", where)
		}
		if strings.HasPrefix(strings.TrimSpace(sig), "{") || strings.HasPrefix(sig, "reasoning") && !o.policy.Wire.ReasoningContentSigned {
			o.Bad("AN-20", "%s: signature %q", where, sig)
		}
		if _, ok := b["thinking"].(string); !ok {
			o.Bad("AN-17", "%s: thinking %v", where, b["thinking"])
		}
	case "redacted_thinking":
		o.Keys("AN-35", where, b, "type data")
		if data, _ := b["data"].(string); strings.TrimSpace(data) == "" {
			o.Bad("AN-19", "%s: no data", where)
		}
	}
}

func (o *oracle) image(where string, b object) {
	o.Keys("AN-35", where, b, "type source cache_control")
	o.mark(where, b, true)
	source, _ := b["source"].(object)
	o.Keys("AN-35", where, source, "type media_type data")
	switch source["media_type"] {
	case "image/jpeg", "image/png", "image/gif", "image/webp":
	default:
		o.Bad("AN-40", "%s: media type %v", where, source["media_type"])
	}
	if data, _ := source["data"].(string); source["type"] != "base64" || data == "" {
		o.Bad("AN-42", "%s: no data", where)
	}
}

func (o *oracle) result(where string, b object) {
	o.Keys("AN-35", where, b, "type tool_use_id content is_error cache_control")
	o.mark(where, b, true)
	if _, ok := b["tool_use_id"].(string); !ok {
		o.Bad("AN-47", "%s: no tool_use_id", where)
	}
	if s, ok := b["content"].(string); ok {
		if strings.TrimSpace(s) == "" {
			o.Bad("AN-12", "%s: result is blank", where)
		}
		return
	}
	list := blocks(b)
	if len(list) == 0 {
		o.Bad("AN-13", "%s: result is empty", where)
	}
	for _, part := range list {
		if part["type"] == "text" {
			o.text(where, part)
		} else {
			o.image(where, part)
		}
	}
}

func isThought(b object) bool { return b["type"] == "thinking" || b["type"] == "redacted_thinking" }

func (o *oracle) assistant(where string, list []object) {
	called := false
	for j, b := range list {
		switch {
		case b["type"] == "tool_use":
			called = true
		case b["type"] == "text" && called:
			o.Bad("W-203", "%s: text behind a call", where)
		case isThought(b) && !o.on:
			o.Bad("AN-50", "%s: thinking while it is off", where)
		case isThought(b) && j > 0 && o.manual && !isThought(list[0]):
			o.Bad("AN-51", "%s: starts with %v", where, list[0]["type"])
		}
	}
}

// answered checks that the results of the calls stand in the next message.
func (o *oracle) answered(where string, list []object, i int) {
	want := map[any]int{}
	for _, b := range list {
		if b["type"] == "tool_use" {
			want[b["id"]] = 0
		}
	}
	if len(want) == 0 {
		return
	}
	if i+1 < len(o.messages) {
		for _, b := range blocks(o.messages[i+1]) {
			if b["type"] == "tool_result" {
				want[b["tool_use_id"]]++
			}
		}
	}
	for id, n := range want {
		if n == 0 {
			o.Bad("AN-03", "%s: %v has no result", where, id)
		}
		if n > 1 {
			o.Bad("AN-07", "%s: %v has %d results", where, id, n)
		}
	}
}

// results checks that they come first and answer the message in front.
func (o *oracle) results(where string, list []object, i int) {
	calls := map[any]bool{}
	if i > 0 {
		for _, b := range blocks(o.messages[i-1]) {
			if b["type"] == "tool_use" {
				calls[b["id"]] = true
			}
		}
	}
	other := false
	for _, b := range list {
		if b["type"] != "tool_result" {
			other = true
			continue
		}
		if other {
			o.Bad("AN-04", "%s: result behind other content", where)
		}
		if !calls[b["tool_use_id"]] {
			o.Bad("AN-05", "%s: %v is no call", where, b["tool_use_id"])
		}
	}
}

// round checks how the tool round in progress starts.
func (o *oracle) round() {
	if !o.manual {
		return
	}
	first := -1
	for i := len(o.messages) - 1; i > 0; i -= 2 {
		list := blocks(o.messages[i])
		if len(list) == 0 || list[0]["type"] != "tool_result" {
			break
		}
		first = i - 1
	}
	if first >= 0 && !isThought(blocks(o.messages[first])[0]) {
		o.Bad("AN-15", "messages.%d starts with %v", first, blocks(o.messages[first])[0]["type"])
	}
}

// end checks a trailing assistant turn.
func (o *oracle) end() {
	if len(o.messages) == 0 {
		return
	}
	last := o.messages[len(o.messages)-1]
	if last["role"] != "assistant" {
		return
	}
	if o.on || o.policy.Wire.Prefill == policy.PrefillNever { // W-956
		o.Bad("AN-14", "the last message is assistant")
	}
	list := blocks(last)
	final := list[len(list)-1]
	if isThought(final) {
		o.Bad("AN-49", "the last block is thinking")
	}
	if text, _ := final["text"].(string); strings.TrimSpace(text) != text && strings.TrimRight(text, " \n\t\r") != text {
		o.Bad("AN-16", "trailing white space")
	}
}
