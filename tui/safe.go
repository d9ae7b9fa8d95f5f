package tui

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// OmittedBinary stands for a line that is no text (H-61).
const OmittedBinary = "[binary data omitted]"

// longestToken is from how many characters on a token is broken.
const longestToken = 64

// sequences are what terminals obey: CSI, and strings like OSC and DCS with their
// end, and the short ones. One that does not end hides nothing behind it: only its
// first byte goes, as a control character. No part of the pattern runs over the
// beginning of another sequence, so the time is linear.
var sequences = regexp.MustCompile("(?:\x1b\\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\x1b[\\]P^_X]|[\u009d\u0090\u009e\u009f\u0098])[^\x07\x1b\u0080-\u009f]*(?:\x07|\x1b\\\\|\u009c)|\x1b[ -/]+[0-~]|\x1b[0-Z\\\\^-~]")

// Safe returns a text that does nothing to a terminal but stand there (H-61,
// H-B13): without escape sequences and control characters except tab and line
// feed, with marks that turn the direction of text written out, lines that are no
// text replaced, and very long tokens broken. Safe of a safe text is that text.
func Safe(text string) string {
	if plain(text) {
		return text
	}
	text = sequences.ReplaceAllString(string([]rune(text)), "")
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\n' || r == '\t':
			b.WriteRune(r)
		case unicode.IsControl(r):
		case unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Noncharacter_Code_Point, r):
			fmt.Fprintf(&b, "\\u%04x", r)
		default:
			b.WriteRune(r)
		}
	}
	lines := strings.Split(b.String(), "\n")
	fence := ""
	for i, line := range lines {
		if mark := fenceOf(line); mark != "" && (fence == "" || strings.HasPrefix(mark, fence)) {
			if fence == "" {
				fence = mark
			} else {
				fence = ""
			}
		}
		switch {
		case binary(line):
			lines[i] = OmittedBinary
		case fence == "":
			lines[i] = breakTokens(line)
		}
	}
	return strings.Join(lines, "\n")
}

// SafeLine is Safe for what has to stand on one line: names, titles, reasons.
func SafeLine(text string) string { return strings.Join(strings.Fields(Safe(text)), " ") }

// plain reports that a text is safe at first sight: printable ASCII without a long
// token.
func plain(text string) bool {
	token := 0
	for i := range len(text) {
		switch c := text[i]; {
		case c == '\n' || c == ' ' || c == '\t':
			token = 0
		case c < 0x20 || c > 0x7e || token >= longestToken:
			return false
		default:
			token++
		}
	}
	return true
}

// fenceOf returns the mark that opens or ends a block of code, "" for none.
func fenceOf(line string) string {
	line = strings.TrimLeft(line, " ")
	for _, c := range "`~" {
		if n := len(line) - len(strings.TrimLeft(line, string(c))); n >= 3 {
			return line[:n]
		}
	}
	return ""
}

// binary reports that a line is mostly what could not be read as text.
func binary(line string) bool {
	lost := strings.Count(line, "\uFFFD")
	return lost >= 4 && 2*lost > utf8.RuneCountInString(strings.ReplaceAll(line, " ", ""))
}

// kept are the tokens that are broken nowhere: addresses, paths and names.
var kept = regexp.MustCompile("^[(<\\[\"']*(?:[a-zA-Z][a-zA-Z0-9+.-]*://|www\\.|mailto:|(?:[a-zA-Z]:\\\\|\\\\\\\\|~/|\\.{1,2}/|/)[^/\\\\]{1,64}[/\\\\]|[\\pL\\pN_$.:@-]{1,128}$)")

// breakTokens puts spaces into very long tokens. One with a backtick is code.
func breakTokens(line string) string {
	if utf8.RuneCountInString(line) <= longestToken {
		return line
	}
	var b strings.Builder
	for line != "" {
		end := strings.IndexFunc(line, unicode.IsSpace)
		if end < 0 {
			end = len(line)
		}
		token := line[:end]
		if utf8.RuneCountInString(token) > longestToken && !strings.Contains(token, "`") && !kept.MatchString(token) && !cjk(token) {
			token = broken(token)
		}
		b.WriteString(token)
		line = line[end:]
		_, n := utf8.DecodeRuneInString(line)
		b.WriteString(line[:n])
		line = line[n:]
	}
	return b.String()
}

// cjk reports that a token is of a script that is written without spaces.
func cjk(token string) bool {
	return strings.ContainsFunc(token, func(r rune) bool {
		return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
	})
}

func broken(token string) string {
	var b strings.Builder
	n := 0
	for _, r := range token {
		// A mark stays with the letter that it belongs to.
		if n >= longestToken && !unicode.In(r, unicode.M, unicode.Cf) {
			b.WriteByte(' ')
			n = 0
		}
		b.WriteRune(r)
		n++
	}
	return b.String()
}

// Marks that keep a line that is written from right to left to itself. The first
// letter decides about its direction.
const (
	isolate    = "\u2068"
	endIsolate = "\u2069"
)

// isolated keeps a line that holds letters written from right to left to itself, so
// that it turns nothing around it (H-61).
func isolated(line string) string {
	if !strings.ContainsFunc(line, func(r rune) bool {
		return unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko)
	}) {
		return line
	}
	return isolate + line + endIsolate
}
