package bedrock_test

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"hygeia/payload"
	"hygeia/payload/internal/buildtest"
	"hygeia/policy"
)

// The oracle reads a finished body with another decoder and checks the rules of
// the rulebook, section 6, with those that only some models have. It shares no
// code with the converter.

type object = buildtest.Object

type oracle struct {
	buildtest.Oracle
	body     object
	messages []object
	policy   *policy.Policy
	thinks   bool
	manual   bool
	tools    bool
	points   int
}

// findings returns what a strict service would refuse.
func findings(text []byte, in *payload.Input) []string {
	o := &oracle{policy: in.Policy}
	if o.body = o.Read(text); o.body == nil {
		return o.Found
	}
	o.Keys("shape", "body", o.body, "inferenceConfig system toolConfig additionalModelRequestFields messages")
	o.Last(text)
	o.parameters()
	for _, v := range list(o.body, "system") {
		o.block("system", "system", v)
	}
	o.messages = list(o.body, "messages")
	if len(o.messages) == 0 {
		o.Bad("BR-22", "no message")
	}
	for i := range o.messages {
		o.message(i)
	}
	o.round()
	o.end()
	if o.points > 4 || o.points > 0 && !in.Policy.Wire.CacheMarkers && !strings.Contains(string(in.Options.Tools.Raw), "cachePoint") {
		o.Bad("BR-19", "%d cache points", o.points)
	}
	return o.Found
}

func list(m object, name string) []object { return buildtest.Objects(m[name]) }

func (o *oracle) parameters() {
	config, _ := o.body["inferenceConfig"].(object)
	o.Keys("shape", "inferenceConfig", config, "maxTokens")
	limit, _ := config["maxTokens"].(float64)
	if top := o.policy.Model.MaxOutputTokens; limit < 1 || top > 0 && limit > float64(top) {
		o.Bad("AN-24", "maxTokens %v", limit)
	}
	if config, has := o.body["toolConfig"].(object); has {
		o.tools = true
		if len(list(config, "tools")) == 0 {
			o.Bad("BR-18", "tools is empty")
		}
		for _, def := range list(config, "tools") {
			if _, point := def["cachePoint"]; point {
				o.points++
			} else if name, _ := def["toolSpec"].(object)["name"].(string); !buildtest.LegalName.MatchString(name) {
				o.Bad("BR-10", "tool name %q", name)
			}
		}
	}
	extra, has := o.body["additionalModelRequestFields"].(object)
	o.Keys("shape", "additionalModelRequestFields", extra, "thinking output_config")
	thinking, _ := extra["thinking"].(object)
	model := &o.policy.Model
	budget, _ := thinking["budget_tokens"].(float64)
	switch kind := thinking["type"]; {
	case !has:
		o.thinks = model.ThinkingDefault == policy.ThinksOn || model.ThinkingDefault == policy.ThinksAlways
	case kind == "enabled" && model.Thinking == policy.ThinkingManual:
		o.thinks, o.manual = true, true
		if budget < 1024 || budget >= limit {
			o.Bad("AN-21", "budget %v of %v", budget, limit)
		}
	case kind == "adaptive" && model.Thinking == policy.ThinkingAdaptive, kind == "between_tools" && o.policy.Wire.ThinkingBetweenTools:
		o.thinks = true
	case kind == "disabled" && model.ThinkingDefault != policy.ThinksAlways && model.Thinking != "":
	default:
		o.Bad("AN-25", "thinking %v", thinking)
	}
}

func (o *oracle) message(i int) {
	m := o.messages[i]
	where := fmt.Sprintf("messages.%d", i)
	o.Keys("shape", where, m, "role content")
	role, _ := m["role"].(string)
	if i == 0 && role != "user" {
		o.Bad("BR-09", "first message is %q", role)
	}
	if i > 0 && o.messages[i-1]["role"] == role {
		o.Bad("BR-08", "%s: two %s messages in a row", where, role)
	}
	blocks := list(m, "content")
	if len(blocks) == 0 {
		o.Bad("BR-02", "%s: content is empty", where)
	}
	ids := map[string]bool{}
	var kinds []string
	for j, b := range blocks {
		kind := o.block(fmt.Sprintf("%s.content.%d", where, j), role, b)
		if kind == "toolUse" {
			id := b["toolUse"].(object)["toolUseId"].(string)
			if ids[id] {
				o.Bad("BR-07", "%s: id %q twice", where, id)
			}
			ids[id] = true
		}
		kinds = append(kinds, kind)
	}
	o.sequence(where, kinds)
	if role == "assistant" {
		o.answered(where, ids, i)
	} else {
		o.results(where, i)
	}
}

// sequence checks the order of the blocks of a message.
func (o *oracle) sequence(where string, kinds []string) {
	first := slices.Index(kinds, "toolUse")
	for j, kind := range kinds {
		switch {
		case kind == "text" && first >= 0 && j > first:
			o.Bad("BR-23", "%s: text behind a call", where)
		case kind == "toolResult" && j > 0 && kinds[j-1] != "toolResult":
			o.Bad("W-705", "%s: result behind %s", where, kinds[j-1])
		case kind == "toolResult" && o.policy.BridgeToolResults && len(kinds) > 1 && slices.Contains(kinds, "text"):
			o.Bad("BR-11", "%s: text beside results", where)
		case kind == "reasoningContent" && o.manual && kinds[0] != kind:
			o.Bad("AN-51", "%s: starts with %s", where, kinds[0])
		}
	}
}

