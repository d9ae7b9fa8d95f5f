package turns

import (
	"bytes"
	"strings"
)

// TrimSpelledBlanks removes white space from the start of a JSON string's
// inside, as it is spelled.
func TrimSpelledBlanks(raw []byte) []byte {
	for len(raw) > 1 {
		if raw[0] == '\\' && strings.IndexByte("ntrf", raw[1]) >= 0 {
			raw = raw[1:]
		} else if raw[0] != ' ' {
			break
		}
		raw = raw[1:]
	}
	return raw
}

// LeadsWithMetadata reports whether the inside of a JSON string may begin with
// metadata that runtimes put in front of a text. Its header has at most 1024
// bytes, which escapes may double.
func LeadsWithMetadata(raw []byte) bool {
	raw = TrimSpelledBlanks(raw)
	head := raw[:min(len(raw), 2100)]
	return bytes.Contains(head, []byte("(untrusted")) || bytes.Contains(head, []byte("Delivery: "))
}
