package repeats

import (
	_ "embed"
	"slices"
	"strings"

	"hygeia/hygiene"
	"hygeia/hygiene/passes/internal/neighbours"
	"hygeia/hygiene/passes/internal/results"
	"hygeia/internal/texts"
	"hygeia/internal/wrappers"
	"hygeia/transcript"
)

//go:embed doc.go
var doc string

// Pass carries out.
var Pass = &hygiene.Pass{
	Name: "repeats",
	Doc:  hygiene.DocText(doc),
	Rules: []hygiene.Rule{
		neighbours.R121,
		{ID: "R-123", Title: "a user turn that was sent again is left out", Lossy: true},
	},
	After: []string{"pairing", "responses"},
	Run:   run,
}

func run(r *hygiene.Run) {
	if r.Context.Request {
		return
	}
	var said neighbours.Memo
	var last *side
	neighbours.Walk(r, func(prev, i int) int {
		if prev < 0 {
			return i
		}
		if r.At(i).Is(transcript.Assistant) {
			return neighbours.DropSameText(r, &said, prev, i)
		}
		if last == nil || last.turn != r.At(prev) {
			last = read(r.At(prev))
		}
		next := read(r.At(i))
		if !next.repeats(last) {
			last = next
			return i
		}
		r.Drop(i, hygiene.Edit{
			Rule: "R-123", Reason: "the user turn in front of it says the same",
			Lossy: next.words != last.words, // wrappers go with it
		})
		return prev
	})
}

// side is a user turn and all that it is compared by, so that each turn is read once,
// however many beside it go (G-6).
type side struct {
	turn        *transcript.Message
	from        transcript.Provenance
	attachments []*transcript.Block
	words       string // white space collapsed
	text        string // normalised
}

func read(m *transcript.Message) *side {
	text := neighbours.Text(m)
	from, _ := m.Provenance()
	return &side{m, from, attachments(m), strings.Join(strings.Fields(text), " "), wrappers.NormalizeUser(text)}
}

// repeats reports whether a user turn is the one in front of it, sent again without an
// answer between. Turns that say nothing were not sent again, and what R-100 leaves
// nothing of says so later.
func (s *side) repeats(front *side) bool {
	if s.text != front.text || s.from != front.from || projected(s.turn) || projected(front.turn) ||
		!slices.EqualFunc(s.attachments, front.attachments, results.SameBlock) {
		return false
	}
	return s.text != "" && s.text != texts.OmittedContent || len(s.attachments) > 0
}

// projected reports whether a row of another role went out as this user turn
// (F-72).
func projected(m *transcript.Message) bool {
	return m.Get("customType").Exists() || m.Get("command").Exists() || m.Get("summary").Exists()
}

// attachments returns the blocks that are no text.
func attachments(m *transcript.Message) []*transcript.Block {
	if !m.Any(attachment) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(m.Blocks()), func(b *transcript.Block) bool { return !attachment(b) })
}

func attachment(b *transcript.Block) bool { return !b.Is(transcript.TypeText) }
