package turns

import (
	"hygeia/hygiene"
	"hygeia/internal/texts"
	"hygeia/transcript"
)

// DropThinking takes the thinking blocks out of message i for which why gives a
// reason. A turn that has nothing else keeps its place with a text (W-161).
// Nothing is allocated for a turn that stays as it is.
func DropThinking(r *hygiene.Run, i int, rule string, why func(*transcript.Block) string) {
	if !r.At(i).Any(func(b *transcript.Block) bool { return b.IsThinking() && why(b) != "" }) {
		return
	}
	blocks := r.Blocks(i)
	for j, b := range blocks.All() {
		if !b.IsThinking() {
			continue
		}
		if reason := why(b); reason != "" {
			blocks.Drop(j, hygiene.Edit{Rule: rule, Reason: reason, Lossy: true})
		}
	}
	KeepPlace(blocks, rule, texts.OmittedReasoning)
	blocks.Done()
}

// KeepPlace puts a text into an edited turn that has no block left (W-161,
// W-164), so that its neighbours do not become neighbours of each other.
func KeepPlace(b *hygiene.Blocks, rule, text string) {
	if b.Changed() && b.Left() == 0 {
		e := hygiene.Edit{Rule: rule, Reason: "nothing else is left of the turn", Synthetic: true}
		b.Insert(len(b.All()), transcript.NewTextBlock(text), e)
	}
}
