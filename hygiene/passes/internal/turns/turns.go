// Package turns holds what more than one pass asks about a turn, and the one
// rule that two passes carry out. It knows no pass.
package turns

import (
	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
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
	if !m.Is(transcript.Assistant) || m.StopReason() != transcript.StopLength ||
		!m.HasThinking() || m.Any(speaks) {
		return false
	}
	r.Drop(i, hygiene.Edit{
		Rule: R25.ID, Lossy: true,
		Reason: "turn ended at the output limit and holds only thinking",
	})
	return true
}

func speaks(b *transcript.Block) bool { return !b.IsThinking() && !BlankText(b) }

// BlankText reports whether b is a text block that says nothing: its text is
// blank or no string.
func BlankText(b *transcript.Block) bool {
	if !b.Is(transcript.TypeText) {
		return false
	}
	v := b.TextValue()
	return !v.IsString() || v.Blank()
}

// FailedEmpty reports whether m is an assistant turn that failed before it
// produced anything (D-04 a): it has no content, or nothing but a known
// fallback text, and ended in error, was aborted, or is a stop without any
// usage.
func FailedEmpty(m *transcript.Message) bool {
	if !m.Is(transcript.Assistant) || m.ContentKind() != transcript.ListContent {
		return false
	}
	switch blocks := m.Blocks(); len(blocks) {
	case 0:
	case 1:
		if !isFallback(blocks[0]) {
			return false
		}
	default:
		return false
	}
	return m.Failed() || m.StopReason() == transcript.StopStop && noUsage(m)
}

// isFallback reports whether b holds the fallback text. Nobody escapes any of
// its characters, so a text with escapes need not be decoded.
func isFallback(b *transcript.Block) bool {
	v := b.TextValue()
	return b.IsText() && v.Flags&jsonline.FlagEscaped == 0 && texts.IsFailedTurnText(v.String())
}

// noUsage reports whether the usage of m is recorded and all zero: by its total,
// or without one by whatever components there are.
func noUsage(m *transcript.Message) bool {
	usage := m.Get("usage").Object()
	components := 0
	for _, name := range []string{"input", "output", "cacheRead", "cacheWrite"} {
		n, ok := usage.Get(name).Number()
		if n != 0 {
			return false
		}
		if ok {
			components++
		}
	}
	for _, name := range []string{"total", "totalTokens", "total_tokens"} {
		if v := usage.Get(name); v.Kind == jsonline.Number {
			n, ok := v.Number()
			return ok && n == 0
		}
	}
	return components > 0
}

// Superseded reports whether another assistant turn follows message i before
// the next user turn (D-04 d). Messages that were dropped do not count; rows
// that go out as user turns do (R-B11).
func Superseded(r *hygiene.Run, i int) bool {
	for j := i + 1; j < r.Len(); j++ {
		switch m := r.At(j); {
		case r.Gone(j):
		case m.Is(transcript.Assistant):
			return true
		case m.SpeaksAsUser():
			return false
		}
	}
	return false
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
