package wrappers

import (
	"strings"

	"hygeia/internal/texts"
)

// Source says where an inter-session turn came from. Empty fields are left out of the marker.
type Source struct {
	SourceSession, SourceChannel, SourceTool string
}

// Marker returns the two lines that go in front of a turn from another session (R-13, S-10).
func Marker(s Source) string {
	return s.line() + "\n" + texts.InterSessionExplanation
}

// markerBlock returns the text that marks a turn without text of its own (R-14, S-20, S-B04).
func markerBlock(s Source) string {
	return Marker(s) + "\n" + texts.InterSessionFollows
}

// Annotate puts the marker for s in front of text, in place of older leading markers (S-12, R-15). A leading marker with
// the right fields counts as current whichever explanation follows it (D-12). Blank text becomes the block of S-B04.
func Annotate(text string, s Source) string {
	line := s.line()
	if isCurrent(text, line) {
		return text
	}
	text = cutMarkers(text)
	if strings.TrimSpace(text) == "" {
		return markerBlock(s)
	}
	return line + "\n" + texts.InterSessionExplanation + "\n" + text
}

// isCurrent reports whether text starts with that line and an explanation.
func isCurrent(text, line string) bool {
	rest, ok := strings.CutPrefix(text, line)
	if !ok || !strings.HasPrefix(rest, "\n") {
		return false
	}
	for _, explanation := range explanations {
		if after, ok := strings.CutPrefix(rest[1:], explanation); ok && (after == "" || after[0] == '\n') {
			return true
		}
	}
	return false
}

var explanations = [...]string{texts.InterSessionExplanation, texts.KnownInterSessionExplanation}

// CloseRouted puts the closing line behind the last text of a routed turn with several texts (S-B05).
func CloseRouted(text string) string {
	if last := text[strings.LastIndexByte(text, '\n')+1:]; last == texts.InterSessionEnd {
		return text
	}
	return text + "\n" + texts.InterSessionEnd
}

// StripClose removes closing lines from the end of text (S-B05).
func StripClose(text string) string {
	for {
		trimmed := strings.TrimRight(text, blanks)
		start := strings.LastIndexByte(trimmed, '\n') + 1
		if trimmed[start:] != texts.InterSessionEnd {
			return text
		}
		text = strings.TrimRight(trimmed[:start], "\r\n")
	}
}

// Disarm keeps text from outside from looking like a routed turn (S-B02).
func Disarm(text string) string {
	label := strings.TrimSuffix(texts.InterSessionMarker, "]")
	return strings.ReplaceAll(text, label, disarmed+label[1:])
}

// disarmed opens a bracket that Disarm has made harmless.
const disarmed = `[\`

// line is the first line of the marker. The values are data, not syntax (S-B01).
func (s Source) line() string {
	var b strings.Builder
	b.WriteString(texts.InterSessionMarker)
	for _, f := range [...]struct{ key, value string }{
		{keySession, s.SourceSession},
		{keyChannel, s.SourceChannel},
		{keyTool, s.SourceTool},
	} {
		if value := strings.TrimSpace(f.value); value != "" {
			b.WriteString(" " + f.key + encodeField(value))
		}
	}
	b.WriteString(" " + keyIsUser + "false")
	return b.String()
}

const (
	keySession = "sourceSession="
	keyChannel = "sourceChannel="
	keyTool    = "sourceTool="
	keyIsUser  = "isUser="
)

// encodeField percent-encodes every byte that is not plain and cuts to 200 characters, the last one then "~" (S-B01).
func encodeField(value string) string {
	const (
		limit = 200
		hex   = "0123456789ABCDEF"
	)
	out := make([]byte, 0, min(len(value), limit))
	safe := 0 // what may stay in front of a "~": no part of an escape is cut off
	for i := range len(value) {
		if b := value[i]; isPlain(b) {
			out = append(out, b)
		} else {
			out = append(out, '%', hex[b>>4], hex[b&15])
		}
		if len(out) > limit {
			return string(out[:safe]) + "~"
		}
		if len(out) < limit {
			safe = len(out)
		}
	}
	return string(out)
}

func isPlain(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || strings.IndexByte("._:@/+-", b) >= 0
}
