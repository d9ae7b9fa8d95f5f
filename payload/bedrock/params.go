package bedrock

import (
	"bytes"
	"strings"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/payload"
	"hygeia/payload/internal/anthropic"
)

// ownBody writes the body of a request that came in this format: its members in
// their order, those that a rule forbids with what the rule says instead (D-38).
func (b *builder) ownBody() []byte {
	b.out = append(make([]byte, 0, 1024+b.Size+64*len(b.Turns)), '[')
	b.list()
	b.raw(`]`)
	p := params{b: b, o: b.own.Body}
	for _, step := range []func(*params){(*params).limit, (*params).system, (*params).tools, (*params).thinking, (*params).choice, (*params).sampling, (*params).legal} {
		step(&p)
	}
	if !b.own.Same() {
		p.o = p.o.With("messages", jsonline.Value{Raw: b.out, Kind: jsonline.Array})
	}
	return b.Log.Body(p.o)
}

// Members in which Converse keeps what other formats say at the top.
const (
	inference = "inferenceConfig"
	config    = "toolConfig"
	fields    = "additionalModelRequestFields"
)

// stated returns what the body says about thinking.
func (b *builder) stated() anthropic.Request {
	body := b.own.Body
	budget, _ := at(body, fields, "thinking", "budget_tokens").Number()
	limit := b.in.Options.MaxTokens
	if limit == 0 {
		limit = b.in.MaxTokens()
	}
	return anthropic.Request{
		MaxTokens: limit, Kind: anthropic.Kind(at(body, fields, "thinking", "type").String()), Budget: int(min(budget, 1<<31)),
		Effort: at(body, fields, "output_config", "effort").String(),
	}
}

// params edits the members of a body.
type params struct {
	b *builder
	o jsonline.Object
}

// set gives a member of another one a value, none if that is absent, and records
// it under the rule, unless that is "".
func (p *params) set(in, name string, v jsonline.Value, rule, reason string, lossy bool) {
	o := p.o.Get(in).Object()
	if rule != "" {
		p.b.Log.Parameter(in+"."+name, o.Get(name), v, hygiene.Edit{Rule: rule, Reason: reason, Lossy: lossy})
	}
	if o = o.With(name, v); !v.Exists() && bytes.Equal(o.AppendTo(nil), []byte("{}")) {
		p.o = p.o.With(in, jsonline.Value{})
		return
	}
	p.o = p.o.With(in, o.Value())
}

func (p *params) drop(in, name, reason string) {
	if at(p.o, in, name).Exists() {
		p.set(in, name, jsonline.Value{}, "W-207", reason, true)
	}
}

// limit puts the output limit of the caller in.
func (p *params) limit() {
	want := p.b.Request.MaxTokens
	has, ok := at(p.o, inference, "maxTokens").Number()
	if asked := p.b.in.Options.MaxTokens; asked == 0 || ok && int(min(has, 1<<31)) == want {
		return
	}
	p.set(inference, "maxTokens", jsonline.Int(want), "", "", false)
}

// system keeps the system prompt of the body but for blank text (BR-01) and
// marks of a cache boundary (W-123), unless the caller gives another one.
func (p *params) system() {
	if p.b.in.Options.System != "" {
		p.o = p.o.With("system", jsonline.Value{Raw: p.b.systemBlocks(), Kind: jsonline.Array})
		return
	}
	system, changed := p.b.Log.Elements("system", p.o.Get("system"), func(v jsonline.Value) (jsonline.Value, string, string) {
		if reason := p.pointless(v); reason != "" {
			return jsonline.Value{}, "W-711", reason
		}
		if point, had := typed(v); !had {
			return point, "W-711", noType
		}
		switch text := v.Object().Get("text"); {
		case text.Blank():
			return jsonline.Value{}, "W-701", "the text is blank"
		case strings.Contains(text.String(), texts.CacheBoundary):
			text = jsonline.Text(payload.SystemText(text.String()))
			return v.Object().With("text", text).Value(), "W-123", "the text holds a cache boundary"
		}
		return v, "", ""
	})
	if changed {
		p.o = p.o.With("system", system)
	}
}

