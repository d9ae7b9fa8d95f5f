package google

import (
	"slices"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/payload"
	"hygeia/transcript"
)

// modelTurn collects the parts of an assistant turn.
type modelTurn struct {
	b    *builder
	m    *transcript.Message
	own  bool // the target wrote it
	lead []part
	// tail is, of Claude, the calls and the thinking between them: nothing else
	// may stand behind a call (W-634, W-203).
	tail []part
	seen map[string]bool // ids of its calls, if there are several
}

// modelTurn adds an assistant turn (W-603). Its calls are left in ids and
// called.
func (b *builder) modelTurn(m *transcript.Message) {
	b.ids, b.called = b.ids[:0], b.called[:0]
	t := modelTurn{b: b, m: m, own: b.in.OwnTurn(m), lead: make([]part, 0, 1+len(m.Blocks()))}
	same := b.mark()
	if v := m.Text(); v.Exists() {
		t.text(nil, v)
	}
	for _, block := range m.Blocks() {
		switch p, ok := b.native(m, block); {
		case block.Is(transcript.TypeText):
			t.text(block, block.TextValue())
		case block.IsThinking():
			t.thought(block)
		case block.IsToolCall():
			t.call(block)
		case ok:
			p.signature = t.signature(block, "thoughtSignature", "thought_signature")
			t.say(block, p)
		default:
			b.log.Unknown(m, block)
		}
	}
	parts := append(t.lead, t.tail...)
	switch {
	case len(parts) > 0:
	case b.claude && m.HasThinking():
		parts = made(texts.OmittedReasoning)
		b.log.Add(hygiene.Insert, m, nil, texts.OmittedReasoning, hygiene.Edit{
			Rule: "W-161", Reason: "the turn held nothing but thinking", Synthetic: true,
		})
	default:
		b.log.Add(hygiene.Drop, m, nil, nil, hygiene.Edit{Rule: "W-603", Reason: "the turn holds nothing that can go out"})
		return
	}
	b.add(content{kind: model, from: m, list: b.list(m), same: same(), parts: parts})
}

// text adds text; blank text is left out.
func (t *modelTurn) text(block *transcript.Block, v jsonline.Value) {
	legal := t.b.log.Text(t.m, block, v)
	switch {
	case !v.IsString():
		t.b.log.Unknown(t.m, block)
	case !legal.Blank():
		p := part{kind: textPart, raw: legal.Raw, rest: t.b.rest(t.m, block, "text", "textSignature")}
		if block != nil {
			p.signature = t.signature(block, "textSignature", "thoughtSignature", "thought_signature")
		}
		t.say(block, p)
	case block != nil:
		t.b.log.Add(hygiene.Drop, t.m, block, nil, hygiene.Edit{Rule: "W-603", Reason: "the text is blank"})
	}
}

// say adds a part that is neither a call nor thinking.
func (t *modelTurn) say(block *transcript.Block, p part) {
	if len(t.tail) > 0 {
		t.b.log.Add(hygiene.Move, t.m, block, t.m, hygiene.Edit{Rule: "W-634", Reason: "it stands behind a call"})
	}
	t.lead = append(t.lead, p)
}

// call adds a call (W-603, W-606). One that no result can name is left out.
func (t *modelTurn) call(block *transcript.Block) {
	id := block.ID()
	if id == "" || block.Name() == "" || t.repeated(id) {
		t.b.log.Add(hygiene.Drop, t.m, block, nil, hygiene.Edit{
			Rule: "W-109", Reason: "the call has no name or no id of its own", Lossy: true,
		})
		return
	}
	p := part{
		kind: callPart, id: id, name: t.b.log.Name(t.m, block, t.b.names), raw: t.b.log.Arguments(t.m, block).Raw,
		signature: t.signature(block, "thoughtSignature", "thought_signature"), rest: t.b.rest(t.m, block, "id", "name", "arguments", "functionCall"),
		inside: t.b.inside(t.m, block, "functionCall"),
	}
	t.b.misnamed(t.m, block)
	if p.signature == nil && len(t.b.ids) == 0 && t.b.in.Policy.Wire.SkipSignatureAllowed {
		p.signature = sentinel
		t.b.in.Report.Record(stage, hygiene.Replace, t.m, block.Index(), nil, payload.SkipSignature, hygiene.Edit{
			Rule: "W-612", Reason: "the first call of the turn has no thought signature", Synthetic: true,
		})
	}
	t.b.ids, t.b.called = append(t.b.ids, id), append(t.b.called, p.name)
	if t.b.claude {
		t.tail = append(t.tail, p)
	} else {
		t.lead = append(t.lead, p)
	}
}

// sentinel goes out in the place of a missing signature (W-612, W-613).
var sentinel = jsonline.Text(payload.SkipSignature).Raw

// repeated reports whether a call of the turn has that id already.
func (t *modelTurn) repeated(id string) bool {
	const few = 8
	if len(t.b.ids) < few {
		return slices.Contains(t.b.ids, id)
	}
	if t.seen == nil {
		t.seen = map[string]bool{}
		for _, id := range t.b.ids {
			t.seen[id] = true
		}
	}
	repeated := t.seen[id]
	t.seen[id] = true
	return repeated
}

// signature returns the signature that goes out beside the part of a block: the
// first of the members that is not blank, if it is the target's own and strict
// base64 (W-611), else what the request itself has in its place.
func (t *modelTurn) signature(block *transcript.Block, names ...string) []byte {
	for _, name := range names {
		if v := block.Get(name); v.Exists() && v.Kind != jsonline.Null && !v.Blank() {
			return t.sign(block, v)
		}
	}
	v, skips := t.b.skips(block)
	if skips && !v.Exists() {
		t.b.log.Add(hygiene.Replace, t.m, block, nil, hygiene.Edit{Rule: "W-611", Reason: "the target takes nothing in the place of a signature"})
	}
	return v.Raw
}

func (t *modelTurn) sign(block *transcript.Block, v jsonline.Value) []byte {
	why := "another model wrote the turn"
	switch {
	case !payload.StrictBase64(v):
		why = "the signature is no base64"
	case t.own:
		return v.Raw
	}
	t.b.in.Report.Record(stage, hygiene.Replace, t.m, block.Index(), v.String(), nil, hygiene.Edit{Rule: "W-611", Reason: why})
	return nil
}
