package hygiene

import "strings"

// DocText returns the package comment of an embedded doc.go as plain text: the
// one place where a pass is described.
func DocText(docGo string) string {
	var b strings.Builder
	for line := range strings.Lines(docGo) {
		if !strings.HasPrefix(line, "//") {
			break
		}
		b.WriteString(strings.TrimPrefix(strings.TrimPrefix(line, "//"), " "))
	}
	return strings.TrimSpace(b.String())
}
