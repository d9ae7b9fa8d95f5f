package bedrock

import (
	"fmt"
	"strings"

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
	b.raw(`{"inferenceConfig":{"maxTokens":`)
	b.out = jsonline.AppendInt(b.out, int64(b.Request.MaxTokens))
	b.raw(`}`)
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

const cachePoint = `{"cachePoint":{"type":"default"}}`

// system writes the system prompt (W-701).
func (b *builder) system() {
	if blocks := b.systemBlocks(); blocks != nil {
		b.raw(`,"system":`)
		b.out = append(b.out, blocks...)
	}
}

// systemBlocks returns the system prompt of the caller, nil for a blank one. Its
// boundary goes out as a cache point, or as a newline where the model knows none
// (W-123).
func (b *builder) systemBlocks() []byte {
	stable, dynamic := payload.SplitSystem(b.in.Options.System)
	if !b.marks.system {
		stable, dynamic = payload.SystemText(b.in.Options.System), ""
	}
	var parts []string
	if stable != "" {
		parts = append(parts, `{"text":`+string(jsonline.Quote(stable))+`}`)
	}
	if b.marks.system {
		parts = append(parts, cachePoint)
	}
	if dynamic != "" {
		parts = append(parts, `{"text":`+string(jsonline.Quote(dynamic))+`}`)
	}
	if parts == nil {
		return nil
	}
	return []byte("[" + strings.Join(parts, ",") + "]")
}

// tools passes the tool definitions through (D-38), with legal names (W-176).
func (b *builder) tools() {
	if !offersTools(b.in) {
		return
	}
	b.raw(`,"toolConfig":{"tools":[`)
	start := len(b.out)
	for def := range b.in.Options.Tools.Elements() {
		b.next(start)
		b.out = payload.AppendText(b.out, b.definition(def))
	}
	b.raw(`]}`)
}

func (b *builder) definition(def jsonline.Value) jsonline.Value {
	named := b.names.Definition(def, "toolSpec", "name")
	name := func(v jsonline.Value) string { return v.Object().Get("toolSpec").Object().Get("name").String() }
	if old, now := name(def), name(named); old != now {
		b.in.Report.Note(fmt.Sprintf("tool %q goes out as %q (W-176)", old, now))
	}
	return named
}

// thinking writes what the request says about thinking (W-216, W-710).
func (b *builder) thinking() {
	r := &b.Request
	if r.Kind == "" {
		return
	}
	b.raw(`,"additionalModelRequestFields":{"thinking":{"type":"` + string(r.Kind) + `"`)
	if r.Kind == anthropic.Enabled {
		b.raw(`,"budget_tokens":`)
		b.out = jsonline.AppendInt(b.out, int64(r.Budget))
	}
	b.raw(`}`)
	if r.Effort != "" {
		b.raw(`,"output_config":{"effort":"` + r.Effort + `"}`)
	}
	b.raw(`}`)
}
