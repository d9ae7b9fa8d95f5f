package projection

import (
	"regexp"
	"strings"

	"hygeia/internal/texts"
	"hygeia/internal/wrappers"
)

// LiveText is what is shown of an answer while it grows: nothing as long
// as it is, or might become, one that says nothing.
func LiveText(text string) string {
	text = removeDirectives(wrappers.ShowAssistant(text).Text)
	text = WithoutOpenKey(cutGluedToken(text))
	if mightBeSilent(text) {
		return ""
	}
	return text
}

var (
	keyBegins = regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY-----`)
	keyEnds   = regexp.MustCompile(`-----END [A-Z ]*PRIVATE KEY-----`)
)

// WithoutOpenKey returns a growing text without a private key at its end: that it is
// one to take out shows only where it is whole (X-B17).
func WithoutOpenKey(text string) string {
	if !strings.Contains(text, "PRIVATE KEY-----") {
		return text
	}
	end := 0
	for _, at := range keyEnds.FindAllStringIndex(text, -1) {
		end = at[1]
	}
	if at := keyBegins.FindStringIndex(text[end:]); at != nil {
		return text[:end+at[0]]
	}
	return text
}

// mightBeSilent reports whether a growing text is one of the silent tokens or
// may become one.
func mightBeSilent(text string) bool {
	text = strings.TrimSpace(text)
	if wrappers.IsSilentToken(text) && text != "" {
		return true
	}
	for _, token := range []string{texts.NoReply, texts.AnnounceSkip, texts.ReplySkip} {
		if !strings.HasPrefix(token, strings.ToUpper(text)) {
			continue
		}
		if strings.Contains(text, "_") {
			return true
		}
		if token == texts.NoReply && len(text) >= 2 {
			return true
		}
		if token != texts.NoReply && len(text) >= 3 && text == strings.ToUpper(text) {
			return true
		}
	}
	return false
}

// cutGluedToken removes a leading token of silence that real text follows
// without a space.
func cutGluedToken(text string) string {
	rest, ok := strings.CutPrefix(strings.TrimLeft(text, " \t\r\n"), texts.NoReply)
	if ok && startsWord(rest) {
		return rest
	}
	return text
}
