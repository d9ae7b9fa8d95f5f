package anthropicmessages

import (
	"bytes"
	"strings"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/payload"
)

// each edits the elements of a member that is an array. The edit returns the
// element as it goes out, absent for not at all, and the reason if it is another
// one.
func (p *params) each(name, rule string, edit func(v jsonline.Value) (jsonline.Value, string)) {
	list, changed := p.b.Log.Elements(name, p.o.Get(name), func(v jsonline.Value) (jsonline.Value, string, string) {
		out, reason := edit(v)
		if reason == "" {
			return out, "", ""
		}
		return out, rule, reason
	})
	if changed {
		p.o = p.o.With(name, list)
	}
}

// system keeps the system prompt of the body but for blank text (AN-12) and
// marks of a cache boundary (W-123), unless the caller gives another one.
func (p *params) system() {
	if p.b.in.Options.System != "" {
		p.o = p.o.With("system", jsonline.Value{Raw: p.b.systemBlocks(), Kind: jsonline.Array})
		return
	}
	const blank, bounded = "the text is blank", "the text holds a cache boundary"
	switch v := p.o.Get("system"); {
	case v.Blank():
		p.set("system", jsonline.Value{}, "W-201", blank, false)
	case v.IsString():
		if text := unbounded(v); text.Exists() {
			p.set("system", text, "W-123", bounded, false)
		}
	default:
		p.each("system", "W-201", func(v jsonline.Value) (jsonline.Value, string) {
			if v.Object().Get("text").Blank() {
				return jsonline.Value{}, blank
			}
			return v, ""
		})
		p.each("system", "W-123", func(v jsonline.Value) (jsonline.Value, string) {
			if text := unbounded(v.Object().Get("text")); text.Exists() {
				return v.Object().With("text", text).Value(), bounded
			}
			return v, ""
		})
	}
}

// identity puts the identity of this access in front of the system prompt
// (W-231).
func (p *params) identity() {
	i := p.b.in.Options.Identity
	if i == nil || i.System == "" {
		return
	}
	came := p.o.Get("system")
	first, rest := came, []byte(nil)
	switch came.Kind {
	case jsonline.Array:
		for v := range came.Elements() {
			if rest == nil {
				first = v.Object().Get("text")
			}
			rest = append(append(rest, ','), v.Raw...)
		}
	case jsonline.String:
		rest = jsonline.Object{}.With("type", jsonline.Text("text")).With("text", came).AppendTo([]byte{','})
	}
	if first.String() == i.System {
		return
	}
	list := jsonline.Object{}.With("type", jsonline.Text("text")).With("text", jsonline.Text(i.System)).AppendTo([]byte{'['})
	v := jsonline.Value{Raw: append(append(list, rest...), ']'), Kind: jsonline.Array}
	p.b.Log.Parameter("system", came, v, hygiene.Edit{
		Rule: "W-231", Reason: "the identity of this access stands in front", Synthetic: true,
	})
	p.o = p.o.With("system", v)
}

// unbounded returns a text without marks of a cache boundary, an absent value if
// it holds none.
func unbounded(v jsonline.Value) jsonline.Value {
	if !strings.Contains(v.String(), texts.CacheBoundary) {
		return jsonline.Value{}
	}
	return jsonline.Text(payload.SystemText(v.String()))
}

// tools keeps the tool definitions of the body, or puts those of the caller in
// their place, with legal names (W-176) and a schema (W-254).
func (p *params) tools() {
	tools := p.b.in.Options.Tools
	if !tools.Exists() {
		return
	}
	if !bytes.Equal(p.b.own.Body.Get("tools").Raw, tools.Raw) {
		p.o = p.o.With("tools", tools)
	}
	for _, rule := range []string{"W-176", "W-231"} {
		p.each("tools", rule, func(v jsonline.Value) (jsonline.Value, string) {
			e := p.b.names.Edit(v.Object().Get("name").String())
			if wire := p.b.names.Definition(v, "name"); e.Rule == rule && !bytes.Equal(wire.Raw, v.Raw) {
				return wire, e.Reason
			}
			return v, ""
		})
	}
	p.each("tools", "W-254", func(v jsonline.Value) (jsonline.Value, string) {
		o := v.Object()
		if t := o.Get("type").String(); !o.Exists() || t != "" && t != "custom" {
			return v, ""
		}
		for range o.Get("input_schema").Object().Members() {
			return v, ""
		}
		return withSchema(o), "the tool has no schema"
	})
}
