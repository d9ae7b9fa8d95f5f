package wrappers

import (
	"strings"

	"hygeia/internal/texts"
)

const fence = "```"

// metadataAt recognises one piece of metadata: a header with its JSON fence (X-21, X-B03), a header with its paragraph
// or a delivery hint.
func (c *stripper) metadataAt(s string) (rest string, ok bool) {
	line, rest := cutLine(s)
	if isDeliveryHint(line) {
		return rest, true
	}
	if !isMetadataHeader(line) {
		return "", false
	}
	if body, rest, ok := cutFence(rest); ok {
		c.learn(line, body)
		return rest, true
	}
	if line == texts.ChatHistoryHeader || isChatWindow(line) {
		return afterParagraph(rest), true
	}
	return "", false
}

// isMetadataHeader reports whether line has the form "<label> (untrusted …):".
func isMetadataHeader(line string) bool {
	if !strings.HasSuffix(line, "):") {
		return false
	}
	open := strings.LastIndexByte(line, '(')
	return open > 1 && line[open-1] == ' ' && strings.HasPrefix(line[open:], texts.UntrustedOpening)
}

// isChatWindow reports whether a metadata header has the form "<label> (untrusted, chronological[, relation]):".
func isChatWindow(line string) bool {
	relation, ok := strings.CutPrefix(line[strings.LastIndexByte(line, '('):], texts.ChatWindowOpening)
	return ok && (relation == "):" || strings.HasPrefix(relation, ", "))
}

func isDeliveryHint(line string) bool {
	for _, opening := range texts.DeliveryOpenings {
		if advice, ok := strings.CutPrefix(line, opening); ok {
			return strings.Contains(advice, texts.DeliveryWord)
		}
	}
	return false
}

// cutFence splits a JSON fence at the start of s from what follows. An unterminated one reaches to the end.
func cutFence(s string) (body, rest string, ok bool) {
	line, rest := cutLine(s)
	info, ok := strings.CutPrefix(line, fence)
	if !ok || strings.TrimSpace(info) != "json" {
		return "", "", false
	}
	body = rest
	for rest != "" {
		line, next := cutLine(rest)
		if line == fence {
			return body[:len(body)-len(rest)], next, true
		}
		rest = next
	}
	return body, "", true
}

// contextAt recognises the untrusted context of X-24: a block of the memory plugin, or a suffix to the end of the text.
func contextAt(s string) (rest string, ok bool) {
	line, rest := cutLine(s)
	if line != texts.UntrustedContext {
		return "", false
	}
	if after, ok := memoryAt(rest); ok {
		return after, true
	}
	const window = 7
	for range window {
		line, next := cutLine(rest)
		if isContextProbe(line, next != "") {
			return "", true
		}
		rest = next
	}
	return "", false
}

// isContextProbe reports whether line shows that an untrusted context follows; a trimmed line may have ended in white
// space, its line break at least if there is a next one.
func isContextProbe(line string, hasNext bool) bool {
	if strings.Contains(line, texts.ExternalContentMark) || strings.Contains(line, texts.ChannelMetadataMark) {
		return true
	}
	for {
		_, after, found := strings.Cut(line, texts.ContextSourceMark)
		if !found {
			return false
		}
		if (after == "" && hasNext) || (after != "" && strings.IndexByte(blanks, after[0]) >= 0) {
			return true
		}
		line = after
	}
}

// memoryAt recognises the blocks of the memory plugin and the blank lines behind them. A block ends before the next
// header of its kind at the latest.
func memoryAt(s string) (rest string, ok bool) {
	for {
		line, body := cutLine(s)
		if line != texts.ActiveMemoryOpen {
			return s, ok
		}
		within := body
		if i := strings.Index(body, texts.UntrustedContext); i >= 0 {
			within = body[:i]
		}
		end := strings.Index(within, texts.ActiveMemoryClose)
		if end < 0 {
			return s, ok
		}
		_, s = cutLine(body[end:])
		s = skipBlank(s)
		ok = true
	}
}

// cutContext removes the untrusted contexts of X-24 wherever they stand.
func cutContext(text string) string {
	var kept strings.Builder
	start, scan := 0, 0
	for {
		i := strings.Index(text[scan:], texts.UntrustedContext)
		if i < 0 {
			break
		}
		i += scan
		scan = i + len(texts.UntrustedContext)
		if !atLineStart(text, i) {
			continue
		}
		rest, ok := contextAt(text[i:])
		if !ok {
			continue
		}
		kept.WriteString(strings.TrimRight(text[start:i], " \t"))
		start = len(text) - len(rest)
		scan = start
	}
	if start == 0 {
		return text
	}
	kept.WriteString(text[start:])
	return strings.Trim(kept.String(), "\r\n")
}
