package cli

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// safe escapes what could change the look of a terminal: control characters and
// marks that turn the direction of text.
func safe(s string) string {
	if strings.IndexFunc(s, unsafeRune) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if unsafeRune(r) {
			fmt.Fprintf(&b, "\\u%04x", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// safeLines is safe for prose, whose line breaks and tabs stay.
func safeLines(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.ReplaceAll(safe(lines[i]), `\u0009`, "\t")
	}
	return strings.Join(lines, "\n")
}

func unsafeRune(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029' || r == utf8.RuneError
}

// safeJSON is safe for a JSON text, whose value stays the same: what is escaped
// can stand only inside of strings. Line breaks between values stay.
func safeJSON(text []byte) []byte {
	var b []byte
	done := 0
	for i, r := range string(text) {
		if r < 0x7f || r == utf8.RuneError || !unsafeRune(r) {
			continue
		}
		b = fmt.Appendf(append(b, text[done:i]...), "\\u%04x", r)
		done = i + utf8.RuneLen(r)
	}
	if done == 0 {
		return text
	}
	return append(b, text[done:]...)
}
