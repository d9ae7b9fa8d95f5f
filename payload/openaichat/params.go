package openaichat

import (
	"cmp"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/policy"
)

// thinkingParams returns the members of the body that ask for a thinking level,
// with a comma in front, and whether the model will think (D-38). There are
// none unless a level is asked for, the model reasons and the endpoint has a
// parameter for it.
func thinkingParams(in *payload.Input) (params []byte, thinks bool) {
	level, m, w := in.Options.Thinking, &in.Policy.Model, &in.Policy.Wire
	thinks = m.Reasoning && (m.ThinkingDefault == policy.ThinksOn || m.ThinkingDefault == policy.ThinksAlways)
	switch {
	case level == payload.ThinkDefault:
		return nil, thinks
	case !m.Reasoning:
		if level != payload.ThinkOff {
			in.Report.Note("the thinking level is left out: the model does not reason")
		}
		return nil, false
	case level == payload.ThinkOff && m.ThinkingDefault == policy.ThinksAlways:
		in.Report.Note("thinking stays on: it cannot be switched off for this model")
		return nil, true
	}
	if w.ReasoningEffort == "reasoning_effort" && m.SupportsReasoningEffort != nil && !*m.SupportsReasoningEffort {
		in.Report.Note("the thinking level is left out: the model takes no reasoning effort")
		return nil, thinks
	}
	if write := efforts[w.ReasoningEffort]; write != nil {
		params = write(w, level)
	}
	if params == nil {
		in.Report.Note("the thinking level is left out: the endpoint has no parameter for it")
		return nil, thinks
	}
	return params, level != payload.ThinkOff
}

// efforts are the ways to ask for a thinking level (W-502, W-532, W-542), by
// their name in the policy. Only one of them ever stands in a body (CC-13).
var efforts = map[string]func(w *policy.Wire, level payload.Level) []byte{
	"reasoning_effort": func(w *policy.Wire, level payload.Level) []byte {
		if level == payload.ThinkOff && !w.EffortNone {
			return nil
		}
		return jsonline.AppendQuoted([]byte(`,"reasoning_effort":`), payload.Effort(w, level))
	},
	"reasoning": func(w *policy.Wire, level payload.Level) []byte {
		return append(jsonline.AppendQuoted([]byte(`,"reasoning":{"effort":`), payload.Effort(w, level)), '}')
	},
	"thinking": func(_ *policy.Wire, level payload.Level) []byte {
		if level == payload.ThinkOff {
			return []byte(`,"thinking":{"type":"disabled"}`)
		}
		return []byte(`,"thinking":{"type":"enabled"}`)
	},
	"chat_template_kwargs": func(w *policy.Wire, level payload.Level) []byte {
		switch {
		case !w.NonemptyContent && level == payload.ThinkOff:
			return []byte(`,"chat_template_kwargs":{"enable_thinking":false,"preserve_thinking":true}`)
		case !w.NonemptyContent:
			return []byte(`,"chat_template_kwargs":{"enable_thinking":true,"preserve_thinking":true}`)
		case level == payload.ThinkOff:
			return []byte(`,"chat_template_kwargs":{"enable_thinking":false,"force_nonempty_content":true}`)
		}
		return []byte(`,"chat_template_kwargs":{"enable_thinking":true}`)
	},
}

// appendHead writes everything in front of the messages.
func (b *builder) appendHead(dst []byte) []byte {
	w := &b.In.Policy.Wire
	dst = append(dst, `{"model":`...)
	dst = jsonline.AppendQuoted(dst, b.In.Target.Model)
	dst = append(dst, `,"stream":true`...)
	if w.StreamUsage {
		dst = append(dst, `,"stream_options":{"include_usage":true}`...)
	}
	if w.Store {
		dst = append(dst, `,"store":false`...)
	}
	dst = append(dst, ',')
	dst = jsonline.AppendQuoted(dst, cmp.Or(w.MaxTokensField, "max_tokens"))
	dst = jsonline.AppendInt(append(dst, ':'), int64(b.In.MaxTokens()))
	dst = append(dst, b.params...)
	return b.appendTools(dst)
}

// appendTools writes the tool definitions. Without any the member is absent,
// unless a proxy wants it beside old calls (W-412, CC-16).
func (b *builder) appendTools(dst []byte) []byte {
	n := len(dst)
	dst = b.AppendTools(dst, func(def jsonline.Value) jsonline.Value { return b.described(b.definition(def)) })
	if len(dst) == n && b.In.Policy.Wire.EmptyTools && b.HasCalls() {
		return append(dst, `,"tools":[]`...)
	}
	return dst
}

// described returns a tool definition with a schema of its arguments where the
// target refuses one without, and records that (W-254).
func (b *builder) described(def jsonline.Value) jsonline.Value {
	const name = "parameters"
	f := def.Object().Get("function").Object()
	if !b.In.Policy.Wire.ToolSchema || !f.Exists() {
		return def
	}
	for range f.Get(name).Object().Members() {
		return def
	}
	whole := def.Object().With("function", f.With(name, payload.NoArguments()).Value()).Value()
	b.Log.Parameter("tools", def, whole, hygiene.Edit{Rule: "W-254", Reason: "the tool has no schema"})
	return whole
}

// definition returns a tool definition as it goes out: its name legal, and no
// member that the target refuses (W-176, W-243).
func (b *builder) definition(def jsonline.Value) jsonline.Value {
	def = payload.Legal(b.Names.Definition(def, "function", "name"))
	if !b.In.Policy.Wire.NoStrictTools {
		return def
	}
	o := def.Object()
	if f := o.Get("function").Object(); f.Has("strict") {
		return o.With("function", f.Without("strict").Value()).Value()
	}
	return def
}
