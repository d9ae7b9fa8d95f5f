package wrappers

import (
	"strings"

	"hygeia/internal/texts"
)

// stampAt recognises a date stamp "[Www YYYY-MM-DD HH:MM …] ".
func stampAt(s string) (rest string, ok bool) {
	inside, rest, ok := cutBracket(s)
	if !ok || len(inside) < 4 || inside[3] != ' ' || !matches(inside[4:], "0000-00-00 00:00") {
		return "", false
	}
	for i := range 3 {
		if letter := inside[i] | 0x20; letter < 'a' || letter > 'z' {
			return "", false
		}
	}
	return rest, true
}

// envelopeAt recognises a channel envelope: a bracket with a date, or one that opens with a channel's name.
func envelopeAt(s string) (rest string, ok bool) {
	inside, rest, ok := cutBracket(s)
	return rest, ok && (hasDate(inside) || hasChannel(inside))
}

// cutBracket splits a leading "[…]" and the blanks behind it from the rest of s. The bracket closes in its line.
func cutBracket(s string) (inside, rest string, ok bool) {
	if !strings.HasPrefix(s, "[") {
		return "", "", false
	}
	end := strings.IndexAny(s, "]\n")
	if end < 0 || s[end] == '\n' {
		return "", "", false
	}
	return s[1:end], strings.TrimLeft(s[end+1:], " \t"), true
}

func hasDate(s string) bool {
	for i := range len(s) {
		if matches(s[i:], "0000-00-00 00:00") || matches(s[i:], "0000-00-00T00:00Z") {
			return true
		}
	}
	return false
}

func hasChannel(s string) bool {
	for _, label := range texts.ChannelLabels {
		if after, ok := strings.CutPrefix(s, label); ok && strings.HasPrefix(after, " ") {
			return true
		}
	}
	return false
}

// matches reports whether s starts with shape, in which "0" stands for any digit.
func matches(s, shape string) bool {
	if len(s) < len(shape) {
		return false
	}
	for i := range len(shape) {
		digit := s[i] >= '0' && s[i] <= '9'
		if (shape[i] == '0') != digit || (!digit && s[i] != shape[i]) {
			return false
		}
	}
	return true
}

// isMessageID reports whether a trimmed line is nothing but a message id.
func isMessageID(line string) bool {
	return strings.HasPrefix(line, texts.MessageIDOpening) && strings.IndexByte(line, ']') == len(line)-1
}

// cutMessageIDs removes the lines of X-27.
func cutMessageIDs(text string) string {
	if !strings.Contains(text, texts.MessageIDOpening) {
		return text
	}
	var kept []string
	removed := false
	for line := range strings.SplitSeq(text, "\n") {
		if isMessageID(strings.Trim(line, blanks)) {
			removed = true
		} else {
			kept = append(kept, line)
		}
	}
	if !removed {
		return text
	}
	return strings.Join(kept, "\n")
}

// receiptAt recognises what the editor bridge and the gateway put in front (X-B14), and a leading message id.
func (c *stripper) receiptAt(s string) (rest string, ok bool) {
	line, rest := cutLine(s)
	switch {
	case isMessageID(line):
		return rest, true
	case line == texts.SourceReceiptOpen:
		inside, after, ok := strings.Cut(rest, "\n"+texts.SourceReceiptClose)
		if !ok {
			return "", false
		}
		if c.receipt == "" {
			c.receipt = strings.TrimSpace(inside)
		}
		_, rest = cutLine(after)
		return rest, true
	case strings.HasPrefix(line, texts.WorkingDirectoryMark) && strings.HasSuffix(line, "]"):
		if c.directory == "" {
			c.directory = strings.TrimSpace(line[len(texts.WorkingDirectoryMark) : len(line)-1])
		}
		return rest, true
	}
	return "", false
}
