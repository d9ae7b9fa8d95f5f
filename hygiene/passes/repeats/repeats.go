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
	var u users
	neighbours.Walk(r, func(prev, i int) int {
		if prev < 0 {
			return i
		}
		if r.At(i).Is(transcript.Assistant) {
			return neighbours.DropSameText(r, prev, i)
		}
		a, b := r.At(prev), r.At(i)
		if !u.sentAgain(a, b) {
			return i
		}
		r.Drop(i, hygiene.Edit{
			Rule: "R-123", Reason: "the user turn in front of it says the same",
			Lossy: !slices.Equal(strings.Fields(neighbours.Text(a)), strings.Fields(neighbours.Text(b))), // wrappers go with it
		})
		return prev
	})
}

// users compares user turns and remembers the text of the last one, so that
// each is normalised once.
type users struct {
	last *transcript.Message
	text string
}

// sentAgain reports whether user turn b is a without an answer between. Turns that
// say nothing were not sent again, and what R-100 leaves nothing of says so later.
func (u *users) sentAgain(a, b *transcript.Message) bool {
	if projected(a) || projected(b) || !slices.EqualFunc(attachments(a), attachments(b), results.SameBlock) {
		return false
	}
	p, _ := a.Provenance()
	if q, _ := b.Provenance(); p != q {
		return false
	}
	text := u.text
	if a != u.last {
		text = normalised(a)
	}
	u.last, u.text = b, normalised(b)
	if u.text != text {
		return false
	}
	u.last = a
	return text != "" && text != texts.OmittedContent || len(attachments(a)) > 0
}

// projected reports whether a row of another role went out as this user turn
// (F-72).
func projected(m *transcript.Message) bool {
	return m.Get("customType").Exists() || m.Get("command").Exists() || m.Get("summary").Exists()
}

func normalised(m *transcript.Message) string { return wrappers.NormalizeUser(neighbours.Text(m)) }

// attachments returns the blocks that are no text.
func attachments(m *transcript.Message) []*transcript.Block {
	if !m.Any(attachment) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(m.Blocks()), func(b *transcript.Block) bool { return !attachment(b) })
}

func attachment(b *transcript.Block) bool { return !b.Is(transcript.TypeText) }