// block checks one content block and returns its name.
func (o *oracle) block(where, role string, b object) string {
	if len(b) != 1 {
		o.Bad("shape", "%s: a block of %d members", where, len(b))
	}
	for kind, v := range b {
		if roles := map[string]string{
			"text": "user assistant system result", "image": "user result", "toolResult": "user", "toolUse": "assistant",
			"reasoningContent": "assistant", "cachePoint": "user system",
		}; !strings.Contains(roles[kind], role) {
			o.Bad("BR-13", "%s: %s of role %s", where, kind, role)
		}
		inner, _ := v.(object)
		switch kind {
		case "text":
			if s, ok := v.(string); !ok || strings.TrimSpace(s) == "" {
				o.Bad("BR-01", "%s: text is blank", where)
			}
		case "image":
			o.image(where, inner)
		case "toolUse":
			o.Keys("shape", where, inner, "toolUseId name input")
			id, _ := inner["toolUseId"].(string)
			name, _ := inner["name"].(string)
			if _, ok := inner["input"].(object); !ok || !buildtest.LegalName.MatchString(id) || !buildtest.LegalName.MatchString(name) {
				o.Bad("BR-10", "%s: %v", where, inner)
			}
		case "toolResult":
			o.result(where, inner)
		case "reasoningContent":
			o.reasoning(where, inner)
		case "cachePoint":
			o.points++
		}
		if strings.HasPrefix(kind, "tool") && !o.tools {
			o.Bad("BR-04", "%s: %s without toolConfig", where, kind)
		}
		return kind
	}
	return ""
}

func (o *oracle) image(where string, v object) {
	o.Keys("shape", where, v, "format source")
	source, _ := v["source"].(object)
	data, _ := source["bytes"].(string)
	if format, _ := v["format"].(string); data == "" || !slices.Contains([]string{"png", "jpeg", "gif", "webp"}, format) {
		o.Bad("BR-16", "%s: image of format %v", where, v["format"])
	}
}

func (o *oracle) result(where string, v object) {
	o.Keys("shape", where, v, "toolUseId content status")
	if _, has := v["status"]; has != o.policy.Wire.ToolResultStatus {
		o.Bad("BR-24", "%s: status %v", where, v["status"])
	}
	content := list(v, "content")
	if len(content) == 0 {
		o.Bad("BR-06", "%s: result is empty", where)
	}
	for _, b := range content {
		o.block(where, "result", b)
	}
}

func (o *oracle) reasoning(where string, v object) {
	text, _ := v["reasoningText"].(object)
	signature, _ := text["signature"].(string)
	data, redacted := v["redactedContent"].(string)
	_, err := base64.StdEncoding.DecodeString(data)
	switch {
	case !o.policy.Wire.SignedReasoning:
		o.Bad("BR-14", "%s: reasoning", where)
	case !o.thinks:
		o.Bad("AN-50", "%s: reasoning while it is off", where)
	case redacted && (data == "" || err != nil):
		o.Bad("AN-19", "%s: data %q", where, data)
	case !redacted && strings.TrimSpace(signature) == "", strings.HasPrefix(signature, "reasoning"), strings.HasPrefix(signature, "{"):
		o.Bad("AN-17", "%s: signature %q", where, signature)
	}
}

// answered checks that the results of the calls stand in the next message.
func (o *oracle) answered(where string, ids map[string]bool, i int) {
	results := map[any]int{}
	if i+1 < len(o.messages) {
		for _, b := range list(o.messages[i+1], "content") {
			if result, ok := b["toolResult"].(object); ok {
				results[result["toolUseId"]]++
			}
		}
	}
	for id := range ids {
		if results[id] != 1 {
			o.Bad("BR-03", "%s: %q has %d results", where, id, results[id])
		}
	}
}

// results checks that they answer the message in front.
func (o *oracle) results(where string, i int) {
	calls := map[any]bool{}
	if i > 0 {
		for _, b := range list(o.messages[i-1], "content") {
			if call, ok := b["toolUse"].(object); ok {
				calls[call["toolUseId"]] = true
			}
		}
	}
	for _, b := range list(o.messages[i], "content") {
		if result, ok := b["toolResult"].(object); ok && !calls[result["toolUseId"]] {
			o.Bad("BR-05", "%s: %v is no call", where, result["toolUseId"])
		}
	}
}

// round checks how the tool round in progress starts.
func (o *oracle) round() {
	first := -1
	for i := len(o.messages) - 1; i > 0; i -= 2 {
		if _, ok := list(o.messages[i], "content")[0]["toolResult"]; !ok {
			break
		}
		first = i - 1
	}
	if first < 0 || !o.manual {
		return
	}
	if _, ok := list(o.messages[first], "content")[0]["reasoningContent"]; !ok {
		o.Bad("AN-15", "messages.%d starts without thinking", first)
	}
}

// end checks a trailing assistant turn.
func (o *oracle) end() {
	n := len(o.messages)
	if n == 0 || o.messages[n-1]["role"] != "assistant" {
		return
	}
	if o.thinks || o.policy.Wire.Prefill == policy.PrefillNever { // W-956
		o.Bad("BR-15", "the last message is an assistant's")
	}
	blocks := list(o.messages[n-1], "content")
	if text, _ := blocks[len(blocks)-1]["text"].(string); strings.TrimRight(text, " \n\t\r") != text {
		o.Bad("AN-16", "trailing white space")
	}
}
