package anthropicmessages

import (
	"fmt"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/internal/pages"
	"hygeia/payload"
	"hygeia/payload/internal/anthropic"
)

// write writes the body, its members in one fixed order and the message list
// last (W-003).
func (b *builder) write() []byte {
	o := &b.in.Options
	b.out = pages.Room(1024 + b.Size + 64*len(b.Turns) + 2*len(o.System) + 2*len(o.Tools.Raw))
	w := &b.in.Policy.Wire
	if w.AnthropicVersion != "" {
		b.raw(`{"anthropic_version":`)
		b.out = jsonline.AppendQuoted(b.out, w.AnthropicVersion)
	} else {
		b.raw(`{"model":`)
		b.out = jsonline.AppendQuoted(b.out, b.in.Target.Model)
	}
	b.raw(`,"max_tokens":`)
	b.out = jsonline.AppendInt(b.out, int64(b.Request.MaxTokens))
	if !w.NoStreamMember {
		b.raw(`,"stream":true`)
	}
	b.system()
	b.tools()
	b.thinking()
	b.raw(`,"messages":[`)
	b.list()
	b.raw(`]}`)
	return b.out
}

// list writes the messages.
func (b *builder) list() {
	for i := range b.Turns {
		if i > 0 {
			b.raw(`,`)
		}
		b.turn(&b.Turns[i])
	}
}

func (b *builder) raw(s string) { b.out = append(b.out, s...) }

// system writes the system prompt as text blocks (W-201).
func (b *builder) system() {
	if blocks := b.systemBlocks(); blocks != nil {
		if i := b.in.Options.Identity; i != nil && i.System != "" {
			b.in.Report.Note("the identity of this access stands in front of the system prompt (W-231)")
		}
		b.raw(`,"system":`)
		b.out = append(b.out, blocks...)
	}
}

// systemBlocks returns the system prompt of the caller as a list of text blocks,
// nil for a blank one.
func (b *builder) systemBlocks() []byte {
	texts, stable := b.in.Options.SystemBlocks()
	if len(texts) == 0 {
		return nil
	}
	out := []byte{'['}
	for i, text := range texts {
		if i > 0 {
			out = append(out, ',')
		}
		out = jsonline.AppendQuoted(append(out, `{"type":"text","text":`...), text)
		if i == stable && b.marks.system {
			out = append(out, cacheControl...)
		}
		out = append(out, '}')
	}
	return append(out, ']')
}

// closeBlock ends a block, with a cache marker if it is to have one.
func (b *builder) closeBlock(marked bool) {
	if marked {
		b.raw(cacheControl)
	}
	b.raw(`}`)
}

// tools passes the tool definitions through (D-38), with legal names (W-176), a
// schema that is not empty (W-254) and the cache marker on the last.
func (b *builder) tools() {
	var defs []jsonline.Value
	for def := range b.in.Options.Tools.Elements() {
		defs = append(defs, b.definition(def))
	}
	if len(defs) == 0 {
		return
	}
	if n := len(defs) - 1; b.marks.tools {
		defs[n] = marked(defs[n])
	}
	b.raw(`,"tools":[`)
	for i, def := range defs {
		if i > 0 {
			b.raw(`,`)
		}
		b.out = payload.AppendText(b.out, def)
	}
	b.raw(`]`)
}

func marked(def jsonline.Value) jsonline.Value {
	if def.Kind != jsonline.ObjectKind {
		return def
	}
	return def.Object().With("cache_control", jsonline.Value{Raw: []byte(`{"type":"ephemeral"}`), Kind: jsonline.ObjectKind}).Value()
}

func (b *builder) definition(def jsonline.Value) jsonline.Value {
	named := b.names.Definition(def, "name")
	o := named.Object()
	if old, now := def.Object().Get("name").String(), o.Get("name").String(); old != now {
		b.in.Report.Note(fmt.Sprintf("tool %q goes out as %q (%s)", old, now, b.names.Edit(old).Rule))
	}
	if t := o.Get("type").String(); !o.Exists() || t != "" && t != "custom" {
		return named // a tool of the service has no schema
	}
	if schema := o.Get("input_schema"); emptySchema(schema.Object()) {
		whole := withSchema(o)
		payload.Log{Stage: stage, Report: b.in.Report}.Parameter("tools", named, whole, hygiene.Edit{
			Rule: "W-254", Reason: "the schema of the tool says nothing",
		})
		return whole
	}
	return named
}

// withSchema gives a tool definition the schema of a tool without arguments.
func withSchema(def jsonline.Object) jsonline.Value {
	return def.With("input_schema", payload.NoArguments()).Value()
}

// emptySchema reports whether a schema says no more than that it is an object.
func emptySchema(schema jsonline.Object) bool {
	for name := range schema.Members() {
		if name != "type" {
			return false
		}
	}
	return true
}

// thinking writes what the request says about thinking (W-216).
func (b *builder) thinking() {
	r := &b.Request
	if r.Kind != "" {
		b.raw(`,"thinking":{"type":"` + string(r.Kind) + `"`)
		if r.Kind == anthropic.Enabled {
			b.raw(`,"budget_tokens":`)
			b.out = jsonline.AppendInt(b.out, int64(r.Budget))
		}
		b.raw(`}`)
	}
	if r.Effort != "" {
		b.raw(`,"output_config":{"effort":"` + r.Effort + `"}`)
	}
}
