package acp

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"hygeia/internal/texts"
	"hygeia/projection"
	"hygeia/transcript"
)

// live is what is shown of a text that may grow.
func (t *teller) live(text string) string {
	if t.kind == thoughtChunk {
		return t.redact(text)
	}
	shown := t.whole(text)
	if strings.Contains(text, "<") {
		// A tag at the end is a word or markup, as what follows will tell: what is shown
		// either way may be told.
		shown = shown[:common(shown, t.whole(text+"\n<"))]
	}
	if at := strings.LastIndexByte(shown, '\n') + 1; len(shown)-at < longestHeld && strings.HasPrefix(strings.TrimLeft(shown[at:], " \t"), "[") {
		shown = shown[:at] // the line may be one that tells of a call
	}
	shown = strings.TrimRightFunc(shown, decoration)
	if projection.LiveText(shown) == "" {
		return "" // it may become one that says nothing
	}
	return shown
}

// trimmed is a text of a model without the white space that it may begin with: what
// comes behind decides whether that is shown, and it means nothing.
func trimmed(text string) string { return strings.TrimLeft(text, " \t\r\n") }

// decoration reports whether a character may go with a token of silence behind it.
func decoration(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }

// whole is what is shown of a text that grows no more: the same as of a stored turn.
func (t *teller) whole(text string) string {
	if t.kind != messageChunk {
		return t.redact(text)
	}
	var b strings.Builder
	turn := transcript.NewText(transcript.Assistant, text)
	for _, m := range projection.Project([]*transcript.Message{turn}, projection.Options{Redact: t.redact}) {
		b.WriteString(m.Text().String())
	}
	return trimmed(b.String())
}

// grow tells how a text goes on (H-B10). What got shorter may grow again; what begins
// otherwise than it did is told again.
func (t *teller) grow(text string) {
	switch rest, grown := strings.CutPrefix(text, t.told); {
	case grown && rest != "":
		t.chunk(t.kind, rest, t.told == "", nil)
		t.told = text
	case !grown && !strings.HasPrefix(t.told, text):
		t.correct(text)
	}
}

// correct tells a text from the line on in which it is another one than was told.
func (t *teller) correct(text string) {
	from := strings.LastIndexByte(text[:common(text, t.told)], '\n') + 1
	t.last = t.kind // the line before is not over
	t.chunk(t.kind, text[from:], true, nil)
	t.told = text
}

// common returns the length of the beginning that two texts share, in whole
// characters.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	for n > 0 && n < len(a) && !utf8.RuneStart(a[n]) {
		n--
	}
	return n
}

// chunk tells a piece of text. A text that begins directly behind another one of its
// kind begins a paragraph.
func (t *teller) chunk(kind, text string, begins bool, m *meta) {
	if begins && t.last == kind {
		text = "\n\n" + text
	}
	t.tell(update{Kind: kind, Content: textBlock(text), Meta: m})
}

// longestHeld is how much of a growing text may be held back, in bytes.
const longestHeld = 512

// settled returns a growing text without what may yet become something that is not
// shown: the word at its end (half a key is no secret yet), a directive, and runtime
// blocks, reasoning in tags and private keys that are not closed.
func settled(text string) string {
	end := len(text)
	for end > 0 && len(text)-end < longestHeld && text[end-1] > ' ' && text[end-1] < 0x7f {
		end--
	}
	text = text[:end]
	if at := strings.LastIndex(text, "[["); at >= 0 && len(text)-at < longestHeld && !strings.Contains(text[at:], "]]") {
		text = text[:at]
	}
	if at := strings.Index(text, texts.InternalBegin); at >= 0 && strings.LastIndex(text, texts.InternalBegin) > strings.LastIndex(text, texts.InternalEnd) {
		text = text[:at]
	}
	if at := projection.OpenReasoning(text); at >= 0 {
		text = text[:at]
	}
	return projection.WithoutOpenKey(text)
}
