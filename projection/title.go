package projection

import (
	"strings"
	"unicode"

	"github.com/rivo/uniseg"

	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// Title is how a title that was made of what a user wrote stands in a list: by the
// rules for what a user wrote (X-B01), without secrets, on one line. It is "" where
// nothing is left of it.
func Title(text string, redact func(string) string) string {
	shown := Project([]*transcript.Message{transcript.NewText(transcript.User, text)}, Options{Redact: redact})
	if len(shown) == 0 || !shown[0].Is(transcript.User) {
		return ""
	}
	return Words(shown[0], 0)
}

// Words returns what a shown message says on one line, in at most n characters as
// people count them, 0 for all. It is "" where the message has no words.
func Words(m *transcript.Message, n int) string {
	text := strings.Join(strings.Fields(OneLine(words(m))), " ")
	if n <= 0 {
		return text
	}
	return Short(text, n)
}

// Short returns a line in at most n characters, one of which says that there were
// more. n is 1 or more.
func Short(text string, n int) string {
	if len(text) <= n {
		return text
	}
	rest, state := text, -1
	for range n - 1 {
		_, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
	}
	if cluster, more, _, _ := uniseg.FirstGraphemeClusterInString(rest, state); more == "" {
		return text[:len(text)-len(rest)] + cluster
	}
	return strings.TrimRight(text[:len(text)-len(rest)], " ") + "…"
}

// OneLine takes out of a name what could change the look of what is around it
// (H-B13): line breaks and control characters become spaces, marks that turn the
// direction of text go.
func OneLine(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Bidi_Control, r):
			return -1
		case unicode.IsControl(r) || r == '\u2028' || r == '\u2029':
			return ' '
		}
		return r
	}, text)
}

// tidySender neutralises the name of an author (H-B13).
func tidySender(m *transcript.Message) *transcript.Message {
	v := m.Get("senderLabel")
	if !v.IsString() {
		return m
	}
	if name := OneLine(v.String()); name != v.String() {
		return m.With("senderLabel", jsonline.Text(name))
	}
	return m
}
