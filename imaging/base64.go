package imaging

import (
	"strings"

	"github.com/segmentio/asm/base64"
)

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

// spelling is what image data means.
type spelling struct {
	data  string // canonical base64, "" for no data at all
	named string // media type of a data URL
	rule  string // what makes another spelling of it legal, "" if data is as stored
}

// canonical reads image data in any spelling that means one thing (I-13, I-B03,
// W-103): white space, a data URL, the URL-safe alphabet and missing padding are
// accepted; mixed alphabets, spare bits and padding inside are not.
func canonical(stored string) (s spelling, ok bool) {
	if isCanonical(stored) {
		return spelling{data: stored}, true
	}
	s.rule = "W-103"
	data := strings.TrimFunc(stored, func(c rune) bool { return c <= ' ' })
	if isDataURL(data) {
		s.rule = "I-B03"
		if data, s.named, ok = cutDataURL(data); !ok {
			return spelling{}, false
		}
	}
	if strings.ContainsAny(data, "-_") {
		s.rule = "I-B03"
	}
	s.data, ok = plain(data)
	return s, ok
}

func isDataURL(s string) bool { return len(s) >= 5 && strings.EqualFold(s[:5], "data:") }

// cutDataURL returns the data and the media type of a data URL. It is not ok
// without the mark of base64.
func cutDataURL(url string) (data, mediaType string, ok bool) {
	head, data, found := strings.Cut(url[len("data:"):], ",")
	i := strings.LastIndexByte(head, ';')
	if !found || i < 0 || !strings.EqualFold(strings.TrimSpace(head[i+1:]), "base64") {
		return "", "", false
	}
	mediaType, _, _ = strings.Cut(head[:i], ";")
	return data, strings.TrimSpace(mediaType), true
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
		case sextets[c] == other && c != '=':
			return "", false
		default:
			out = append(out, c)
		}
	}
	if n := len(out); n == 0 {
		return "", true
	} else if n%4 > 1 && out[n-1] != '=' {
		out = append(out, "=="[n%4-2:]...)
	}
	text := textOf(out)
	return text, isCanonical(text)
}

// scratch are buffers for what is decoded only to see whether it can be.
var scratch = make(chan *[chunk]byte, 16)

const chunk = 6 << 10 // bytes, a multiple of 3

// isCanonical reports whether text is standard base64 as an encoder writes it:
// padded, without white space and without bits too many. An empty text is not.
func isCanonical(text string) bool {
	if text == "" || len(text)%4 != 0 {
		return false
	}
	body := len(text) - 4
	var buf *[chunk]byte
	select {
	case buf = <-scratch:
	default:
		buf = new([chunk]byte)
	}
	defer func() {
		select {
		case scratch <- buf:
		default:
		}
	}()
	for at := 0; at < body; at += chunk / 3 * 4 {
		part := text[at:min(at+chunk/3*4, body)]
		// The decoder skips line breaks, which makes the result too short.
		if n, err := base64.StdEncoding.Decode(buf[:], readOnly(part)); err != nil || n != len(part)/4*3 {
			return false
		}
	}
	return isLastQuad(text[body:])
}

// isLastQuad reports whether the four last characters are as an encoder writes
// them.
func isLastQuad(quad string) bool {
	body := strings.TrimSuffix(strings.TrimSuffix(quad, "="), "=")
	var seen byte
	for i := range len(body) {
		seen |= sextets[body[i]]
	}
	last := sextets[body[len(body)-1]]
	spare := [...]byte{0, 0x03, 0x0f}[len(quad)-len(body)]
	return seen&other == 0 && last&spare == 0
}

// decodeAll returns the bytes behind canonical base64.
func decodeAll(text string) ([]byte, error) {
	b := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
	n, err := base64.StdEncoding.Decode(b, readOnly(text))
	return b[:n], err
}

// Encode returns a file in the form in which messages carry pictures.
func Encode(file []byte) string { return base64.StdEncoding.EncodeToString(file) }

// Corrupt reports whether stored image data is no base64 at all, in no spelling
// that any decoder reads: only that may be replaced in a stored session (F-55,
// F-B21). Data that is merely ambiguous, empty, in an unknown format, or has padding
// that it does not need is left to the copy that goes out.
func Corrupt(stored string) bool {
	data := strings.TrimFunc(stored, func(c rune) bool { return c <= ' ' })
	if isDataURL(data) {
		var ok bool
		if data, _, ok = cutDataURL(data); !ok {
			return true
		}
	}
	n, padding := 0, 0
	for i := range len(data) {
		switch c := data[i]; {
		case c <= ' ':
		case c == '=':
			padding++
		case padding > 0 || sextets[c] == other && c != '-' && c != '_':
			return true
		default:
			n++
		}
	}
	return n%4 == 1 || n == 0 && padding > 0
}
