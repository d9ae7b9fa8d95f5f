package images

import "strings"

// other marks characters outside the standard alphabet.
const other = 0x80

// sextets holds the six bits of each character of the standard alphabet.
var sextets = func() (t [256]byte) {
	for i := range t {
		t[i] = other
	}
	for i, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/") {
		t[c] = byte(i)
	}
	return t
}()

// reading is what image data means.
type reading struct {
	data  string // canonical base64, "" for no data at all
	named string // media type of a data URL
	rule  string // what makes another spelling of it legal, "" if data is as stored
}

// canonical reads image data in any spelling that means one thing (I-13, I-B03,
// W-103): white space, a data URL, the URL-safe alphabet and missing padding are
// accepted; mixed alphabets, spare bits and padding inside are not.
func canonical(stored string) (r reading, ok bool) {
	if isCanonical(stored) {
		return reading{data: stored}, true
	}
	r.rule = "W-103"
	data := strings.TrimFunc(stored, func(c rune) bool { return c <= ' ' })
	if isDataURL(data) {
		r.rule = "I-B03"
		head, body, found := strings.Cut(data[len("data:"):], ",")
		named, encoding, _ := cutLast(head, ";")
		if !found || !strings.EqualFold(strings.TrimSpace(encoding), "base64") {
			return reading{}, false
		}
		r.named, _, _ = strings.Cut(named, ";")
		r.named = strings.TrimSpace(r.named)
		data = body
	}
	if strings.ContainsAny(data, "-_") {
		r.rule = "I-B03"
	}
	r.data, ok = plain(data)
	return r, ok
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// plain returns the canonical base64 of data that is no URL.
func plain(data string) (string, bool) {
	urlSafe := strings.ContainsAny(data, "-_")
	if urlSafe && strings.ContainsAny(data, "+/") {
		return "", false
	}
	out := make([]byte, 0, len(data)+2)
	for i := range len(data) {
		switch c := data[i]; {
		case c <= ' ':
		case urlSafe && c == '-':
			out = append(out, '+')
		case urlSafe && c == '_':
			out = append(out, '/')
		default:
			out = append(out, c)
		}
	}
	if n := len(out); n == 0 {
		return "", true
	} else if n%4 > 1 && out[n-1] != '=' {
		out = append(out, "=="[n%4-2:]...)
	}
	text := string(out)
	return text, isCanonical(text)
}

// isCanonical reports whether text is standard base64 as an encoder writes it:
// padded, without white space and without bits too many. An empty text is not.
func isCanonical(text string) bool {
	if text == "" || len(text)%4 != 0 {
		return false
	}
	body := strings.TrimSuffix(strings.TrimSuffix(text, "="), "=")
	var seen byte
	rest := body
	for len(rest) >= 8 {
		seen |= sextets[rest[0]] | sextets[rest[1]] | sextets[rest[2]] | sextets[rest[3]] |
			sextets[rest[4]] | sextets[rest[5]] | sextets[rest[6]] | sextets[rest[7]]
		rest = rest[8:]
	}
	for i := range len(rest) {
		seen |= sextets[rest[i]]
	}
	if seen&other != 0 {
		return false
	}
	last := sextets[body[len(body)-1]]
	switch len(text) - len(body) {
	case 1:
		return last&0x03 == 0
	case 2:
		return last&0x0f == 0
	}
	return true
}
