package openaichat

import (
	"bytes"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/payload"
)

// stated returns the level of thinking that the body of a request itself asks
// for, "" where it asks for none or the caller asks for another one.
func (b *builder) stated() string {
	if b.Own == nil || b.In.Options.Thinking != payload.ThinkDefault {
		return ""
	}
	return b.Own.Thinking
}

// params edits the members of a body.
type params struct {
	b *builder
	o jsonline.Object
}

func (p *params) edit() {
	p.limit()
	p.thinking()
	p.tools()
	for name, v := range p.o.Members() {
		if legal := payload.Legal(v); name != "messages" && !bytes.Equal(legal.Raw, v.Raw) {
			p.set(name, legal, "W-120", "text holds code units that no request may hold", true)
		}
	}
}

// set gives a member another value, none if that is absent, and records it.
func (p *params) set(name string, v jsonline.Value, rule, reason string, lossy bool) {
	p.b.Log.Parameter(name, p.o.Get(name), v, hygiene.Edit{Rule: rule, Reason: reason, Lossy: lossy})
	p.o = p.o.With(name, v)
}

// limit puts the output limit under the name that the target knows (W-411), and
// another one in where the caller asks for it.
func (p *params) limit() {
	const old, now = "max_tokens", "max_completion_tokens"
	if v := p.o.Get(old); v.Exists() && p.b.In.Policy.Wire.MaxTokensField == now {
		if !p.o.Has(now) {
			p.o = p.o.With(now, v)
		}
		p.set(old, jsonline.Value{}, "W-411", "the target knows the output limit as "+now, false)
	}
	asked := p.b.In.Options.MaxTokens
	if asked == 0 || asked == p.b.Own.MaxTokens {
		return
	}
	name := old
	if p.o.Has(now) || !p.o.Has(old) && p.b.In.Policy.Wire.MaxTokensField == now {
		name = now
	}
	p.o = p.o.With(name, jsonline.Value{Raw: jsonline.AppendInt(nil, int64(asked)), Kind: jsonline.Number})
}

// thinkingMembers are those that ask for thinking.
var thinkingMembers = []string{"reasoning_effort", "reasoning", "thinking", "chat_template_kwargs"}

// thinking keeps the one way to ask for thinking that the target knows (W-502,
// W-532, W-542), or asks for what the caller wants.
func (p *params) thinking() {
	if len(p.b.params) > 0 {
		p.o = p.o.Without(thinkingMembers...)
		asked := jsonline.ParseObject(append(append([]byte{'{'}, p.b.params[1:]...), '}'))
		for name, v := range asked.Members() {
			p.o = p.o.With(name, v)
		}
		return
	}
	effort := p.o.Get("reasoning_effort")
	if !effort.Exists() {
		return
	}
	const name = "reasoning_effort"
	switch p.b.In.Policy.Wire.ReasoningEffort {
	case "reasoning":
		r := p.o.Get("reasoning").Object()
		if !r.Has("effort") && !r.Has("max_tokens") {
			p.o = p.o.With("reasoning", r.With("effort", effort).Value())
		}
		p.set(name, jsonline.Value{}, "W-502", "the router takes the effort as a member of reasoning", false)
	case "thinking":
		if p.o.Has("thinking") {
			p.set(name, jsonline.Value{}, "W-532", "the request asks for thinking in two ways", true)
		}
	case "chat_template_kwargs":
		p.set(name, jsonline.Value{}, "W-542", "the chat template takes no effort", true)
	}
}

// tools keeps the tool definitions, made legal (W-176, W-243), or puts those of
// the caller in their place. Without any, neither the list nor a choice goes out
// (W-412, W-413).
func (p *params) tools() {
	tools := p.b.In.Options.Tools
	if tools.Exists() && !bytes.Equal(p.b.Own.Body.Get("tools").Raw, tools.Raw) {
		p.o = p.o.With("tools", tools)
	}
	raw, n, changed := []byte{'['}, 0, false
	for def := range tools.Elements() {
		if n++; n > 1 {
			raw = append(raw, ',')
		}
		out := p.definition(def)
		changed = changed || !bytes.Equal(out.Raw, def.Raw)
		raw = append(raw, out.Raw...)
	}
	proxy := p.b.In.Policy.Wire.EmptyTools && p.b.HasCalls()
	switch list := p.o.Get("tools"); {
	case changed:
		p.o = p.o.With("tools", jsonline.Value{Raw: append(raw, ']'), Kind: jsonline.Array})
	case n == 0 && !list.Exists() && proxy:
		p.set("tools", jsonline.Value{Raw: []byte("[]"), Kind: jsonline.Array}, "W-412", "the history has calls and no tool is offered", false)
	case n == 0 && list.Exists() && list.Kind != jsonline.Null && !proxy:
		p.set("tools", jsonline.Value{}, "W-412", "no tool is offered", false)
	}
	if choice := p.o.Get("tool_choice"); n == 0 && choice.Exists() && choice.Kind != jsonline.Null {
		p.set("tool_choice", jsonline.Value{}, "W-413", "no tool is offered", false)
	}
}

// definition returns a tool definition as it goes out and records what changed.
func (p *params) definition(def jsonline.Value) jsonline.Value {
	out := p.b.Names.Definition(def, "function", "name")
	if !bytes.Equal(out.Raw, def.Raw) {
		p.b.Log.Parameter("tools", def, out, hygiene.Edit{Rule: "W-176", Reason: "the tool name is not legal in this format"})
	}
	if made := p.b.definition(out); p.b.In.Policy.Wire.NoStrictTools && !bytes.Equal(made.Raw, payload.Legal(out).Raw) {
		p.b.Log.Parameter("tools", out, made, hygiene.Edit{Rule: "W-243", Reason: "the target knows no strict tools"})
		return made
	}
	return out
}
