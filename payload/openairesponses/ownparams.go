package openairesponses

import (
	"bytes"
	"cmp"
	"strings"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/payload"
)

// params edits the members of a body.
type params struct {
	b *builder
	o jsonline.Object
}

func (p *params) edit() {
	p.system()
	p.limit()
	p.reasoning()
	p.include()
	p.cache()
	p.tools()
	if p.b.codex {
		p.codex()
	}
	for name, v := range p.o.Members() {
		if legal := payload.Legal(v); name != "input" && !bytes.Equal(legal.Raw, v.Raw) {
			p.set(name, legal, "W-120", "text holds code units that no request may hold", true)
		}
	}
}

// set gives a member another value, none if that is absent, and records it.
func (p *params) set(name string, v jsonline.Value, rule, reason string, lossy bool) {
	p.b.log.Parameter(name, p.o.Get(name), v, hygiene.Edit{Rule: rule, Reason: reason, Lossy: lossy})
	p.o = p.o.With(name, v)
}

// drop takes a member off, if there is one.
func (p *params) drop(name, rule, reason string, lossy bool) {
	if p.o.Has(name) {
		p.set(name, jsonline.Value{}, rule, reason, lossy)
	}
}

// system writes the system prompt of the caller as the instructions. On the back
// end of ChatGPT what system messages say stands there, and there is some (W-342).
func (p *params) system() {
	const name = "instructions"
	came := p.o.Get(name)
	switch asked := p.b.in.Options.System; {
	case asked != "":
		text := payload.SystemText(asked)
		if p.b.codex {
			text = cmp.Or(text, texts.NeutralInstructions)
		}
		if p.o = p.o.Without(name); text != "" {
			p.o = p.o.With(name, jsonline.Text(text))
		}
	case p.b.codex:
		text := strings.Join(append([]string{came.String()}, p.b.instructed...), "\n")
		text = cmp.Or(payload.SystemText(strings.TrimPrefix(text, "\n")), texts.NeutralInstructions)
		if text != came.String() {
			p.set(name, jsonline.Text(text), "W-342", "the endpoint takes the system prompt as the instructions, and demands one", false)
		}
	case came.IsString():
		if v := payload.Unbounded(came); !bytes.Equal(v.Raw, came.Raw) {
			p.set(name, v, "W-123", "the text holds a cache boundary", false)
		}
	}
}

// limit puts the output limit in that the caller asks for.
func (p *params) limit() {
	asked := p.b.in.Options.MaxTokens
	if asked == 0 || asked == p.b.own.MaxTokens {
		return
	}
	if p.b.codex {
		p.b.in.Report.Note("the output limit is left out: the endpoint takes none")
		return
	}
	p.o = p.o.With("max_output_tokens", jsonline.Int(asked))
}

// reasoning asks for the effort that the caller wants, or keeps what the target
// takes of the body's own wish (W-331, W-333).
func (p *params) reasoning() {
	const name = "reasoning"
	r := p.o.Get(name).Object()
	was := r.Get("effort")
	if p.b.in.Options.Thinking != payload.ThinkDefault {
		if effort, _ := p.b.effort(); effort != was.String() {
			p.o = p.o.With(name, wish(r, effort))
		}
		return
	}
	if !p.o.Get(name).Exists() {
		return
	}
	w, effort := &p.b.in.Policy.Wire, was.String()
	level := payload.LevelOf(effort)
	switch named := w.Efforts[string(level)]; {
	case !p.b.in.Policy.Model.Reasoning && !w.NoItemStatus:
		p.set(name, jsonline.Value{}, "W-331", "the model does not reason", true)
	case effort == "none" && (w.NoItemStatus || !w.EffortNone):
		p.set(name, wish(r, ""), "W-333", "the target knows no effort \"none\"", true)
	case named != "" && level != payload.ThinkDefault && named != effort:
		p.set(name, wish(r, named), "W-331", "the target knows no effort \""+effort+"\"", true)
	case effort == "minimal" && p.b.searchesWeb():
		p.set(name, wish(r, "low"), "W-331", "the effort minimal does not go with web search", false)
	}
}

