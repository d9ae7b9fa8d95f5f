package openaichat

import (
	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/transcript"
)

// role is the role of a message on the wire.
type role uint8

const (
	user role = iota
	assistant
	tool
)

func (r role) String() string { return [...]string{"user", "assistant", "tool"}[r] }

// turn is one message of the body before it is written. It points at the
// stored bytes.
type turn struct {
	role    role
	carrier bool                // the images of tool results (W-406), open for a user turn
	from    *transcript.Message // the first stored turn in it
	parts   []part              // content; all of it text unless the role is user
	calls   []call
	thought *thought // nil for none
	answers *call    // of a tool message
}

// part is one content part of a message: text, an image, or a part that goes
// out as it was decoded (W-124).
type part struct {
	raw  []byte // JSON string of the text or the image data; the part itself
	mime []byte // JSON string, of an image
	kind partKind
}

type partKind uint8

const (
	textPart partKind = iota
	imagePart
	nativePart
)

// call is one entry of tool_calls.
type call struct {
	id        string
	name      string
	arguments []byte // JSON object
	signature []byte // JSON string, nil for none (W-431)
}

// empty reports whether an assistant turn has nothing that makes a message
// (W-405). Reasoning alone does not.
func (t *turn) empty() bool {
	return len(t.parts) == 0 && len(t.calls) == 0 && (t.thought == nil || len(t.thought.lead) == 0)
}

// last returns the newest turn, nil if there is none.
func (b *builder) last() *turn {
	if len(b.turns) == 0 {
		return nil
	}
	return &b.turns[len(b.turns)-1]
}

// add puts a user or assistant turn at the end. What the target demands of
// neighbours holds afterwards, whatever was left out between them (D-34).
func (b *builder) add(t turn) {
	last := b.last()
	if last == nil {
		b.turns = append(b.turns, t)
		return
	}
	switch {
	case t.role == user && last.carrier:
		b.join(last, &t, hygiene.Edit{Rule: "W-406", Reason: "the turn directly follows the images of tool results"})
	case t.role == last.role && b.joins[t.role]:
		b.join(last, &t, hygiene.Edit{Rule: "W-180", Reason: "two " + t.role.String() + " turns became neighbours"})
	default:
		if t.role == user && last.role == tool && b.in.Policy.BridgeToolResults {
			b.bridge(last.from)
		}
		b.turns = append(b.turns, t)
	}
}

// join puts what next says behind what t says. The thinking of two turns is
// never mixed: the later one keeps it (D-20).
func (b *builder) join(t, next *turn, e hygiene.Edit) {
	if next.thought != nil {
		if t.thought != nil {
			b.log.Add(hygiene.Replace, t.from, nil, nil, hygiene.Edit{
				Rule: e.Rule, Reason: "the turn is joined with one that has its own thinking", Lossy: true,
			})
		}
		t.thought = next.thought
	}
	t.parts = said(append(t.parts[:len(t.parts):len(t.parts)], next.parts...))
	t.calls = append(t.calls[:len(t.calls):len(t.calls)], next.calls...)
	t.carrier = false
	b.log.Add(hygiene.Move, next.from, nil, t.from, e)
}

// said takes placeholders of blank user turns out, unless there is nothing else
// (D-07).
func said(parts []part) []part {
	kept := parts[:0:0]
	for _, p := range parts {
		if p.kind != textPart || len(p.raw) > 128 || !texts.IsOmittedContent(jsonline.Parse(p.raw).String()) {
			kept = append(kept, p)
		}
	}
	if len(kept) == 0 {
		return parts[:min(1, len(parts))]
	}
	return kept
}

// bridge puts an assistant turn behind a tool result (W-407, W-805, D-33).
func (b *builder) bridge(behind *transcript.Message) {
	b.text(jsonline.Text(texts.BridgeAfterToolResults))
	b.turns = append(b.turns, turn{role: assistant, from: behind, parts: b.parts.cut()})
	b.log.Add(hygiene.Insert, behind, nil, transcript.NewText(transcript.Assistant, texts.BridgeAfterToolResults), hygiene.Edit{
		Rule: "W-407", Reason: "the target takes no user turn directly behind tool results", Synthetic: true,
	})
}

// slab collects values and hands them out in pieces that share one array.
type slab[T any] struct {
	all  []T
	from int
}

func (s *slab[T]) add(v T) { s.all = append(s.all, v) }

// open returns what was added since the last cut.
func (s *slab[T]) open() []T { return s.all[s.from:] }

// cut returns what was added since the last cut, and starts the next piece.
func (s *slab[T]) cut() []T {
	piece := s.all[s.from:len(s.all):len(s.all)]
	s.from = len(s.all)
	return piece
}

// text adds a text part to the turn that is being read.
func (b *builder) text(v jsonline.Value) { b.parts.add(part{raw: v.Raw}) }

// say adds the text of a block, or of the whole message for nil. Blank text is
// left out under the rule.
func (b *builder) say(m *transcript.Message, block *transcript.Block, v jsonline.Value, rule string) {
	switch legal := b.log.Text(m, block, v); {
	case block != nil && !v.IsString():
		b.log.Unknown(m, block)
	case !legal.Blank():
		b.text(legal)
	case block != nil:
		b.log.Add(hygiene.Drop, m, block, nil, hygiene.Edit{Rule: rule, Reason: "the text is blank"})
	}
}
