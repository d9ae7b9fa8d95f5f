package wrappers

import (
	"strings"

	"hygeia/internal/texts"
)

// noticeMark occurs in every notice of, ours included. Its first byte is rare in prose, which makes the search
// for it fast.
const noticeMark = "-authored."

func hasInternal(text string) bool {
	return strings.Contains(text, texts.InternalBegin) || strings.Contains(text, noticeMark)
}

// internalAt recognises a delimited block. Blocks nest; an unclosed one reaches to the end of the text.
func (c *stripper) internalAt(s string) (rest string, ok bool) {
	if !strings.HasPrefix(s, texts.InternalBegin) {
		return "", false
	}
	line, rest := cutLine(s)
	if line != texts.InternalBegin {
		return "", false
	}
	for depth := 1; rest != ""; {
		raw, next, _ := strings.Cut(rest, "\n")
		rest = next
		switch strings.TrimRight(raw, blanks) {
		case texts.InternalBegin:
			depth++
		case texts.InternalEnd:
			if depth--; depth == 0 {
				return rest, true
			}
		}
	}
	c.unterminated = true
	return "", true
}

// eventAt recognises a legacy internal event and those that follow it.
func (c *stripper) eventAt(s string) (rest string, ok bool) {
	for _, want := range [...]string{texts.LegacyContextHeader, texts.KnownCarrierNotice, "", texts.LegacyEvent} {
		line, next := cutLine(s)
		if line != want || s == "" {
			return "", false
		}
		s = next
	}
	for {
		s = c.afterEvent(s)
		line, next := cutLine(skipBlank(s))
		if line == texts.LegacySeparator {
			line, next = cutLine(skipBlank(next))
		}
		if line != texts.LegacyEvent {
			return s, true
		}
		s = next
	}
}

// afterEvent returns what follows one event, given what follows its first line. An event without the full shape ends at
// the next blank line.
func (c *stripper) afterEvent(s string) string {
	head := s
	if i := strings.Index(s, texts.LegacyEvent); i >= 0 {
		head = s[:i]
	}
	begin := strings.Index(head, texts.ChildResultBegin)
	if begin < 0 || c.noResultEnd {
		return afterParagraph(s)
	}
	end := strings.Index(s[begin:], "\n"+texts.ChildResultEnd)
	if end < 0 {
		c.noResultEnd = true
		return afterParagraph(s)
	}
	_, rest := cutLine(s[begin+end+1:])
	const linesBeforeAction = 8
	for range linesBeforeAction {
		line, next := cutLine(rest)
		if strings.HasPrefix(line, texts.LegacyAction) {
			return afterParagraph(next)
		}
		if line == texts.LegacyEvent || line == texts.LegacySeparator {
			break
		}
		rest = next
	}
	return afterParagraph(s)
}

func isPrefaceHeader(line string) bool {
	return line == texts.KnownCarrierHeader || line == texts.KnownEventHeader || line == texts.CarrierHeader
}

func isNotice(line string) bool {
	return line == texts.KnownCarrierNotice || line == texts.CarrierNotice
}

// prefaceAt recognises the two lines of X-12 and the blank lines behind them.
func prefaceAt(s string) (rest string, ok bool) {
	header, next := cutLine(s)
	if !isPrefaceHeader(header) {
		return "", false
	}
	notice, next := cutLine(next)
	if !isNotice(notice) {
		return "", false
	}
	return skipBlank(next), true
}

// cutPrefaces removes the prefaces of X-12 wherever they stand, also those that the removal of an inner one completes.
func cutPrefaces(text string) string {
	if !strings.Contains(text, noticeMark) {
		return text
	}
	out := make([]byte, 0, len(text))
	var headers []int // starts of the header lines at the end of out
	removed := false
	for rest := text; rest != ""; {
		line, next := cutLine(rest)
		switch {
		case isNotice(line) && len(headers) > 0:
			out = out[:headers[len(headers)-1]]
			headers = headers[:len(headers)-1]
			removed = true
			rest = skipBlank(next)
			continue
		case isPrefaceHeader(line):
			headers = append(headers, len(out))
		default:
			headers = headers[:0]
		}
		out = append(out, rest[:len(rest)-len(next)]...)
		rest = next
	}
	if !removed {
		return text
	}
	return strings.Trim(collapseBreaks(string(out)), blanks)
}

// collapseBreaks shortens runs of three or more line breaks to two.
func collapseBreaks(s string) string {
	const run = "\n\n\n"
	if !strings.Contains(s, run) {
		return s
	}
	var b strings.Builder
	for {
		before, after, found := strings.Cut(s, run)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		b.WriteString("\n\n")
		s = strings.TrimLeft(after, "\n")
	}
}
