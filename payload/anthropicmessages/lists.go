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
	raw, changed := []byte{'['}, false
	for v := range p.o.Get(name).Elements() {
		out, reason := edit(v)
		if reason != "" {
			changed = true
			p.b.Log.Parameter(name, v, out, hygiene.Edit{Rule: rule, Reason: reason})
		}
		if !out.Exists() {
			continue
		}
		if len(raw) > 1 {
			raw = append(raw, ',')
		}
		raw = append(raw, out.Raw...)
	}
	switch {
	case changed && len(raw) == 1:
		p.o = p.o.With(name, jsonline.Value{})
	case changed:
		p.o = p.o.With(name, jsonline.Value{Raw: append(raw, ']'), Kind: jsonline.Array})
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
	p.each("tools", "W-176", func(v jsonline.Value) (jsonline.Value, string) {
		if wire := p.b.names.Definition(v, "name"); !bytes.Equal(wire.Raw, v.Raw) {
			return wire, "the tool name is not legal in this format"
		}
		return v, ""
	})
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
