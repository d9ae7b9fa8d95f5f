package openaichat

import (
	"bytes"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/payload/internal/chat"
	"hygeia/policy"
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
	*chat.Params
	b *builder
}

func (p *params) edit() {
	p.limit()
	p.thinking()
	p.Tools(p.definition)
	p.forced()
	p.sampling()
}

// forced leaves the choice of a tool to a model that takes no forced one while it
// thinks (W-533).
func (p *params) forced() {
	const name = "tool_choice"
	choice := p.O.Get(name)
	if !p.b.thinks || !p.b.In.Policy.Wire.NoForcedToolChoice {
		return
	}
	if typ := choice.Object().Get("type").String(); choice.String() == "required" || typ == "function" || typ == "custom" {
		p.Set(name, jsonline.Text("auto"), "W-533", "the model takes no forced tool choice while it thinks", true)
	}
}

// sampling takes the sampling parameters off that the model does not take
// (W-533).
func (p *params) sampling() {
	if p.b.In.Policy.Wire.Sampling != policy.SamplingDefaultOnly {
		return
	}
	for _, name := range []string{"temperature", "top_p", "presence_penalty", "frequency_penalty"} {
		if p.O.Has(name) {
			p.Set(name, jsonline.Value{}, "W-533", "the model takes no sampling parameters", true)
		}
	}
}

// limit puts the output limit under the name that the target knows (W-411), and
// another one in where the caller asks for it.
func (p *params) limit() {
	const old, now = "max_tokens", "max_completion_tokens"
	if v := p.O.Get(old); v.Exists() && p.b.In.Policy.Wire.MaxTokensField == now {
		if !p.O.Has(now) {
			p.O = p.O.With(now, v)
		}
		p.Set(old, jsonline.Value{}, "W-411", "the target knows the output limit as "+now, false)
	}
	asked := p.b.In.Options.MaxTokens
	if asked == 0 || asked == p.b.Own.MaxTokens {
		return
	}
	name := old
	if p.O.Has(now) || !p.O.Has(old) && p.b.In.Policy.Wire.MaxTokensField == now {
		name = now
	}
	p.O = p.O.With(name, jsonline.Int(asked))
}

// thinkingMembers are those that ask for thinking.
var thinkingMembers = []string{"reasoning_effort", "reasoning", "thinking", "chat_template_kwargs"}

// thinking keeps the one way to ask for thinking that the target knows (W-502,
// W-532, W-542), or asks for what the caller wants.
func (p *params) thinking() {
	if len(p.b.params) > 0 {
		p.O = p.O.Without(thinkingMembers...)
		asked := jsonline.ParseObject(append(append([]byte{'{'}, p.b.params[1:]...), '}'))
		for name, v := range asked.Members() {
			p.O = p.O.With(name, v)
		}
		return
	}
	effort := p.O.Get("reasoning_effort")
	if !effort.Exists() {
		return
	}
	const name = "reasoning_effort"
	switch p.b.In.Policy.Wire.ReasoningEffort {
	case "reasoning":
		r := p.O.Get("reasoning").Object()
		if !r.Has("effort") && !r.Has("max_tokens") {
			p.O = p.O.With("reasoning", r.With("effort", effort).Value())
		}
		p.Set(name, jsonline.Value{}, "W-502", "the router takes the effort as a member of reasoning", false)
	case "thinking":
		if p.O.Has("thinking") {
			p.Set(name, jsonline.Value{}, "W-532", "the request asks for thinking in two ways", true)
		}
	case "chat_template_kwargs":
		p.Set(name, jsonline.Value{}, "W-542", "the chat template takes no effort", true)
	}
}

// definition returns a tool definition as it goes out and records what changed.
func (p *params) definition(def jsonline.Value) jsonline.Value {
	out := p.Definition(def)
	if made := p.b.definition(out); p.b.In.Policy.Wire.NoStrictTools && !bytes.Equal(made.Raw, payload.Legal(out).Raw) {
		p.b.Log.Parameter("tools", out, made, hygiene.Edit{Rule: "W-243", Reason: "the target knows no strict tools"})
		out = made
	}
	return p.b.described(out)
}
