package wrappers

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// NormalizeUser returns user text as duplicates are compared: without wrappers, white space collapsed, NFC, case kept
// (D-16, R-123). Two turns of nothing but wrappers both become "": callers must not take that for equality.
func NormalizeUser(text string) string {
	c := stripper{scope: shownUserText}
	return norm.NFC.String(strings.Join(strings.Fields(c.strip(text)), " "))
}
