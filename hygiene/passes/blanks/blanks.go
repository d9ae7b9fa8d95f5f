package blanks

import (
	_ "embed"

	"hygeia/hygiene"
	"hygeia/hygiene/passes/internal/turns"
	"hygeia/internal/texts"
	"hygeia/transcript"
)

//go:embed doc.go
var doc string

// Pass removes text blocks with nothing in them.
var Pass = &hygiene.Pass{
	Name: "blanks",
	Doc:  hygiene.DocText(doc),
	Rules: []hygiene.Rule{
		{ID: "R-30", Title: "blank text blocks go, an empty user turn or tool result gets a placeholder", Lossy: true, Synthetic: true},
		{ID: "R-31", Title: "a failed turn with nothing but blank text is left out", Lossy: true},
	},
	After: []string{"shapes", "content", "images"},
	Run:   run,
}

func run(r *hygiene.Run) {
	for i := range r.Len() {
		m := r.At(i)
		if m.ContentKind() != transcript.ListContent || len(m.Blocks()) > 0 && !m.HasBlankText() {
			continue
		}
		switch m.Role() {
		case transcript.User, transcript.Custom, transcript.ToolResult:
			if turns.Shortest(r, i) {
				continue
			}
			if !allBlank(m) {
				turns.Rewrite(r, i, withoutBlank)
				continue
			}
			placeholder := []*transcript.Block{transcript.NewTextBlock(texts.OmittedContent)}
			r.Replace(i, m.WithBlocks(placeholder), hygiene.Edit{
				Rule: "R-30", Lossy: m.Any(turns.OddText), Synthetic: true, Reason: "content is blank",
			})
		case transcript.Assistant:
			if len(m.Blocks()) == 0 || !allBlank(m) {
				turns.Rewrite(r, i, withoutBlank)
				continue
			}
			e := hygiene.Edit{Rule: "R-30", Lossy: m.Any(turns.OddText), Reason: "turn holds only blank text"}
			if m.StopReason() == transcript.StopError {
				e.Rule, e.Reason = "R-31", "failed turn holds only blank text"
			}
			r.Drop(i, e)
		}
	}
}

func allBlank(m *transcript.Message) bool {
	return !m.Any(func(b *transcript.Block) bool { return !turns.BlankText(b) })
}

// withoutBlank drops blank text blocks. A text that is no string cannot be sent
// either.
func withoutBlank(b *transcript.Block) (*transcript.Block, hygiene.Edit) {
	if !turns.BlankText(b) {
		return b, hygiene.Edit{}
	}
	e := hygiene.Edit{Rule: "R-30", Lossy: turns.OddText(b), Reason: "text is blank"}
	if !b.IsText() {
		e.Reason = "text block has no text"
	}
	return nil, e
}
