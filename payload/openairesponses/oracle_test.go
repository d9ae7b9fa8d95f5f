package openairesponses_test

import (
	"fmt"
	"slices"
	"strings"

	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/payload/internal/buildtest"
)

// The oracle reads a finished body with another decoder and holds it to what this
// product promises beyond the rulebook: no ids in a stateless request, ids
// together or not at all, each call answered once.

// findings returns what the service would refuse and what breaks a promise.
func findings(text []byte, in *payload.Input) []string {
	target := in.Target
	if isCodex(in) {
		target.API = "openai-chatgpt-responses"
	}
	return append(buildtest.Refused(panics{}, text, target), promises(text, in)...)
}

type panics struct{}

func (panics) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

func isCodex(in *payload.Input) bool {
	return in.Target.API == "openai-chatgpt-responses" || strings.HasPrefix(in.Policy.Model.BaseURL, "https://chatgpt.com/")
}

type object = buildtest.Object

type oracle struct {
	buildtest.Oracle
	body  object
	input []object
	in    *payload.Input
	codex bool
	ids   bool
}

// promises returns what breaks a promise.
func promises(text []byte, in *payload.Input) []string {
	o := &oracle{in: in, codex: isCodex(in)}
	o.ids = in.Policy.Wire.StoreItems && !o.codex
	if o.body = o.Read(text); o.body == nil {
		return o.Found
	}
	if input := jsonline.Parse(text).Object().Get("input"); !strings.HasSuffix(string(text), string(input.Raw)+"}") {
		o.Bad("W-003", "the input is not last")
	}
	o.input = buildtest.Objects(o.body["input"])
	if len(o.input) == 0 {
		return append(o.Found, "OR-22: no items")
	}
	o.parameters()
	o.tools()
	for i := range o.input {
		o.item(i)
	}
	o.reasoning()
	o.pairs()
	return o.Found
}

func (o *oracle) parameters() {
	w := &o.in.Policy.Wire
	o.Keys("AZ-03", "body", o.body, "model stream store instructions include reasoning text max_output_tokens prompt_cache_key tools tool_choice parallel_tool_calls input")
	if o.body["stream"] != true || o.body["store"] != o.ids {
		o.Bad("W-330", "stream %v, store %v", o.body["stream"], o.body["store"])
	}
	if _, ok := o.body["instructions"]; ok != o.codex {
		o.Bad("W-342", "instructions: %v", ok)
	}
	key, ok := o.body["prompt_cache_key"].(string)
	if want := o.in.Options.SessionID != "" && !w.NoPromptCacheKey; ok != want || len([]rune(key)) > 64 {
		o.Bad("W-332", "prompt_cache_key %q", key)
	}
	r, _ := o.body["reasoning"].(object)
	if r["effort"] == "none" && (w.NoItemStatus || !w.EffortNone) {
		o.Bad("W-333", "effort none")
	}
	if !o.in.Policy.Model.Reasoning && r != nil {
		o.Bad("OR-18", "reasoning")
	}
	if _, ok := o.body["max_output_tokens"]; ok == o.codex {
		o.Bad("D-38", "max_output_tokens: %v", ok)
	}
}

func (o *oracle) tools() {
	list, has := o.body["tools"].([]any)
	if has && len(list) == 0 {
		o.Bad("W-334", "tools is empty")
	}
	var names []string
	for _, t := range list {
		name, _ := t.(object)["name"].(string)
		names = append(names, name)
	}
	if !slices.IsSorted(names) {
		o.Bad("W-334", "tools stand in the order %q", names)
	}
	if _, ok := o.body["tool_choice"]; ok && !has {
		o.Bad("W-334", "tool_choice without tools")
	}
}

// members are those that an item of a type has, by type.
var members = map[string]string{
	"message":              "type role status id phase content",
	"function_call":        "type id call_id name arguments",
	"function_call_output": "type call_id output",
}

func (o *oracle) item(i int) {
	it := o.input[i]
	typ, _ := it["type"].(string)
	if allowed, ok := members[typ]; ok {
		o.Keys("AZ-03", fmt.Sprintf("item %d", i), it, allowed)
	} else if typ != "reasoning" {
		o.Bad("W-301", "item %d has type %q", i, typ)
	}
	if _, ok := it["id"]; ok && !o.ids {
		o.Bad("W-310", "item %d has an id", i)
	}
	if _, ok := it["status"]; ok && o.in.Policy.Wire.NoItemStatus {
		o.Bad("W-333", "item %d has a status", i)
	}
	between := "system" // the role of a system message between turns (CX-07)
	if o.codex {
		between = "developer"
	}
	told := o.in.Policy.SystemTurns && it["role"] == between
	if role := it["role"]; typ == "message" && role != "user" && role != "assistant" && !told && (i > 0 || o.codex) {
		o.Bad("W-301", "item %d has role %v", i, role)
	}
	if s, ok := it["output"].(string); ok && strings.TrimSpace(s) == "" {
		o.Bad("W-122", "item %d has no output", i)
	}
	parts, _ := it["content"].([]any)
	if typ == "message" && len(parts) == 0 {
		o.Bad("W-952", "item %d is empty", i)
	}
	output, _ := it["output"].([]any)
	for _, p := range append(parts, output...) {
		part := p.(object)
		if s, ok := part["text"].(string); ok && strings.TrimSpace(s) == "" && !(o.codex && len(o.input) == 1) {
			o.Bad("W-951", "item %d has blank text", i)
		}
	}
}

// reasoning holds reasoning items and ids to D-36, D-42 and W-959.
func (o *oracle) reasoning() {
	covered := false // reasoning with an id stands in front in this output
	for i, it := range o.input {
		_, id := it["id"]
		switch typ, last := it["type"], i == len(o.input)-1; {
		case typ == "reasoning":
			if s, _ := it["encrypted_content"].(string); s == "" && !id {
				o.Bad("D-42", "item %d cannot be read", i)
			}
			if last || o.input[i+1]["type"] == "function_call_output" || o.input[i+1]["role"] == "user" {
				o.Bad("W-959", "item %d leads to nothing", i)
			} else if _, next := o.input[i+1]["id"]; next != id {
				o.Bad("D-36", "item %d: id %v, the next %v", i, id, next)
			}
			covered = id
		case it["role"] == "user" || typ == "function_call_output":
			covered = false
		case id && !covered:
			o.Bad("OR-02", "item %d has an id without its reasoning", i)
		}
	}
}

// pairs holds calls and outputs to W-335.
func (o *oracle) pairs() {
	open := map[any]bool{}
	for i, it := range o.input {
		id := it["call_id"]
		_, known := open[id]
		switch it["type"] {
		case "function_call":
			if known {
				o.Bad("W-335", "item %d: call %v again", i, id)
			}
			open[id] = true
		case "function_call_output":
			if !open[id] {
				o.Bad("W-335", "item %d: output without a call that waits for it", i)
			}
			open[id] = false
		}
	}
	for id, waits := range open {
		if waits {
			o.Bad("W-335", "call %v has no output", id)
		}
	}
}
