package turns

import (
	"strings"

	"hygeia/hygiene"
	"hygeia/transcript"
)

// Shortest reports whether message i is all of a request, and the space that
// stands for a turn where nothing is left to send (W-006, W-347): as it came it
// is taken, and there is nothing that a placeholder could keep the place of.
func Shortest(r *hygiene.Run, i int) bool {
	takes := r.Policy.Responses || strings.HasPrefix(r.Target.API, "google-") && !r.Policy.SanitizeThinkingSignatures
	if !takes || !r.Context.Request || r.Len() > 1 {
		return false
	}
	m := r.At(i)
	v := m.Text()
	if blocks := m.Blocks(); len(blocks) == 1 {
		v = blocks[0].TextValue()
	}
	return m.Is(transcript.User) && v.String() == " "
}
