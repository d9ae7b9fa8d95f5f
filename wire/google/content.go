package google

import (
	"strconv"
	"strings"

	"hygeia/internal/jsonline"
	"hygeia/transcript"
	"hygeia/wire/internal/canon"
	"hygeia/wire/internal/tree"
)

// snakes are the names that the services also read in snake case.
var snakes = map[string]string{
	"functionCall": "function_call", "functionResponse": "function_response", "thoughtSignature": "thought_signature",
	"inlineData": "inline_data", "fileData": "file_data", "mimeType": "mime_type",
	"executableCode": "executable_code", "codeExecutionResult": "code_execution_result",
	"systemInstruction": "system_instruction", "generationConfig": "generation_config", "maxOutputTokens": "max_output_tokens",
	"thinkingConfig": "thinking_config", "thinkingLevel": "thinking_level", "thinkingBudget": "thinking_budget",
	"functionDeclarations": "function_declarations", "parametersJsonSchema": "parameters_json_schema",
}

// field returns a member by its name in camel case or in snake case.
func field(n tree.Node, name string) tree.Node {
	if v := n.Get(name); v.Exists() {
		return v
	}
	return n.Get(snakes[name])
}

// both returns names in either spelling.
func both(names ...string) []string {
	for _, name := range names {
		if s := snakes[name]; s != "" {
			names = append(names, s)
		}
	}
	return names
}

// user writes the responses of a content as tool results, and what else it says
// as a user turn.
func (d *decoder) user(c tree.Node) {
	var rest []tree.Node
	answers := false
	for p := range c.Get("parts").Elements() {
		if r := field(p, "functionResponse"); r.IsObject() {
			answers = true
			d.result(p, r)
		} else {
			rest = append(rest, p)
		}
	}
	if len(rest) == 0 && answers {
		return
	}
	d.Begin(transcript.User, jsonline.Value{})
	d.Content()
	for _, p := range rest {
		d.part(p)
	}
	d.EndContent()
	d.Rest(c, "role", "parts", "content")
	d.End()
}

// Members of parts that become members of blocks, or would be taken for such.
var (
	saidMembers  = both("type", "text", "thoughtSignature", "textSignature", "thinkingSignature", "thinking", "skipSignature")
	imageMembers = both("type", "inlineData", "data", "mimeType")
	callMembers  = both("type", "functionCall", "id", "name", "arguments", "unnamed", "thoughtSignature", "skipSignature")
)

// part writes a part that is neither a call nor a response.
func (d *decoder) part(p tree.Node) {
	inline := field(p, "inlineData")
	switch {
	case p.Get("text").IsString():
		d.Next()
		d.Raw(`{"type":"text"`)
		d.Member("text", p.Get("text"))
		d.signature("textSignature", p)
		d.Rest(p, saidMembers...)
		d.Raw(`}`)
	case strings.HasPrefix(field(inline, "mimeType").Text(), "image/"):
		d.Next()
		d.Raw(`{"type":"image"`)
		d.Member("data", inline.Get("data"))
		d.Member("mimeType", field(inline, "mimeType"))
		d.inside("inlineData", inline, "data", "mimeType")
		d.Rest(p, imageMembers...)
		d.Raw(`}`)
	default:
		d.native(p)
	}
}

// nativeFields are the data of parts that stay content of this format.
var nativeFields = []string{"fileData", "inlineData", "executableCode", "codeExecutionResult"}

// native writes a part of this format: its type is the name of its data.
func (d *decoder) native(p tree.Node) {
	for _, name := range nativeFields {
		if v := field(p, name); v.Exists() {
			d.Next()
			d.Raw(`{"type":`)
			d.Text(name)
			d.Member(name, v)
			d.signature("thoughtSignature", p)
			d.Rest(p, both("type", name, "thoughtSignature", "skipSignature")...)
			d.Raw(`}`)
			return
		}
	}
	d.Block(p)
}

func (d *decoder) model(c tree.Node) {
	d.calls.Turn()
	d.Begin(transcript.Assistant, c.Value())
	d.Content()
	for p := range c.Get("parts").Elements() {
		switch f := field(p, "functionCall"); {
		case f.IsObject():
			d.call(p, f)
		case p.Get("text").IsString() && p.Get("thought").Value().Bool():
			d.Next()
			d.Raw(`{"type":"thinking"`)
			d.Member("thinking", p.Get("text"))
			d.signature("thinkingSignature", p)
			d.Rest(p, append(saidMembers, "thought")...)
			d.Raw(`}`)
		default:
			d.part(p)
		}
	}
	d.EndContent()
	d.Rest(c, "role", "parts", "content")
	d.End()
}

// signature writes the thought signature of a part. The literal that stands in
// the place of one is none, and kept under another name (W-613).
func (d *decoder) signature(member string, p tree.Node) {
	switch sig := field(p, "thoughtSignature"); {
	case !sig.Given():
	case skips[sig.Text()]:
		d.Member("skipSignature", sig)
	default:
		d.Member(member, sig)
	}
}

// skips are the literals, as they are documented and as base64 of bytes.
var skips = map[string]bool{
	"skip_thought_signature_validator": true, "context_engineering_is_the_way_to_go": true,
	"c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I=": true, "Y29udGV4dF9lbmdpbmVlcmluZ19pc190aGVfd2F5X3RvX2dv": true,
}

func (d *decoder) call(p, f tree.Node) {
	d.Next()
	d.Raw(`{"type":"toolCall"`)
	id, unnamed := d.calls.Call(f.Get("id").Text(), f.Get("name").Text())
	d.TextMember("id", id)
	if unnamed {
		d.Raw(canon.Unnamed)
	}
	d.Member("name", f.Get("name"))
	if args := f.Get("args"); args.Given() {
		d.Member("arguments", args)
	} else {
		d.Raw(`,"arguments":{}`) // the format leaves out what is empty
	}
	d.inside("functionCall", f, "id", "name", "args")
	d.signature("thoughtSignature", p)
	d.Rest(p, callMembers...)
	d.Raw(`}`)
}

// inside writes, under its name, what a data field holds besides the members that
// the canonical form has places for.
func (d *decoder) inside(name string, v tree.Node, but ...string) {
	if rest := v.AppendRest(nil, both(but...)...); len(rest) > 0 {
		d.Raw(`,"` + name + `":{` + string(rest[1:]) + `}`)
	}
}

func (d *decoder) result(p, r tree.Node) {
	response := r.Get("response")
	failed := response.Get("error").Exists() && !response.Get("output").Exists()
	d.Begin(transcript.ToolResult, p.Value())
	id, unnamed := d.calls.Answer(r.Get("id").Text(), r.Get("name").Text())
	d.TextMember("toolCallId", id)
	if unnamed {
		d.Raw(canon.Unnamed)
	}
	d.Member("toolName", r.Get("name"))
	d.Content()
	switch {
	case response.Get("output").IsString():
		d.TextBlock(response.Get("output"))
	case failed && response.Get("error").IsString():
		d.TextBlock(response.Get("error"))
	case response.Exists():
		d.Next()
		d.Raw(`{"type":"text"`)
		d.TextMember("text", string(response.Value().Raw))
		d.Raw(`}`)
	}
	for p := range r.Get("parts").Elements() {
		d.part(p)
	}
	d.EndContent()
	d.Raw(`,"isError":` + strconv.FormatBool(failed))
	d.End()
}
