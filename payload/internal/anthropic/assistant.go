package anthropic

import (
	"strings"
	"unicode"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/transcript"
)

// Piece is one block of an assistant turn as it goes out.
type Piece struct {
	Kind PieceKind
	// Message and Block are what it is made of, nil where no message gave it.
	// The block of a text is nil where the content is a string.
	Message *transcript.Message
	Block   *transcript.Block
	// Value is the text, the thinking, the redacted data or the input of a call.
	Value     jsonline.Value
	Signature jsonline.Value // of thinking
	ID, Name  string         // of a call
}

// PieceKind says which block a piece is.
type PieceKind uint8

// The blocks of an assistant turn.
const (
	Text PieceKind = iota
	Thinking
	Redacted
	Call
	Native // a block of the format that goes out as it is (W-124)
)

// Assistant yields the blocks of an assistant turn: text and thinking in their
// order up to the first call, then the texts behind it, then the calls with the
// thinking between them (W-203, BR-23). There is at least one.
func (p *Plan) Assistant(t *Turn, write func(Piece)) {
	if t.Made != nil {
		write(Piece{Value: jsonline.Text(t.Made.Text)})
		return
	}
	w := &walk{p: p, t: t, write: write}
	if behind := w.front(); behind {
		w.back()
	}
	if w.written {
		return
	}
	write(Piece{Value: jsonline.Text(texts.OmittedReasoning)})
	p.Log.Add(hygiene.Insert, p.Messages[t.From], nil, texts.OmittedReasoning, hygiene.Edit{
		Rule: "W-161", Reason: "the turn held nothing but thinking", Synthetic: true,
	})
}

// walk is one pass through an assistant turn.
type walk struct {
	p       *Plan
	t       *Turn
	write   func(Piece)
	written bool
}

func (w *walk) put(piece Piece) {
	w.written = true
	w.write(piece)
}

// front writes what goes in front of the calls and reports whether there are
// any.
func (w *walk) front() (behind bool) {
	p := w.p
	p.each(w.t, func(i int, m *transcript.Message, k *transcript.Block, text jsonline.Value) {
		switch {
		case text.Exists():
			if behind {
				p.Log.Add(hygiene.Move, m, k, m, hygiene.Edit{Rule: p.format.Assistant, Reason: "text stands behind a call"})
			}
			w.put(Piece{Message: m, Block: k, Value: p.text(m, k, text)})
		case p.pairs.isCall(k):
			behind = true
		case p.native(m, k):
			if behind {
				p.Log.Add(hygiene.Move, m, k, m, hygiene.Edit{Rule: p.format.Assistant, Reason: "a block stands behind a call"})
			}
			w.put(Piece{Kind: Native, Message: m, Block: k})
		case !k.IsThinking():
			p.OmitBlock(m, k)
		case !behind:
			w.thinking(i, m, k)
		}
	})
	return behind
}

// back writes the calls and the thinking between them.
func (w *walk) back() {
	p := w.p
	behind := false
	p.each(w.t, func(i int, m *transcript.Message, k *transcript.Block, text jsonline.Value) {
		switch {
		case text.Exists():
		case p.pairs.isCall(k):
			behind = true
			w.put(p.call(m, k))
		case behind && k.IsThinking():
			w.thinking(i, m, k)
		}
	})
}

// each visits the blocks of an assistant turn in order. Text that is not blank,
// also content that is a string, comes with its text.
func (p *Plan) each(t *Turn, visit func(i int, m *transcript.Message, k *transcript.Block, text jsonline.Value)) {
	for i := t.From; i < t.To; i++ {
		if p.gone[i] {
			continue
		}
		m := p.Messages[i]
		if v := m.Text(); Says(v) {
			visit(i, m, nil, v)
		}
		for _, k := range m.Blocks() {
			var text jsonline.Value
			if k.Is(transcript.TypeText) {
				if v := k.TextValue(); Says(v) {
					text = v
				}
			}
			visit(i, m, k, text)
		}
	}
}

// lastText returns the place of the last text of a turn.
func (p *Plan) lastText(t Turn) place {
	var last place
	p.each(&t, func(_ int, m *transcript.Message, k *transcript.Block, text jsonline.Value) {
		if text.Exists() {
			last = place{m, k}
		}
	})
	return last
}

// text returns a text as it goes out; the last one of a body that ends in it
// loses the white space at its end (W-223).
func (p *Plan) text(m *transcript.Message, k *transcript.Block, v jsonline.Value) jsonline.Value {
	v = p.Log.Text(m, k, v)
	if p.trim != (place{m, k}) {
		return v
	}
	s := v.String()
	trimmed := strings.TrimRightFunc(s, unicode.IsSpace)
	if trimmed == s {
		return v
	}
	p.Log.Add(hygiene.Replace, m, k, trimmed, hygiene.Edit{Rule: "W-223", Reason: "the last text ends in white space"})
	return jsonline.Text(trimmed)
}

// call returns a call as it goes out (W-203, W-206).
func (p *Plan) call(m *transcript.Message, k *transcript.Block) Piece {
	id, changed := p.pairs.calledAs[k]
	if !changed {
		id = k.ID()
	} else {
		p.Log.Report.Record(p.format.Stage, hygiene.Replace, m, k.Index(), k.ID(), id, hygiene.Edit{
			Rule: p.format.ID, Reason: "id is not legal or not unique",
		})
	}
	p.Log.NoSignature(m, k)
	return Piece{Kind: Call, Message: m, Block: k, ID: id, Name: p.Log.Name(m, k, p.names), Value: p.Log.Arguments(m, k)}
}

// thinking writes a thinking block if it goes out (W-210…W-215, W-219).
func (w *walk) thinking(i int, m *transcript.Message, k *transcript.Block) {
	e, out := w.p.judge(w.t, i, k)
	if !out {
		w.p.Log.Add(hygiene.Drop, m, k, nil, e)
		return
	}
	proof := signature(k)
	if redacted(k) {
		w.put(Piece{Kind: Redacted, Message: m, Block: k, Value: proof})
		return
	}
	text := k.TextValue()
	if !text.IsString() {
		text = jsonline.Text("")
	}
	w.put(Piece{Kind: Thinking, Message: m, Block: k, Value: text, Signature: proof})
}

// judge returns why a thinking block does not go out; out reports that it does.
func (p *Plan) judge(t *Turn, i int, k *transcript.Block) (e hygiene.Edit, out bool) {
	switch v := p.verdict(k); {
	case v != fine:
		return p.omission(v), false
	case !p.Request.on:
		return hygiene.Edit{Rule: "W-214", Reason: "thinking is off for this request", Lossy: true}, false
	case t.thinker == i && (t.opens || !p.Request.opens):
		return hygiene.Edit{}, true
	case t.thinker == i:
		return hygiene.Edit{Rule: "W-219", Reason: "the message does not start with its thinking", Lossy: true}, false
	case t.thinker > i:
		return hygiene.Edit{Rule: "W-219", Reason: "the turn is joined with one that has its own thinking", Lossy: true}, false
	}
	return hygiene.Edit{Rule: "W-215", Reason: "another thinking block of the turn cannot go out", Lossy: true}, false
}
