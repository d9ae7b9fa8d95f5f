package chat

import (
	"bytes"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/payload"
)

// Params edits the members of the body of a request that came in the same
// format.
type Params struct {
	B *Builder
	O jsonline.Object
}

// Set gives a member another value, none if that is absent, and records it.
func (p *Params) Set(name string, v jsonline.Value, rule, reason string, lossy bool) {
	p.B.Log.Parameter(name, p.O.Get(name), v, hygiene.Edit{Rule: rule, Reason: reason, Lossy: lossy})
	p.O = p.O.With(name, v)
}

// choices are where the names of a tool choice stand.
var choices = [][]string{{"function", "name"}, {"allowed_tools", "tools", "function", "name"}}

// Tools keeps the tool definitions, each as define gives it back, or puts those
// of the caller in their place. Without any, neither the list nor a choice goes
// out (W-412, W-413), unless the target wants an empty list beside old calls.
func (p *Params) Tools(define func(jsonline.Value) jsonline.Value) {
	tools := p.B.In.Options.Tools
	if tools.Exists() && !bytes.Equal(p.B.Own.Body.Get("tools").Raw, tools.Raw) {
		p.O = p.O.With("tools", tools)
	}
	n := 0
	defined, changed := tools.MapElements(func(def jsonline.Value) jsonline.Value {
		n++
		return define(def)
	})
	proxy := p.B.In.Policy.Wire.EmptyTools && p.B.HasCalls()
	switch list := p.O.Get("tools"); {
	case changed:
		p.O = p.O.With("tools", defined)
	case n == 0 && !list.Exists() && proxy:
		p.Set("tools", jsonline.Value{Raw: []byte("[]"), Kind: jsonline.Array}, "W-412", "the history has calls and no tool is offered", false)
	case n == 0 && list.Exists() && list.Kind != jsonline.Null && !proxy:
		p.Set("tools", jsonline.Value{}, "W-412", "no tool is offered", false)
	}
	choice := p.O.Get("tool_choice")
	switch named := p.B.Names.Choice(choice, choices...); {
	case n == 0 && choice.Exists() && choice.Kind != jsonline.Null:
		p.Set("tool_choice", jsonline.Value{}, "W-413", "no tool is offered", false)
	case !bytes.Equal(named.Raw, choice.Raw):
		p.Set("tool_choice", named, "W-176", "a tool name is not legal in this format", false)
	}
}

// Definition returns a tool definition with a legal name and records another one
// (W-176).
func (p *Params) Definition(def jsonline.Value) jsonline.Value {
	out := p.B.Names.Definition(def, p.B.format.NamePath...)
	if !bytes.Equal(out.Raw, def.Raw) {
		p.B.Log.Parameter("tools", def, out, hygiene.Edit{Rule: "W-176", Reason: "the tool name is not legal in this format"})
	}
	return out
}

// legal makes the strings of all members but the messages legal (W-120).
func (p *Params) legal() {
	for name, v := range p.O.Members() {
		if legal := payload.Legal(v); name != "messages" && !bytes.Equal(legal.Raw, v.Raw) {
			p.Set(name, legal, "W-120", "text holds code units that no request may hold", true)
		}
	}
}

// Limit puts the output limit that the caller asks for in.
func (p *Params) Limit(name string) {
	if asked := p.B.In.Options.MaxTokens; asked != p.B.Own.MaxTokens {
		p.O = p.O.With(name, jsonline.Int(asked))
	}
}
