package anthropicmessages

import (
	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/payload/internal/anthropic"
	"hygeia/transcript"
)

// own is the request of this format that the messages were decoded from.
type own struct {
	*anthropic.Own
	halves   map[*transcript.Block]half // of tools that the service runs
	unmarked map[any]bool               // blocks and tool results that lose their cache marker

	frontSurplus int // cache markers that tools and system prompt lose
}

// newOwn returns what is known of the request behind the input, nil if it has
// another format.
func newOwn(in *payload.Input, messages []*transcript.Message) *own {
	req := in.Own(stage)
	if req == nil {
		return nil
	}
	return &own{Own: anthropic.NewOwn(req), halves: halves(messages)}
}

// stating returns the input with the tools and the output limit of the request
// that it was decoded from, where the caller names none.
func stating(in *payload.Input) *payload.Input {
	req := in.Own(stage)
	if req == nil {
		return in
	}
	stated := *in
	if tools := req.Body.Get("tools"); !in.Options.Tools.Exists() && tools.Kind == jsonline.Array {
		stated.Options.Tools = payload.Log{Stage: stage, Report: in.Report}.Distinct(in.Target.API, tools)
	}
	if n, ok := req.Body.Get("max_tokens").Number(); in.Options.MaxTokens == 0 && ok && n >= 1 {
		stated.Options.MaxTokens = int(min(n, 1<<31))
	}
	return &stated
}

// turn writes one message of the body. One of the request's own messages goes
// back as it was if there is nothing to record about it.
func (b *builder) turn(t *anthropic.Turn) {
	start, changes := len(b.out), len(b.in.Report.Changes)
	switch {
	case t.Assistant:
		b.assistantTurn(t)
	case t.System:
		b.systemTurn(t)
	default:
		b.userTurn(t)
	}
	if b.own == nil {
		return
	}
	raw, rest := b.own.Back(b.Plan, t, len(b.in.Report.Changes) > changes)
	switch {
	case raw.Exists():
		b.out = append(b.out[:start], raw.Raw...)
	case rest != nil:
		b.out = append(append(b.out[:len(b.out)-1], rest...), '}')
	}
}

// rest writes what a block of the request holds besides the named members.
func (b *builder) rest(m *transcript.Message, k *transcript.Block, but ...string) {
	if b.own == nil || m == nil || k == nil {
		return
	}
	if b.unmark(m, k) {
		but = append(but, "cache_control")
	}
	b.out = b.Log.Rest(b.out, m, k, but...)
}

// unmark reports whether a block loses its cache marker, and records that it
// does (W-230). The block is nil for a tool result.
func (b *builder) unmark(m *transcript.Message, k *transcript.Block) bool {
	var at any = m
	if k != nil {
		at = k
	}
	if !b.own.unmarked[at] {
		return false
	}
	reason := tooManyMarks
	if k != nil && k.IsThinking() {
		reason = "thinking carries no cache marker"
	}
	b.Log.Add(hygiene.Replace, m, k, nil, hygiene.Edit{Rule: "W-230", Reason: reason})
	return true
}

// native writes a block as it came in.
func (b *builder) native(m *transcript.Message, k *transcript.Block) {
	o := k.Members()
	if b.unmark(m, k) {
		o = o.Without("cache_control")
	}
	b.out = append(b.out, b.Log.Text(m, k, o.Value()).Raw...)
}

// Types of blocks that go out in messages of one role only (AN-37).
var (
	userOnly = map[transcript.BlockType]bool{
		"": true, transcript.TypeText: true, "tool_result": true, transcript.TypeImage: true, "document": true,
	}
	assistantOnly = map[transcript.BlockType]bool{
		"": true, transcript.TypeText: true, serverToolUse: true, mcpToolUse: true, "tool_result": true,
	}
)

// isNative reports whether a block goes out as it is: the request held it, and
// it is none of those that the converter writes itself (W-124).
func (b *builder) isNative(m *transcript.Message, k *transcript.Block) bool {
	if b.own == nil || !k.IsObject() || k.IsToolCall() || k.IsThinking() || b.own.halves[k] == goes {
		return false
	}
	if m.Is(transcript.Assistant) {
		return !userOnly[k.Type()]
	}
	return !assistantOnly[k.Type()] && (!k.Is(transcript.TypeImage) || k.Get("source").Kind == jsonline.ObjectKind)
}

// ownResult returns the block that a tool result was, if it goes back as it was.
func (b *builder) ownResult(m *transcript.Message) jsonline.Value {
	if b.own == nil {
		return jsonline.Value{}
	}
	v := b.own.Native(m)
	marked := func(k *transcript.Block) bool { return b.own.unmarked[k] }
	if !v.Exists() || b.own.unmarked[m] || m.Any(marked) {
		return jsonline.Value{}
	}
	if id := b.ResultID(m); id != m.ToolCallID() {
		return v.Object().With("tool_use_id", jsonline.Text(id)).Value()
	}
	return v
}

// nativeContent writes the content of a tool result block by block.
func (b *builder) nativeContent(m *transcript.Message, none string) {
	b.raw(`[`)
	start := len(b.out)
	b.userMessage(start, m)
	if len(b.out) == start {
		b.text(start, jsonline.Text(none))
		b.raw(`}`)
	}
	b.raw(`]`)
}

// resultRest writes what a tool result of the request holds besides what the
// converter writes itself.
func (b *builder) resultRest(m *transcript.Message) {
	but := []string{"role", "toolCallId", "toolName", "content", "isError"}
	if b.unmark(m, nil) {
		but = append(but, "cache_control")
	}
	b.out = b.Log.Rest(b.out, m, nil, but...)
}

// systemTurn writes a system message between the others.
func (b *builder) systemTurn(t *anthropic.Turn) {
	m := b.Messages[t.From]
	if v := m.Text(); v.Exists() {
		b.raw(`{"role":"system","content":`)
		b.out = append(b.out, b.Log.Text(m, nil, v).Raw...)
		b.raw(`}`)
		return
	}
	start := b.open("system")
	b.userMessage(start, m)
	b.raw(`]}`)
}
