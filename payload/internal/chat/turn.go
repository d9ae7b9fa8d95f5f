package chat

import (
	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/transcript"
)

// Role is the role of a message on the wire.
type Role uint8

// The roles.
const (
	User Role = iota
	Assistant
	Tool
	System // between the others (AN-10)
)

func (r Role) String() string { return [...]string{"user", "assistant", "tool", "system"}[r] }

// Turn is one message of the body before it is written. It points at the
// stored bytes.
type Turn struct {
	Role    Role
	From    *transcript.Message // the first stored turn in it
	Parts   []Part              // content
	Calls   []Call
	Thought *Thought // reasoning beside the content, nil for none
	Answers *Call    // of a tool message

	// Of a request of the same format:
	Same   bool   // there is nothing to record about the message that it was
	Beside []byte // members of an assistant message that blocks became
	Rest   []byte // members that the canonical form does not know, each behind a comma

	joined  []*transcript.Message // the other stored turns in it
	carrier bool                  // the images of tool results (W-406), open for a user turn
}

// Part is one content part of a message.
type Part struct {
	Raw  []byte // JSON string of text, thinking or image data; the part itself
	Mime []byte // JSON string, of an image
	Kind PartKind
	Rest []byte // as that of a turn
}

// PartKind says what a part is.
type PartKind uint8

// The kinds of part. A native part goes out as it was decoded (W-124).
const (
	Text PartKind = iota
	Image
	Thinking
	Native
)

// Call is one entry of tool_calls.
type Call struct {
	ID, Name  string
	Arguments []byte // JSON object
	Signature []byte // JSON string, nil for none (W-431)
	Custom    []byte // JSON string with the input of a custom tool, nil for others
	Rest      []byte // as that of a turn
	Beside    []byte // members of a request beside its name, each behind a comma
	Named     bool   // its id stood in a request of the same format
}

// Thought is the reasoning of one assistant message that does not stand in its
// content.
type Thought struct {
	Field   string   // of the texts
	Texts   [][]byte // JSON strings, joined by newlines (W-427)
	Details [][]byte // JSON objects, entries of reasoning_details
	Lead    [][]byte // JSON strings that go out as text instead (W-426)
}

// empty reports whether an assistant turn has nothing that makes a message
// (W-405, W-802). Reasoning beside the content does not.
func (t *Turn) empty() bool {
	return len(t.Parts) == 0 && len(t.Calls) == 0 && len(t.Beside) == 0 && (t.Thought == nil || len(t.Thought.Lead) == 0)
}

// Last returns the newest turn, nil if there is none.
func (b *Builder) Last() *Turn {
	if len(b.Turns) == 0 {
		return nil
	}
	return &b.Turns[len(b.Turns)-1]
}

// add puts a user or assistant turn at the end. What the target demands of
// neighbours holds afterwards, whatever was left out between them (D-34).
func (b *Builder) add(t Turn) {
	last := b.Last()
	if last == nil {
		b.Turns = append(b.Turns, t)
		return
	}
	switch {
	case t.Role == User && last.carrier:
		b.join(last, &t, hygiene.Edit{Rule: "W-406", Reason: "the turn directly follows the images of tool results"})
	case t.Role == last.Role && t.Role < Tool && b.joins[t.Role]:
		b.join(last, &t, hygiene.Edit{Rule: "W-180", Reason: "two " + t.Role.String() + " turns became neighbours"})
	default:
		if t.Role == User && last.Role == Tool && b.In.Policy.BridgeToolResults {
			b.bridge(last.From)
		}
		b.Turns = append(b.Turns, t)
	}
}

// join puts what next says behind what t says. The thinking of two turns is
// never mixed: the later one keeps it (D-20).
func (b *Builder) join(t, next *Turn, e hygiene.Edit) {
	if t.forget(next) {
		b.Log.Add(hygiene.Replace, t.From, nil, nil, hygiene.Edit{
			Rule: e.Rule, Reason: "the turn is joined with one that has its own thinking", Lossy: true,
		})
	}
	if next.Thought != nil {
		t.Thought = next.Thought
	}
	if len(t.joined) == 0 {
		t.Parts = said(t.Parts) // a list of its own
	}
	t.Parts = beside(t.Parts, said(next.Parts))
	t.Calls = append(t.Calls[:len(t.Calls):len(t.Calls)], next.Calls...)
	t.Beside = append(t.Beside[:len(t.Beside):len(t.Beside)], next.Beside...)
	t.joined = append(append(t.joined, next.From), next.joined...)
	t.carrier, t.Same = false, false
	b.Log.Add(hygiene.Move, next.From, nil, t.From, e)
}

// forget takes the thinking of a turn out if the turn behind it has some. It
// reports whether anything went.
func (t *Turn) forget(next *Turn) bool {
	if next.Thought == nil && !next.thinks() {
		return false
	}
	gone := t.Thought != nil || t.thinks()
	t.Thought = nil
	if t.thinks() {
		kept := t.Parts[:0:0]
		for _, p := range t.Parts {
			if p.Kind != Thinking {
				kept = append(kept, p)
			}
		}
		t.Parts = kept
	}
	return gone
}

// thinks reports whether thinking stands in the content.
func (t *Turn) thinks() bool {
	for i := range t.Parts {
		if t.Parts[i].Kind == Thinking {
			return true
		}
	}
	return false
}

// said returns a copy of parts without placeholders of blank user turns, unless
// there is nothing else (D-07).
func said(parts []Part) []Part {
	kept := make([]Part, 0, len(parts))
	for i := range parts {
		if !parts[i].placeholder() {
			kept = append(kept, parts[i])
		}
	}
	if len(kept) == 0 {
		return append(kept, parts[:min(1, len(parts))]...)
	}
	return kept
}

// beside puts more parts behind others. Both come from said.
func beside(parts, more []Part) []Part {
	switch {
	case len(parts) > 0 && len(more) == 1 && more[0].placeholder():
		return parts
	case len(parts) == 1 && parts[0].placeholder() && len(more) > 0:
		return more
	}
	return append(parts, more...)
}

// placeholder reports whether a part stands for a blank user turn.
func (p *Part) placeholder() bool {
	return p.Kind == Text && len(p.Raw) <= 128 && texts.IsOmittedContent(jsonline.Parse(p.Raw).String())
}

// bridge puts an assistant turn behind a tool result (W-407, W-805, D-33).
func (b *Builder) bridge(behind *transcript.Message) {
	b.Add(Part{Raw: jsonline.Text(texts.BridgeAfterToolResults).Raw})
	b.Turns = append(b.Turns, Turn{Role: Assistant, From: behind, Parts: b.parts.cut()})
	b.Log.Add(hygiene.Insert, behind, nil, transcript.NewText(transcript.Assistant, texts.BridgeAfterToolResults), hygiene.Edit{
		Rule: b.format.Bridge, Reason: "the target takes no user turn directly behind tool results", Synthetic: true,
	})
}

// CutPrefill leaves out trailing assistant turns, which the target would take
// for the beginning of its answer. A turn with calls is none: its results
// follow.
func (b *Builder) CutPrefill(e hygiene.Edit) {
	e.Lossy = true
	for last := b.Last(); last != nil && last.Role == Assistant; last = b.Last() {
		b.Log.Add(hygiene.Drop, last.From, nil, nil, e)
		for _, m := range last.joined {
			b.Log.Add(hygiene.Drop, m, nil, nil, e)
		}
		b.Turns = b.Turns[:len(b.Turns)-1]
	}
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
