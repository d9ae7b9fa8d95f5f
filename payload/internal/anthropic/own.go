package anthropic

import (
	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/transcript"
	"hygeia/wire"
)

// Own is a request of the same format that the messages of a plan were decoded
// from.
type Own struct {
	*wire.Request
	splice *payload.Splice
	sent   []*transcript.Message
}

// NewOwn returns what a converter needs of a request, nil for none.
func NewOwn(req *wire.Request) *Own {
	if req == nil {
		return nil
	}
	return &Own{Request: req, splice: payload.NewSplice(req)}
}

// Same reports whether the whole list of messages goes out as it came in.
func (o *Own) Same() bool { return o.splice.Same() }

// Back returns the element of the list that a turn was if it goes back as it
// came in: all of it goes out, under its own ids, and there was nothing to
// record about it. Otherwise raw is absent, and rest holds the members of the
// element besides role and content, each with a comma in front.
func (o *Own) Back(p *Plan, t *Turn, recorded bool) (raw jsonline.Value, rest []byte) {
	fits := t.Made == nil && !recorded
	o.sent = o.sent[:0]
	for i := t.From; i < t.To; i++ {
		if m := p.Messages[i]; !p.gone[i] {
			o.sent = append(o.sent, m)
			fits = fits && (!m.Is(transcript.ToolResult) || p.ResultID(m) == m.ToolCallID())
		}
	}
	if raw = o.splice.Whole(p.Log, o.sent, fits); raw.Exists() {
		return raw, nil
	}
	o.joined(p)
	return raw, o.members()
}

// joined records that messages which came one by one go out as one: results, and
// what a user says behind them (W-205).
func (o *Own) joined(p *Plan) {
	if len(o.sent) == 0 {
		return
	}
	before := o.TurnOf(o.sent[0])
	for _, m := range o.sent[1:] {
		if i := o.TurnOf(m); before >= 0 && i > before {
			p.Log.Add(hygiene.Move, m, nil, nil, hygiene.Edit{Rule: "W-205", Reason: "results and what a user says behind them are one message"})
			before = i
		}
	}
}

// members returns what the element behind the first message that was sent holds
// besides role and content, if that message opened it.
func (o *Own) members() []byte {
	if len(o.sent) == 0 {
		return nil
	}
	i := o.TurnOf(o.sent[0])
	if i < 0 || o.Messages[o.Turns[i].From].Origin != o.sent[0].Origin {
		return nil
	}
	var rest []byte
	for name, v := range o.Turns[i].Raw.Object().Without("role", "content").Members() {
		rest = append(jsonline.AppendQuoted(append(rest, ','), name), ':')
		rest = payload.AppendText(rest, v)
	}
	return rest
}
