package projection

import (
	"regexp"
	"strings"
)

// directive is a tag that tells the channel how to deliver.
var directive = regexp.MustCompile(`(?i)\[\[\s*(?:audio_as_voice|reply_to_current|reply_to\s*:[^\]\r\n]*)\s*\]\]`)

// removeDirectives takes directive tags out of an assistant's text (X-52,
// X-B08).
func removeDirectives(text string) string {
	if !strings.Contains(text, "[[") {
		return text
	}
	return directive.ReplaceAllString(text, "")
}
