package google

import (
	"hygeia/hygiene"
	"hygeia/payload"
	"hygeia/transcript"
)

// thought adds thinking or records why it is held back (W-603, W-633).
func (t *modelTurn) thought(block *transcript.Block) {
	e, out := t.b.verdict(t.own, block)
	switch {
	case !out:
	case t.b.claude && !t.b.thinking.replayed:
		e, out = hygiene.Edit{Rule: "W-214", Reason: "thinking is off for this request", Lossy: true}, false
	case t.b.thinking.opens && !t.opens():
		e, out = hygiene.Edit{Rule: "W-219", Reason: "the turn does not start with its thinking", Lossy: true}, false
	}
	if !out {
		t.b.log.Add(hygiene.Drop, t.m, block, nil, e)
		return
	}
	p := part{kind: thoughtPart, raw: t.b.log.Text(t.m, block, block.TextValue()).Raw, rest: t.b.rest(t.m, block, "thinking", "thinkingSignature")}
	if v := block.Signature(); v.Exists() {
		p.signature = t.sign(block, v)
	} else {
		p.signature = t.signature(block, "thinkingSignature")
	}
	if len(t.tail) > 0 {
		t.tail = append(t.tail, p)
	} else {
		t.lead = append(t.lead, p)
	}
}

// opens reports whether the turn starts with thinking, or still can.
func (t *modelTurn) opens() bool {
	if len(t.lead) > 0 {
		return t.lead[0].kind == thoughtPart
	}
	return len(t.tail) == 0
}

// verdict reports whether a thinking block can go out, and if not, why.
func (b *builder) verdict(own bool, block *transcript.Block) (e hygiene.Edit, out bool) {
	text, sig := block.TextValue(), block.Signature()
	e = hygiene.Edit{Rule: "W-603", Lossy: true}
	switch {
	case block.Is(transcript.TypeRedactedThinking) || block.Get("redacted").Bool():
		e.Reason = "redacted thinking has no form in this format"
	case !text.IsString() || payload.Blank(text):
		e.Reason, e.Lossy = "the thinking is blank", sig.Exists()
	case !own:
		e.Reason = "another model wrote the thinking"
	case b.claude && !payload.StrictBase64(sig):
		e.Rule, e.Reason = "W-633", "the thinking has no base64 signature"
	case b.claude && !payload.IsLegal(text):
		e.Rule, e.Reason = "W-120", "signed thinking holds code units that no request may hold"
	default:
		return hygiene.Edit{}, true
	}
	return e, false
}
