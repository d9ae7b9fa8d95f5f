package chat

import (
	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// assistantTurn adds an assistant turn and the results that follow it. An
// assistant turn with neither content nor calls is left out (W-405, W-802,
// D-05).
func (b *Builder) assistantTurn(i int, results []*transcript.Message) {
	m, same := b.Messages[i], b.mark()
	var beside []byte
	if v := m.Text(); v.Exists() {
		b.say(m, nil, v, b.format.Assistant)
	}
	r := b.Reasoning(i)
	for _, block := range m.Blocks() {
		switch {
		case block.Is(transcript.TypeText):
			b.say(m, block, block.TextValue(), b.format.Assistant)
		case block.IsThinking():
			r.Thinking(block)
		case block.IsToolCall():
			b.call(m, r, block)
		case b.NativeSaid != nil && b.NativeSaid(block):
			b.Add(Part{Kind: Native, Raw: b.Log.Text(m, block, block.Members().Value()).Raw})
		default:
			n := len(beside)
			if b.Beside != nil {
				beside = append(beside, b.Beside(block)...)
			}
			if len(beside) == n {
				b.Log.Unknown(m, block)
			}
		}
	}
	t := Turn{Role: Assistant, From: m, Parts: b.parts.cut(), Calls: b.calls.cut(), Thought: r.Thought(), Beside: beside, Rest: b.members(m)}
	t.Same = same()
	if !t.empty() {
		b.add(t)
	} else if m.HasThinking() {
		b.Log.Add(hygiene.Drop, m, nil, nil, hygiene.Edit{
			Rule: b.format.Thought, Reason: "the turn holds nothing but reasoning", Lossy: t.Thought != nil, // what is not there was reported
		})
	} else {
		b.Log.Add(hygiene.Drop, m, nil, nil, hygiene.Edit{Rule: b.format.Assistant, Reason: "the turn has neither text nor calls"})
	}
	b.results(m, t.Calls, results)
}

// call adds a tool call of the turn that is being read (W-404, W-551, W-802).
func (b *Builder) call(m *transcript.Message, r Reasoning, block *transcript.Block) {
	id := block.ID()
	if id == "" || b.repeated(id) {
		b.Log.Add(hygiene.Drop, m, block, nil, hygiene.Edit{
			Rule: "W-109", Reason: "the call has no id of its own", Lossy: true,
		})
		return
	}
	c := Call{
		ID: id, Name: b.Log.Name(m, block, b.Names),
		Arguments: b.Log.Arguments(m, block).Raw, Signature: r.Signature(block).Raw, Custom: b.custom(block),
	}
	but := callMembers
	if c.Signature == nil && !GoogleSignature(block).Exists() {
		but = but[:len(but)-1] // extra_content holds something else
	}
	c.Rest = b.Members(m, block, but...)
	if beside := block.Get("function"); b.Own != nil {
		for name, v := range beside.Object().Members() {
			c.Beside = append(jsonline.AppendQuoted(append(c.Beside, ','), name), ':')
			c.Beside = append(c.Beside, b.Log.Text(m, block, v).Raw...)
		}
	}
	c.Named = b.Own != nil && b.Own.TurnOf(m) >= 0 && !block.Get("unnamed").Bool()
	b.calls.add(c)
}

// callMembers are the members of a call that the converters write themselves.
var callMembers = []string{"type", "id", "name", "arguments", "custom", "unnamed", "function", "thoughtSignature", "extra_content"}

// GoogleSignature returns what a call of a request holds in the place where
// Google's services have the thought signature (W-431), absent for nothing.
func GoogleSignature(block *transcript.Block) jsonline.Value {
	return block.Get("extra_content").Object().Get("google").Object().Get("thought_signature")
}

// repeated reports whether a call of the turn that is being read has that id
// already.
func (b *Builder) repeated(id string) bool {
	open := b.calls.open()
	if len(open) == 0 {
		return false
	}
	if len(open) == 1 {
		clear(b.seen)
		b.seen[open[0].ID] = true
	}
	repeated := b.seen[id]
	b.seen[id] = true
	return repeated
}
