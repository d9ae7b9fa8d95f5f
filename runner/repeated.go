package runner

import (
	"slices"
	"strings"
	"unicode/utf8"

	"hygeia/internal/wrappers"
	"hygeia/transcript"
)

// When a user turn counts as sent again: the same sender and words, at
// least so many characters, at most so many milliseconds after it was last said.
const (
	repeatedLength = 24
	repeatedWithin = 60_000
)

// unrepeated leaves out user turns that were sent again, which a summary need not
// be told twice.
func unrepeated(messages []*transcript.Message) []*transcript.Message {
	type said struct {
		by           transcript.Provenance
		sender, text string
	}
	last := map[said]float64{}
	return slices.DeleteFunc(slices.Clone(messages), func(m *transcript.Message) bool {
		at, timed := m.Timestamp()
		if !m.Is(transcript.User) || !timed || m.Any(func(b *transcript.Block) bool { return !b.IsText() }) {
			return false
		}
		words := textOf(m)
		s := said{sender: wrappers.SenderLabel(words), text: strings.ToLower(wrappers.NormalizeUser(words))}
		if s.by, _ = m.Provenance(); utf8.RuneCountInString(s.text) < repeatedLength {
			return false
		}
		before, known := last[s]
		last[s] = at
		return known && at-before <= repeatedWithin
	})
}
