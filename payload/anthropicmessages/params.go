package anthropicmessages

import (
	"slices"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/payload/internal/anthropic"
	"hygeia/policy"
)

// ownBody writes the body of a request that came in this format: its members in
// their order, those that a rule forbids with what the rule says instead (D-38).
func (b *builder) ownBody() []byte {
	b.limitMarks()
	b.out = append(make([]byte, 0, 1024+b.Size+64*len(b.Turns)), '[')
	b.list()
	b.raw(`]`)
	p := params{b: b, o: b.own.Body}
	for _, step := range []func(*params){
		(*params).road, (*params).limit, (*params).marks, (*params).system, (*params).identity, (*params).tools, (*params).thinking, (*params).choice, (*params).sampling, (*params).legal,
	} {
		step(&p)
	}
	if !b.own.Same() {
		p.o = p.o.With("messages", jsonline.Value{Raw: b.out, Kind: jsonline.Array})
	}
	return b.Log.Body(p.o)
}

// stated returns what the body says about thinking.
func (b *builder) stated() anthropic.Request {
	thinking := b.own.Body.Get("thinking").Object()
	budget, _ := thinking.Get("budget_tokens").Number()
	limit := b.in.Options.MaxTokens
	if limit == 0 {
		limit = b.in.MaxTokens()
	}
	return anthropic.Request{
		MaxTokens: limit, Kind: anthropic.Kind(thinking.Get("type").String()), Budget: int(min(budget, 1<<31)),
		Effort: b.own.Body.Get("output_config").Object().Get("effort").String(),
	}
}

// params edits the members of a body.
type params struct {
	b *builder
	o jsonline.Object
}

// set gives a member another value, none if that is absent, and records it.
func (p *params) set(name string, v jsonline.Value, rule, reason string, lossy bool) {
	p.b.Log.Parameter(name, p.o.Get(name), v, hygiene.Edit{Rule: rule, Reason: reason, Lossy: lossy})
	p.o = p.o.With(name, v)
}

func (p *params) drop(name, rule, reason string, lossy bool) {
	if p.o.Has(name) {
		p.set(name, jsonline.Value{}, rule, reason, lossy)
	}
}

// road gives the body the members that its road demands: some have the model in
// the path and a version in the body (W-233).
func (p *params) road() {
	version := p.b.in.Policy.Wire.AnthropicVersion
	const rule = "W-233"
	switch {
	case version == "":
		if !p.o.Has("model") {
			p.set("model", jsonline.Text(p.b.in.Target.Model), rule, "the model is not named in the path", false)
		}
		p.drop("anthropic_version", rule, "the version goes out as a header", false)
		p.drop("anthropic_beta", rule, "features are asked for in a header", true)
		return
	case !p.o.Has("anthropic_version"):
		p.set("anthropic_version", jsonline.Text(version), rule, "the version is part of the body", false)
	}
	p.drop("model", rule, "the model is named in the path", false)
	if p.b.in.Policy.Wire.NoStreamMember {
		p.drop("stream", rule, "the path says whether the answer is streamed", false)
	}
}

// limit puts an output limit in where there is none (W-207) or the caller asks
// for another one.
func (p *params) limit() {
	want := p.b.Request.MaxTokens
	v := jsonline.Int(want)
	switch has, ok := p.o.Get("max_tokens").Number(); {
	case !ok || has < 1:
		p.set("max_tokens", v, "W-207", "the output limit is mandatory", false)
	case int(min(has, 1<<31)) != want:
		p.o = p.o.With("max_tokens", v)
	}
}

// thinking asks for thinking in another way than the body did, or not at all.
func (p *params) thinking() {
	stated, r := p.b.stated(), &p.b.Request
	asked := p.b.in.Options.Thinking != payload.ThinkDefault
	if r.Edit.Rule == "" && !asked {
		return
	}
	if stated.Kind != r.Kind || stated.Budget != r.Budget {
		v := p.thinkingValue()
		if asked {
			p.o = p.o.With("thinking", v)
		} else {
			p.set("thinking", v, r.Edit.Rule, r.Edit.Reason, r.Kind == "" || r.Kind == anthropic.Disabled)
		}
	}
	if stated.Effort == r.Effort {
		return
	}
	c := p.o.Get("output_config").Object()
	if r.Effort != "" {
		c = c.With("effort", jsonline.Text(r.Effort))
	} else if c = c.Without("effort"); string(c.AppendTo(nil)) == "{}" {
		p.o = p.o.With("output_config", jsonline.Value{})
		return
	}
	p.o = p.o.With("output_config", c.Value())
}

func (p *params) thinkingValue() jsonline.Value {
	r := &p.b.Request
	t := p.o.Get("thinking").Object()
	switch r.Kind {
	case "":
		return jsonline.Value{}
	case anthropic.Disabled, anthropic.BetweenTools:
		t = jsonline.Object{}
	}
	t = t.With("type", jsonline.Text(string(r.Kind))).Without("budget_tokens")
	if r.Kind == anthropic.Enabled {
		t = t.With("budget_tokens", jsonline.Int(r.Budget))
	}
	return t.Value()
}

// choice makes a forced tool choice free where the model takes none (W-217).
func (p *params) choice() {
	c := p.o.Get("tool_choice").Object()
	typ := c.Get("type").String()
	forced := typ == "any" || typ == "tool"
	if forced && (p.b.Request.Kind == anthropic.Enabled || p.b.in.Policy.Wire.NoForcedToolChoice) {
		c = c.With("type", jsonline.Text("auto")).Without("name")
		p.set("tool_choice", c.Value(), "W-217", "the model takes no forced tool choice while it thinks", true)
		return
	}
	came := p.o.Get("tool_choice")
	if named := p.b.names.Choice(came, []string{"name"}); !slices.Equal(named.Raw, came.Raw) {
		e := p.b.names.Edit(c.Get("name").String())
		p.set("tool_choice", named, e.Rule, e.Reason, false)
	}
}

// sampling removes the sampling parameters that the model does not take (W-207).
func (p *params) sampling() {
	const rule = "W-207"
	w := &p.b.in.Policy.Wire
	if kind := p.b.Request.Kind; kind == anthropic.Enabled || kind == anthropic.Adaptive {
		const reason = "the model does not take it while it thinks"
		if t, ok := p.o.Get("temperature").Number(); !ok || t != 1 {
			p.drop("temperature", rule, reason, true)
		}
		if t, ok := p.o.Get("top_p").Number(); !ok || t < 0.95 || t > 1 {
			p.drop("top_p", rule, reason, true)
		}
		p.drop("top_k", rule, reason, true)
	}
	switch w.Sampling {
	case policy.SamplingDefaultOnly:
		for _, name := range []string{"temperature", "top_p", "top_k"} {
			p.drop(name, rule, "the model takes no sampling parameters", true)
		}
	case policy.SamplingOne:
		if p.o.Has("temperature") {
			p.drop("top_p", rule, "the model takes only one of temperature and top_p", true)
		}
	}
	if w.NoServiceTier {
		p.drop("service_tier", rule, "the model takes no service tier", true)
	}
}

// legal makes the strings of all other members legal (W-120).
func (p *params) legal() {
	for name, v := range p.o.Members() {
		if name == "messages" {
			continue
		}
		if legal := payload.Legal(v); !slices.Equal(legal.Raw, v.Raw) {
			p.set(name, legal, "W-120", "text holds code units that no request may hold", true)
		}
	}
}
