package turns

import (
	"hygeia/hygiene"
	"hygeia/internal/texts"
	"hygeia/transcript"
)

// DropThinking takes the thinking blocks out of message i for which why gives a
// reason. A turn that held nothing else keeps its place with a text (W-161).
func DropThinking(r *hygiene.Run, i int, rule string, why func(*transcript.Block) string) {
	changed := Rewrite(r, i, func(b *transcript.Block) (*transcript.Block, hygiene.Edit) {
		if b.IsThinking() {
			if reason := why(b); reason != "" {
				return nil, hygiene.Edit{Rule: rule, Reason: reason, Lossy: true}
			}
		}
		return b, hygiene.Edit{}
	})
	if changed {
		KeepPlace(r, i, rule, texts.OmittedReasoning)
	}
}

// KeepPlace puts a text into message i if an edit left no block in it (W-161,
// W-164), so that its neighbours do not become neighbours of each other.
func KeepPlace(r *hygiene.Run, i int, rule, text string) {
	if len(r.At(i).Blocks()) > 0 {
		return
	}
	b := r.Blocks(i)
	b.Insert(0, transcript.NewTextBlock(text), hygiene.Edit{Rule: rule, Reason: "nothing else is left of the turn", Synthetic: true})
	b.Done()
}
