package google

import (
	"bytes"
	"strings"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/payload"
)

// ownBody writes the body of a request that came in this format: its members in
// their order, those that a rule forbids with what the rule says instead (D-38).
func (b *builder) ownBody() []byte {
	list := b.appendContents(make([]byte, 0, 1024+b.size))
	p := params{b: b, o: b.own.body}
	for _, step := range []func(*params){(*params).cached, (*params).system, (*params).tools, (*params).allowed, (*params).limit, (*params).thinking, (*params).legal} {
		step(&p)
	}
	if !b.own.splice.Same() {
		p.o = p.o.With("contents", jsonline.Value{Raw: list, Kind: jsonline.Array})
	}
	o := p.o
	if b.envelope != nil {
		o = b.own.Body
		if project := b.in.Options.Project; project != "" {
			o = set(o, "project", project)
		}
		if p.o.Edited() {
			o = o.With("request", p.o.Value())
		}
	}
	return b.log.Body(o)
}

// params edits the members of a request.
type params struct {
	b *builder
	o jsonline.Object
}

// set gives a member another value, none if that is absent, and records it.
func (p *params) set(name string, v jsonline.Value, rule, reason string, lossy bool) {
	p.b.log.Parameter(name, p.o.Get(name), v, hygiene.Edit{Rule: rule, Reason: reason, Lossy: lossy})
	p.o = p.o.With(name, v)
}

// cached leaves out what a cached content excludes (W-623).
func (p *params) cached() {
	if !p.hasCached() {
		return
	}
	for _, name := range []string{"systemInstruction", "tools", "toolConfig"} {
		if name = spelled(p.o, name); p.o.Has(name) {
			p.set(name, jsonline.Value{}, "W-623", "cached content holds it already", true)
		}
	}
}

func (p *params) hasCached() bool { return p.o.Get(spelled(p.o, "cachedContent")).IsString() }

// system puts the prompt of the caller in, and takes marks of a cache boundary
// out of that of the request (W-123).
func (p *params) system() {
	name := spelled(p.o, "systemInstruction")
	if prompt := p.b.systemInstruction(); p.b.in.Options.System != "" && prompt != nil {
		p.o = p.o.With(name, jsonline.Parse(prompt))
		return
	}
	system := p.o.Get(name)
	if !bytes.Contains(system.Raw, []byte(texts.CacheBoundary)) {
		return
	}
	parts := system.Object().Get("parts")
	p.set(name, system.Object().With("parts", payload.Unbounded(parts)).Value(), "W-123", "the text holds a cache boundary", false)
}

// tools keeps the tools of the request with names (W-176) and schemas (W-622)
// that the target takes, or puts those of the caller in their place.
func (p *params) tools() {
	tools := p.b.in.Options.Tools
	if !tools.Exists() || p.hasCached() {
		return
	}
	if !bytes.Equal(p.o.Get("tools").Raw, tools.Raw) {
		p.o = p.o.With("tools", tools)
	}
	list, changed := p.b.log.Elements("tools", tools, func(def jsonline.Value) (jsonline.Value, string, string) {
		named := p.b.names.Definition(def, toolName...)
		switch out := p.b.tool(named); {
		case bytes.Equal(out.Raw, def.Raw):
			return def, "", ""
		case bytes.Equal(named.Raw, def.Raw):
			return out, "W-622", "the target reads schemas in another form"
		default:
			return out, "W-176", "the tool name is not legal in this format"
		}
	})
	if changed {
		p.o = p.o.With("tools", list)
	}
}

// allowed gives the functions that a tool choice names the names of the wire
// (W-176).
func (p *params) allowed() {
	member := spelled(p.o, "toolConfig")
	config := p.o.Get(member).Object()
	inner := spelled(config, "functionCallingConfig")
	calling := config.Get(inner).Object()
	names := spelled(calling, "allowedFunctionNames")
	list, changed := calling.Get(names).MapElements(func(v jsonline.Value) jsonline.Value {
		if wire := p.b.names.Wire(v.String()); v.IsString() && wire != v.String() {
			return jsonline.Text(wire)
		}
		return v
	})
	if changed {
		calling = calling.With(names, list)
		p.set(member, config.With(inner, calling.Value()).Value(), "W-176", "a tool name is not legal in this format", false)
	}
}

