// Package neighbours finds turns of one speaker that stand side by side, and
// holds the one rule about them that two passes carry out. [Walk] shows a pass each
// pair, and hears from it which turn the next one stands beside.
package neighbours

import (
	"strings"

	"hygeia/hygiene"
	"hygeia/hygiene/passes/internal/results"
	"hygeia/transcript"
)

// Walk calls f for the assistant turns and the user turns of a list in order.
// prev is the turn of the same speaker beside which turn i stands, with nothing
// that goes out between them, -1 if there is none. f may drop one of them; it
// returns the index of the one that the next turn is compared with, -1 for none.
func Walk(r *hygiene.Run, f func(prev, i int) int) {
	prev := -1
	for i := range r.Len() {
		m := r.At(i)
		switch {
		case r.Gone(i):
		case m.Is(transcript.Assistant), m.Is(transcript.User) && !m.CarriesContext():
			if prev >= 0 && !m.Is(r.At(prev).Role()) {
				prev = -1
			}
			prev = f(prev, i)
		case m.Is(transcript.ToolResult), !m.Is(transcript.User) && m.SpeaksAsUser():
			prev = -1
		}
	}
}

// R121 is the rule of [DropSameText], for the lists of the passes that call it.
var R121 = hygiene.Rule{
	ID: "R-121", Title: "of two neighbouring assistant turns with the same text one goes out", Lossy: true,
	Unstable: "the later of two rows with the same text can be the one that holds the calls",
}

// DropSameText drops one of two neighbouring assistant turns if both have the
// same trimmed text and at most one has calls. The one with calls, or
// with a recorded route, is the model's own and stays; else the first stays. It
// returns the index of the turn that stays, the second if both do.
func DropSameText(r *hygiene.Run, said *Memo, prev, i int) int {
	a, b := r.At(prev), r.At(i)
	text := Text(b)
	if text == "" || text != said.Text(a) {
		return i
	}
	lost, stays := i, prev
	if !a.HasToolCall() && (b.HasToolCall() || !routed(a) && routed(b)) {
		lost, stays = prev, i
	}
	if r.At(lost).Any(other) {
		return i
	}
	r.Drop(lost, hygiene.Edit{
		Rule: R121.ID, Reason: "the assistant turn beside it has the same text",
		Lossy: LosesThinking(r.At(lost), r.At(stays)),
	})
	return stays
}

// other reports whether a block is neither text nor thinking: so of two turns with
// calls both stay.
func other(b *transcript.Block) bool { return !b.IsText() && !b.IsThinking() }

// routed reports whether the turn says which model made it.
func routed(m *transcript.Message) bool { return m.Provider() != "" && m.Model() != "" }

// LosesThinking reports whether thinking goes with a turn of which another one
// is a copy.
func LosesThinking(lost, stays *transcript.Message) bool {
	return lost.HasThinking() && !results.Same(lost, stays)
}

// Memo remembers the text of the turn that it was asked for last: of one that stays
// while others beside it go, so that it is not read for each of them (G-6).
type Memo struct {
	turn *transcript.Message
	text string
}

// Text returns the text of a turn, see [Text].
func (o *Memo) Text(m *transcript.Message) string {
	if m != o.turn {
		o.turn, o.text = m, Text(m)
	}
	return o.text
}

// Text returns the trimmed text of a turn, its blocks joined by line breaks.
func Text(m *transcript.Message) string {
	if m.ContentKind() == transcript.TextContent {
		return strings.TrimSpace(m.Text().String())
	}
	var only string
	var parts []string
	for _, b := range m.Blocks() {
		switch {
		case !b.IsText() || b.IsBlankText():
		case only == "":
			only = b.Text()
		default:
			if parts == nil {
				parts = append(parts, only)
			}
			parts = append(parts, b.Text())
		}
	}
	if parts != nil {
		only = strings.Join(parts, "\n")
	}
	return strings.TrimSpace(only)
}
