// Package turns holds what more than one pass asks about a turn, and the one
// rule that two passes carry out. It knows no pass.
package turns

import (
	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// R25 is the rule of [DropReasoningOnly], for the lists of the passes that call
// it.
var R25 = hygiene.Rule{
	ID:    "R-25",
	Title: "a turn that ran into the output limit with nothing but thinking is left out",
	Lossy: true,
}

// DropReasoningOnly drops message i when it is an assistant turn that ended at
// the output limit and holds nothing but thinking and blank text.
// An empty turn stays. It reports whether the turn was dropped.
func DropReasoningOnly(r *hygiene.Run, i int) bool {
	m := r.At(i)
	if !m.Is(transcript.Assistant) || !m.HasThinking() || m.Any(speaks) || m.StopReason() != transcript.StopLength {
		return false
	}
	r.Drop(i, hygiene.Edit{
		Rule: R25.ID, Lossy: true,
		Reason: "turn ended at the output limit and holds only thinking",
	})
	return true
}

func speaks(b *transcript.Block) bool { return !b.IsThinking() && !BlankText(b) }

// BlankText reports whether b is a text block that no request can carry: its
// text is blank or no string.
func BlankText(b *transcript.Block) bool {
	return b.Is(transcript.TypeText) && !b.HasWords()
}

// OddText reports whether b is a text block whose text is a number or some other
// value that is no string. It counts as blank, but something is lost with it.
func OddText(b *transcript.Block) bool {
	if !b.Is(transcript.TypeText) {
		return false
	}
	v := b.TextValue()
	return v.Exists() && !v.IsString() && v.Kind != jsonline.Null
}

// Rewrite edits the content of message i block by block. f returns the block to
// use and why: b itself to keep it, nil to drop it. Nothing is allocated while f
// keeps everything. It reports whether anything was changed.
func Rewrite(r *hygiene.Run, i int, f func(b *transcript.Block) (*transcript.Block, hygiene.Edit)) bool {
	var blocks *hygiene.Blocks
	for j, b := range r.At(i).Blocks() {
		n, e := f(b)
		if n == b {
			continue
		}
		if blocks == nil {
			blocks = r.Blocks(i)
		}
		if n == nil {
			blocks.Drop(j, e)
		} else {
			blocks.Replace(j, n, e)
		}
	}
	return blocks != nil && blocks.Done()
}
