package anthropicmessages

import (
	"strings"
	"unicode"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/transcript"
)

// assistantTurn writes text and thinking in their order up to the first call,
// then the texts behind it, then the calls with the thinking between them
// (W-203).
func (b *builder) assistantTurn(t *turn) {
	start := b.open("assistant")
	behind := false
	b.each(t, func(i int, m *transcript.Message, k *transcript.Block, text jsonline.Value) {
		switch {
		case text.Exists():
			if behind {
				b.log.Add(hygiene.Move, m, k, m, hygiene.Edit{Rule: "W-203", Reason: "text stands behind a call"})
			}
			b.text(start, b.assistantText(m, k, text), false)
		case b.pairs.isCall(k):
			behind = true
		case !k.IsThinking():
			b.omitBlock(m, k)
		case !behind:
			b.thought(start, t, i, m, k)
		}
	})
	if behind {
		behind = false
		b.each(t, func(i int, m *transcript.Message, k *transcript.Block, text jsonline.Value) {
			switch {
			case text.Exists():
			case b.pairs.isCall(k):
				behind = true
				b.next(start)
				b.call(m, k)
			case behind && k.IsThinking():
				b.thought(start, t, i, m, k)
			}
		})
	}
	if len(b.out) == start {
		b.text(start, jsonline.Text(texts.OmittedReasoning), false)
		b.log.Add(hygiene.Insert, b.messages[t.from], nil, texts.OmittedReasoning, hygiene.Edit{
			Rule: "W-161", Reason: "the turn held nothing but thinking", Synthetic: true,
		})
	}
	b.raw(`]}`)
}

// each visits the blocks of an assistant turn in order. Text that is not blank,
// also content that is a string, comes with its text.
func (b *builder) each(t *turn, visit func(i int, m *transcript.Message, k *transcript.Block, text jsonline.Value)) {
	for i := t.from; i < t.to; i++ {
		if b.gone[i] {
			continue
		}
		m := b.messages[i]
		if v := m.Text(); says(v) {
			visit(i, m, nil, v)
		}
		for _, k := range m.Blocks() {
			var text jsonline.Value
			if k.Is(transcript.TypeText) {
				if v := k.TextValue(); says(v) {
					text = v
				}
			}
			visit(i, m, k, text)
		}
	}
}

// lastText returns the place of the last text of a turn.
func (b *builder) lastText(t turn) place {
	var last place
	b.each(&t, func(_ int, m *transcript.Message, k *transcript.Block, text jsonline.Value) {
		if text.Exists() {
			last = place{m, k}
		}
	})
	return last
}

// assistantText returns a text as it goes out; the last one of a body that ends
// in it loses the white space at its end (W-223).
func (b *builder) assistantText(m *transcript.Message, k *transcript.Block, v jsonline.Value) jsonline.Value {
	v = b.log.Text(m, k, v)
	if b.trim != (place{m, k}) {
		return v
	}
	s := v.String()
	trimmed := strings.TrimRightFunc(s, unicode.IsSpace)
	if trimmed == s {
		return v
	}
	b.log.Add(hygiene.Replace, m, k, trimmed, hygiene.Edit{Rule: "W-223", Reason: "the last text ends in white space"})
	return jsonline.Text(trimmed)
}

// call writes a call (W-203, W-206).
func (b *builder) call(m *transcript.Message, k *transcript.Block) {
	id, changed := b.pairs.calledAs[k]
	if !changed {
		id = k.ID()
	} else {
		b.log.Report.Record(stage, hygiene.Replace, m, k.Index(), k.ID(), id, hygiene.Edit{
			Rule: "W-206", Reason: "id is not legal or not unique",
		})
	}
	b.raw(`{"type":"tool_use","id":"`)
	b.raw(id)
	b.raw(`","name":"`)
	b.raw(b.log.Name(m, k, b.names))
	b.raw(`","input":`)
	b.out = append(b.out, b.log.Arguments(m, k).Raw...)
	b.raw(`}`)
}

// thought writes a thinking block if it goes out (W-210…W-215, W-219).
func (b *builder) thought(start int, t *turn, i int, m *transcript.Message, k *transcript.Block) {
	v := b.verdict(k)
	e, out := b.omission(t, i, v)
	if !out {
		b.log.Add(hygiene.Drop, m, k, nil, e)
		return
	}
	b.next(start)
	if k.Is(transcript.TypeRedactedThinking) || k.Get("redacted").Bool() {
		b.raw(`{"type":"redacted_thinking","data":`)
	} else {
		b.raw(`{"type":"thinking","thinking":`)
		if text := k.TextValue(); text.IsString() {
			b.out = append(b.out, text.Raw...)
		} else {
			b.raw(`""`)
		}
		b.raw(`,"signature":`)
	}
	b.out = append(b.out, signature(k).Raw...)
	b.raw(`}`)
}

// omission returns why thinking does not go out; out reports that it does.
func (b *builder) omission(t *turn, i int, v verdict) (e hygiene.Edit, out bool) {
	switch {
	case v != fine:
		return omissions[v], false
	case !b.request.on:
		return hygiene.Edit{Rule: "W-214", Reason: "thinking is off for this request", Lossy: true}, false
	case t.thinker == i && (t.opens || !b.request.opens):
		return hygiene.Edit{}, true
	case t.thinker == i:
		return hygiene.Edit{Rule: "W-219", Reason: "the message does not start with its thinking", Lossy: true}, false
	case t.thinker > i:
		return hygiene.Edit{Rule: "W-219", Reason: "the turn is joined with one that has its own thinking", Lossy: true}, false
	}
	return hygiene.Edit{Rule: "W-215", Reason: "another thinking block of the turn cannot go out", Lossy: true}, false
}