// config edits a member of generationConfig.
func (p *params) config(name string, v jsonline.Value) {
	config := spelled(p.o, "generationConfig")
	o := p.o.Get(config).Object()
	p.o = p.o.With(config, o.With(spelled(o, name), v).Value())
}

// limit puts the output limit that the caller asks for in.
func (p *params) limit() {
	if asked := p.b.in.Options.MaxTokens; asked != p.b.own.MaxTokens {
		p.config("maxOutputTokens", jsonline.Int(p.b.thinking.maxTokens))
	}
}

const thinkingConfig = "thinkingConfig"

// thinking puts in how the caller asks for thinking, or makes what the request
// says fit the model (W-621, W-218).
func (p *params) thinking() {
	if p.b.in.Options.Thinking != payload.ThinkDefault {
		if c := p.b.thinking.config; c != nil {
			p.config(thinkingConfig, jsonline.Parse(c))
		}
		return
	}
	stated := p.b.own.thinking()
	fitting, e := p.b.fitting(stated.Object())
	if e.Rule == "" {
		return
	}
	p.b.log.Parameter(thinkingConfig, stated, fitting, e)
	p.config(thinkingConfig, fitting)
}

// legal makes the strings of all other members legal (W-120).
func (p *params) legal() {
	for name, v := range p.o.Members() {
		if legal := payload.Legal(v); name != "contents" && !bytes.Equal(legal.Raw, v.Raw) {
			p.set(name, legal, "W-120", "text holds code units that no request may hold", true)
		}
	}
}

// budgetRange returns the least and the most tokens of a thinking budget that the
// model takes (GG-19) where a request asks for that many. Thinking that cannot be
// switched off has a least budget anyway.
func (b *builder) budgetRange(asked float64) (least, most float64) {
	w := &b.in.Policy.Wire
	least, most = float64(w.ThinkingFloor), 24576
	if least > 0 {
		most = 32768
	}
	if asked > 0 {
		least = max(least, float64(w.ThinkingLeast))
	}
	return least, most
}

// fitting returns what a request says about thinking as the model takes it, with
// the rule under which it is another one, or no rule.
func (b *builder) fitting(c jsonline.Object) (jsonline.Value, hygiene.Edit) {
	w := &b.in.Policy.Wire
	budgetName, levelName := spelled(c, "thinkingBudget"), spelled(c, "thinkingLevel")
	budget, level := c.Get(budgetName), c.Get(levelName)
	tokens, isNumber := budget.Number()
	least, most := b.budgetRange(tokens)
	gemini := strings.Contains(strings.ToLower(b.in.Target.Model), "gemini")
	edit := func(o jsonline.Object, reason string) (jsonline.Value, hygiene.Edit) {
		return o.Value(), hygiene.Edit{Rule: "W-621", Reason: reason, Lossy: true}
	}
	switch {
	case !c.Exists():
	case b.thinking.off:
		return jsonline.Value{}, hygiene.Edit{Rule: "W-218", Reason: "the tool round in progress does not start with thinking", Lossy: true}
	case level.Exists() && budget.Exists() && b.claude: // which is asked by budgets, see decideStated
		return edit(c.Without(levelName), "level and budget are not asked for together")
	case level.Exists() && budget.Exists() && (!gemini || w.ThinkingLevel):
		return edit(c.Without(budgetName), "level and budget are not asked for together")
	case !gemini:
	case !b.in.Policy.Model.Reasoning:
		return jsonline.Value{}, hygiene.Edit{Rule: "W-621", Reason: "the model does not reason", Lossy: true}
	case level.Exists() && !w.ThinkingLevel:
		if o := c.Without(levelName); budget.Exists() {
			return edit(o, "the model knows budgets, no levels")
		} else {
			known := payload.LevelOf(strings.ToLower(level.String()))
			return edit(o.With("thinkingBudget", jsonline.Int(max(budgets[known], int(least)))), "the model knows budgets, no levels")
		}
	case !isNumber || tokens == -1:
	case w.ThinkingLevel && tokens <= 0:
		return edit(c.Without(budgetName).With("thinkingLevel", jsonline.Text("low")), "thinking cannot be switched off for this model")
	case !w.ThinkingLevel && (tokens < least || tokens > most):
		return edit(c.With(budgetName, jsonline.Int(int(min(max(tokens, least), most)))), "the budget is out of range")
	}
	return jsonline.Value{}, hygiene.Edit{}
}