// wish returns what a request asks for with that effort, absent for nothing.
func wish(r jsonline.Object, effort string) jsonline.Value {
	if effort != "" {
		return r.With("effort", jsonline.Text(effort)).Value()
	}
	r = r.Without("effort")
	for range r.Members() {
		return r.Value()
	}
	return jsonline.Value{}
}

// include leaves out the wish for encrypted reasoning where there is none
// (W-330).
func (p *params) include() {
	const name = "include"
	if p.b.in.Policy.Model.Reasoning || p.b.in.Policy.Wire.NoItemStatus {
		return
	}
	wishes, changed := p.o.Get(name).MapElements(func(v jsonline.Value) jsonline.Value {
		if v.Is("reasoning.encrypted_content") {
			return jsonline.Value{}
		}
		return v
	})
	if changed {
		p.set(name, wishes, "W-330", "the model does not reason", false)
	}
}

// cache keeps the wishes about the prompt cache where the endpoint takes them
// (W-332).
func (p *params) cache() {
	if p.b.in.Policy.Wire.NoPromptCacheKey {
		const reason = "the endpoint may not know it"
		p.drop("prompt_cache_key", "W-332", reason, false)
		p.drop("prompt_cache_retention", "W-332", reason, false)
		return
	}
	if key := p.o.Get("prompt_cache_key"); key.IsString() && cacheKey(key.String()) != key.String() {
		p.set("prompt_cache_key", jsonline.Text(cacheKey(key.String())), "W-332", "the key is too long or not plain", false)
	}
}

// tools keeps the tool definitions, under legal names (W-176), or puts those of
// the caller in their place. Without any there is no choice (W-334).
func (p *params) tools() {
	tools := p.b.in.Options.Tools
	if tools.Exists() && !bytes.Equal(p.o.Get("tools").Raw, tools.Raw) {
		p.o = p.o.With("tools", tools)
	}
	offered := 0
	list, changed := p.b.log.Elements("tools", tools, func(def jsonline.Value) (jsonline.Value, string, string) {
		offered++
		if named := p.b.names.Definition(def, "name"); !bytes.Equal(named.Raw, def.Raw) {
			return named, "W-176", "the tool name is not legal in this format"
		}
		return def, "", ""
	})
	if changed {
		p.o = p.o.With("tools", list)
	}
	if prompt := p.o.Get("prompt"); offered == 0 && prompt.Kind != jsonline.ObjectKind { // a stored prompt may bring tools
		p.drop("tool_choice", "W-334", "no tool is offered", false)
		p.drop("parallel_tool_calls", "W-334", "no tool is offered", false)
	}
	came := p.o.Get("tool_choice")
	if named := p.b.names.Choice(came, []string{"name"}, []string{"tools", "name"}); !bytes.Equal(named.Raw, came.Raw) {
		p.set("tool_choice", named, "W-176", "a tool name is not legal in this format", false)
	}
}

// refused are the parameters that the back end of ChatGPT refuses (W-345).
var refused = []string{
	"max_output_tokens", "temperature", "top_p", "metadata", "prompt_cache_retention", "service_tier", "user", "truncation",
	"presence_penalty", "frequency_penalty", "seed", "top_logprobs", "context_management",
}

// codex holds the body to what the back end of ChatGPT takes (W-344, W-345). The
// form of an answer stays (D-43).
func (p *params) codex() {
	for _, name := range refused {
		p.drop(name, "W-345", "the endpoint refuses the parameter", true)
	}
	p.want("store", false)
	p.want("stream", true)
}

// want gives a member the value that the back end of ChatGPT wants.
func (p *params) want(name string, value bool) {
	if v := jsonline.Bool(value); p.o.Get(name).Kind != v.Kind {
		p.set(name, v, "W-344", "the endpoint wants no other value", false)
	}
}
