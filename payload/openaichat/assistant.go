package openaichat

import (
	"hygeia/hygiene"
	"hygeia/transcript"
)

// assistantTurn adds an assistant turn and the results that follow it. An
// assistant turn with neither text nor calls is left out (W-405, D-05).
func (b *builder) assistantTurn(i int, results []*transcript.Message) {
	m := b.messages[i]
	if v := m.Text(); v.Exists() {
		b.say(m, nil, v, "W-405")
	}
	r := b.reasoningOf(i)
	for _, block := range m.Blocks() {
		switch {
		case block.Is(transcript.TypeText):
			b.say(m, block, block.TextValue(), "W-405")
		case block.IsThinking():
			r.thinking(block)
		case block.IsToolCall():
			b.call(&r, block)
		default:
			b.log.Unknown(m, block)
		}
	}
	t := turn{role: assistant, from: m, parts: b.parts.cut(), calls: b.calls.cut(), thought: r.thought}
	if !t.empty() {
		b.add(t)
	} else if m.HasThinking() {
		b.log.Add(hygiene.Drop, m, nil, nil, hygiene.Edit{Rule: "W-428", Reason: "the turn holds nothing but reasoning"})
	} else {
		b.log.Add(hygiene.Drop, m, nil, nil, hygiene.Edit{Rule: "W-405", Reason: "the turn has neither text nor calls"})
	}
	b.results(m, t.calls, results)
}

// call adds a tool call of the turn that is being read (W-404).
func (b *builder) call(r *reasoning, block *transcript.Block) {
	m := r.from
	id := block.ID()
	if id == "" || b.repeated(id) {
		b.log.Add(hygiene.Drop, m, block, nil, hygiene.Edit{
			Rule: "W-109", Reason: "the call has no id of its own", Lossy: true,
		})
		return
	}
	b.calls.add(call{
		id: id, name: b.log.Name(m, block, b.names),
		arguments: b.log.Arguments(m, block).Raw, signature: r.signature(block).Raw,
	})
}

// repeated reports whether a call of the turn that is being read has that id
// already.
func (b *builder) repeated(id string) bool {
	open := b.calls.open()
	if len(open) == 0 {
		return false
	}
	if len(open) == 1 {
		clear(b.seen)
		b.seen[open[0].id] = true
	}
	repeated := b.seen[id]
	b.seen[id] = true
	return repeated
}
