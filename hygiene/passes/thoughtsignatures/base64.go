package thoughtsignatures

import (
	"strings"
	"unicode"

	"hygeia/internal/jsonline"
)

// isBase64 reports whether a value is a string of base64 in one alphabet,
// standard or URL-safe, that decodes to something and has no bit too many.
// White space and the number of equals signs at the end do not count.
func isBase64(v jsonline.Value) bool {
	text := strings.TrimRight(withoutSpace(v.String()), "=")
	last := byte(0)
	standard, urlSafe := false, false
	for i := range len(text) {
		c := text[i]
		last = sextet(c)
		if last > 63 {
			return false
		}
		standard = standard || c == '+' || c == '/'
		urlSafe = urlSafe || c == '-' || c == '_'
	}
	if standard && urlSafe {
		return false
	}
	switch len(text) % 4 {
	case 0:
		return text != ""
	case 2:
		return last&0x0f == 0
	case 3:
		return last&0x03 == 0
	}
	return false
}

// sextet returns the six bits of a character in either alphabet, 64 for any
// other.
func sextet(c byte) byte {
	switch {
	case 'A' <= c && c <= 'Z':
		return c - 'A'
	case 'a' <= c && c <= 'z':
		return c - 'a' + 26
	case '0' <= c && c <= '9':
		return c - '0' + 52
	case c == '+' || c == '-':
		return 62
	case c == '/' || c == '_':
		return 63
	}
	return 64
}

func withoutSpace(s string) string {
	if strings.IndexFunc(s, unicode.IsSpace) < 0 {
		return s
	}
	return strings.Join(strings.Fields(s), "")
}
