package content

import (
	_ "embed"

	"hygeia/hygiene"
	"hygeia/hygiene/passes/internal/turns"
	"hygeia/internal/texts"
	"hygeia/transcript"
)

//go:embed doc.go
var doc string

// Pass leaves out turns that say nothing.
var Pass = &hygiene.Pass{
	Name: "content",
	Doc:  hygiene.DocText(doc),
	Rules: append([]hygiene.Rule{
		{ID: "R-20", Title: "a blank user turn gets a placeholder", Lossy: true, Synthetic: true},
		{ID: "R-21", Title: "rows that no model wrote are left out", Lossy: true},
		{ID: "R-23", Title: "a turn that holds nothing but internal metadata is left out", Lossy: true},
		{ID: "R-24", Title: "silent replies are left out", Lossy: true},
		turns.R25,
		{ID: "R-28", Title: "internal metadata is taken out of assistant text", Lossy: true},
		{ID: "R-B15", Title: "thinking that led to nothing but a silent reply is left out with it", Lossy: true},
	}, turns.FailedRules...),
	After: []string{"shapes", "provenance"},
	Run:   run,
}

func run(r *hygiene.Run) {
	failed := false
	for i := range r.Len() {
		switch m := r.At(i); m.Role() {
		case transcript.User, transcript.Custom:
			user(r, i)
		case transcript.Assistant:
			if artefact(m) {
				r.Drop(i, hygiene.Edit{Rule: "R-21", Lossy: true, Reason: "row was written by " + m.Model()})
				continue
			}
			assistantText(r, i)
			if !r.Gone(i) {
				turns.DropReasoningOnly(r, i)
			}
			failed = failed || turns.FailedEmpty(m)
		}
	}
	if failed {
		turns.SettleFailed(r)
	}
}

// artefact reports whether m records what was shown to a user (F-39).
func artefact(m *transcript.Message) bool {
	if m.Provider() != "openclaw" {
		return false
	}
	model := m.Model()
	return model == "delivery-mirror" || model == "gateway-injected"
}

// user puts a placeholder into a blank user turn, lest the transcript lose it
// (D-07), and into a blank row that goes out as one (F-72). A turn whose content lies in media paths is none the less blank here
// (F-B22).
func user(r *hygiene.Run, i int) {
	m := r.At(i)
	if turns.Shortest(r, i) {
		return
	}
	e := hygiene.Edit{Rule: "R-20", Synthetic: true, Reason: "user turn is blank"}
	switch m.ContentKind() {
	case transcript.TextContent:
		if !m.Text().Blank() {
			return
		}
	case transcript.ListContent:
		if len(m.Blocks()) > 0 && !m.HasBlankText() || m.Any(func(b *transcript.Block) bool { return !turns.BlankText(b) }) {
			return
		}
		e.Lossy = m.Any(turns.OddText)
		r.Replace(i, m.WithBlocks([]*transcript.Block{transcript.NewTextBlock(texts.OmittedContent)}), e)
		return
	default:
		e.Lossy = m.ContentKind() == transcript.OtherContent
	}
	r.Replace(i, m.WithText(texts.OmittedContent), e)
}
