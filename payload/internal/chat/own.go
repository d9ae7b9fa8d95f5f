package chat

import (
	"hygeia/payload"
	"hygeia/transcript"
)

// Members returns the members of a block of a request of the same format but the
// named ones, each with a comma in front.
func (b *Builder) Members(m *transcript.Message, block *transcript.Block, but ...string) []byte {
	if b.Own == nil || block == nil {
		return nil
	}
	return b.Log.Rest(nil, m, block, but...)
}

// members returns the members of a message of a request of the same format that
// the canonical form does not know.
func (b *Builder) members(m *transcript.Message) []byte {
	if b.Own == nil || b.Own.TurnOf(m) < 0 {
		return nil
	}
	but := []string{"role", "content", "customType", "toolCallId", "toolName", "isError", "unnamed"}
	if name := b.format.resultName(); m.Is(transcript.ToolResult) &&
		(b.format.ResultName != "" || b.In.Policy.Wire.ToolResultName || b.Names.Wire(m.Get(name).String()) != m.Get(name).String()) {
		but = append(but, name)
	}
	return b.Log.Rest(nil, m, nil, but...)
}

// mark returns a function that tells whether nothing was recorded since.
func (b *Builder) mark() func() bool {
	n := len(b.In.Report.Changes)
	return func() bool { return b.Own != nil && len(b.In.Report.Changes) == n }
}

// systemTurn adds a system message between the turns where the target takes one.
func (b *Builder) systemTurn(m *transcript.Message) {
	if !m.IsSystem() || !b.In.Policy.SystemTurns {
		b.Log.Unknown(m, nil)
		return
	}
	same := b.mark()
	b.content(m)
	if len(b.parts.open()) > 0 {
		b.add(Turn{Role: System, From: m, Parts: b.parts.cut(), Rest: b.members(m), Same: same()})
	}
}

// custom returns the input of a custom tool, nil for any other call.
func (b *Builder) custom(block *transcript.Block) []byte {
	if b.Own == nil || !block.Get("custom").Bool() {
		return nil
	}
	return payload.Legal(block.Get("arguments").Object().Get("input")).Raw
}
