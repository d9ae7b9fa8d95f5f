package wrappers

import "strings"

const blanks = " \t\r\n\v\f"

// cutLine splits s behind its first line; line comes without its line break and without white space around it.
func cutLine(s string) (line, rest string) {
	line, rest, _ = strings.Cut(s, "\n")
	return strings.Trim(line, blanks), rest
}

// skipBlank drops the leading blank lines of s and keeps the indentation of the first other line.
func skipBlank(s string) string {
	text := strings.TrimLeft(s, blanks)
	if start := strings.LastIndexByte(s[:len(s)-len(text)], '\n'); start >= 0 {
		return s[start+1:]
	}
	if text == "" {
		return ""
	}
	return s
}

// afterParagraph returns s from its first blank line on.
func afterParagraph(s string) string {
	for s != "" {
		line, rest := cutLine(s)
		if line == "" {
			return s
		}
		s = rest
	}
	return ""
}

// atLineStart reports whether only blanks stand between i and the start of its line.
func atLineStart(s string, i int) bool {
	for i > 0 && (s[i-1] == ' ' || s[i-1] == '\t') {
		i--
	}
	return i == 0 || s[i-1] == '\n'
}

// recogniser looks at a text that starts at the start of a line. If a wrapper stands there, it returns what follows it.
type recogniser func(s string) (rest string, ok bool)

// cutBlocks removes every block that at recognises where mark starts a line. What is before and behind a block is trimmed
// and joined by a blank line.
func cutBlocks(text, mark string, at recogniser) string {
	var kept strings.Builder
	keep := func(part string) {
		if part == "" {
			return
		}
		if kept.Len() > 0 {
			kept.WriteString("\n\n")
		}
		kept.WriteString(part)
	}
	start, scan := 0, 0
	for {
		i := strings.Index(text[scan:], mark)
		if i < 0 {
			break
		}
		i += scan
		scan = i + len(mark)
		if i > start && text[i-1] != '\n' {
			continue
		}
		rest, ok := at(text[i:])
		if !ok {
			continue
		}
		keep(strings.TrimRight(text[start:i], blanks))
		start = len(text) - len(strings.TrimLeft(rest, blanks))
		scan = start
	}
	if kept.Len() == 0 {
		return text[start:]
	}
	keep(text[start:])
	return kept.String()
}