// pointless says why a block is a cache point that has to go, "" for one that
// stays and for any other block.
func (p *params) pointless(v jsonline.Value) string {
	switch {
	case !v.Object().Has("cachePoint"):
		return ""
	case !p.b.in.Policy.Wire.CacheMarkers:
		return noPoints
	case p.b.frontSurplus > 0:
		p.b.frontSurplus--
		return tooManyPoints
	}
	return ""
}

// tools keeps the tool definitions of the body with legal names (W-176), or puts
// those of the caller in their place.
func (p *params) tools() {
	tools := p.b.in.Options.Tools
	if !tools.Exists() {
		return
	}
	if !bytes.Equal(at(p.b.own.Body, config, "tools").Raw, tools.Raw) {
		p.set(config, "tools", tools, "", "", false)
	}
	named, changed := p.b.Log.Elements("tools", at(p.o, config, "tools"), func(v jsonline.Value) (jsonline.Value, string, string) {
		if reason := p.pointless(v); reason != "" {
			return jsonline.Value{}, "W-711", reason
		}
		if point, had := typed(v); !had {
			return point, "W-711", noType
		}
		if wire := p.b.names.Definition(v, "toolSpec", "name"); !bytes.Equal(wire.Raw, v.Raw) {
			return wire, "W-176", "the tool name is not legal in this format"
		}
		return v, "", ""
	})
	if changed {
		p.set(config, "tools", named, "", "", false)
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
		t := at(p.o, fields, "thinking").Object().Without("budget_tokens").With("type", jsonline.Text(string(r.Kind)))
		if r.Kind == anthropic.Enabled {
			t = t.With("budget_tokens", jsonline.Int(r.Budget))
		}
		v := t.Value()
		if r.Kind == "" {
			v = jsonline.Value{}
		}
		p.set(fields, "thinking", v, r.Edit.Rule, r.Edit.Reason, r.Kind == "" || r.Kind == anthropic.Disabled)
	}
	if stated.Effort == r.Effort {
		return
	}
	var effort jsonline.Value
	if r.Effort != "" {
		effort = jsonline.Object{}.With("effort", jsonline.Text(r.Effort)).Value()
	}
	p.set(fields, "output_config", effort, "", "", false)
}

// choice makes a forced tool choice free where the model takes none (W-217).
func (p *params) choice() {
	choice := at(p.o, config, "toolChoice").Object()
	forced := choice.Has("any") || choice.Has("tool")
	if forced && (p.b.Request.Kind == anthropic.Enabled || p.b.in.Policy.Wire.NoForcedToolChoice) {
		free := jsonline.Object{}.With("auto", jsonline.Object{}.Value())
		p.set(config, "toolChoice", free.Value(), "W-217", "the model takes no forced tool choice while it thinks", true)
		return
	}
	came := at(p.o, config, "toolChoice")
	if named := p.b.names.Choice(came, []string{"tool", "name"}); !bytes.Equal(named.Raw, came.Raw) {
		p.set(config, "toolChoice", named, "W-176", "a tool name is not legal in this format", false)
	}
}

// sampling removes the sampling parameters that do not go with thinking (W-207).
func (p *params) sampling() {
	if kind := p.b.Request.Kind; kind != anthropic.Enabled && kind != anthropic.Adaptive {
		return
	}
	const reason = "the model does not take it while it thinks"
	if t, ok := at(p.o, inference, "temperature").Number(); !ok || t != 1 {
		p.drop(inference, "temperature", reason)
	}
	if t, ok := at(p.o, inference, "topP").Number(); !ok || t < 0.95 || t > 1 {
		p.drop(inference, "topP", reason)
	}
	p.drop(fields, "top_k", reason)
}

// legal makes the strings of all other members legal (W-120).
func (p *params) legal() {
	for name, v := range p.o.Members() {
		if legal := payload.Legal(v); name != "messages" && !bytes.Equal(legal.Raw, v.Raw) {
			p.b.Log.Parameter(name, v, legal, hygiene.Edit{Rule: "W-120", Reason: "text holds code units that no request may hold", Lossy: true})
			p.o = p.o.With(name, legal)
		}
	}
}
