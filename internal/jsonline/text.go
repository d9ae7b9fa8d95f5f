package jsonline

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"
)

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// stops returns the high bits of the bytes of w that do not stand for themselves
// in a string: quotes, backslashes and control characters. A byte above one of
// them may be said to be one, too. With its second bit turned a quote is the
// space, behind which no control character is.
func stops(w uint64) uint64 {
	return ((w ^ ones*('"'^' ') - ones*(' '+1)) | (w ^ ones*'\\' - ones)) &^ w & highs
}

// scanString checks the string that opens at src[i] and returns the offset
// behind its closing quote. It looks at eight bytes at a time, at fixed distances
// where it can: to begin anew behind each escape would make every look wait for
// the one before.
func scanString(src []byte, i int, invalidUTF8 bool) (int, Flags, error) {
	start := i
	i++
	var flags Flags
	var seen uint64
words:
	for i+9 <= len(src) {
		// Eight bytes, and the one behind them for an escape that begins in the last.
		window := (*[9]byte)(src[i:])
		w := binary.LittleEndian.Uint64(window[:8])
		for stop := stops(w); stop != 0; {
			n := bits.TrailingZeros64(stop) / 8 & 7
			switch c := window[n]; {
			case c == '\\' && short[window[n+1]]:
				flags |= FlagEscaped
				if n == 7 {
					seen |= w
					i += 9
					continue words
				}
				stop &^= 1<<(8*n+16) - 1
			case c == '"':
				return endString(src, start, i+n, flags, seen|w&(1<<(8*n)-1), invalidUTF8)
			case c == '\\':
				size, f, err := scanEscape(src, i+n)
				if err != nil {
					return start, 0, err
				}
				flags |= FlagEscaped | f
				seen |= w & (1<<(8*n) - 1)
				i += n + size
				continue words
			case c < 0x20:
				return start, 0, &SyntaxError{Offset: i + n, Reason: "control character in a string"}
			default: // only looks like one, behind a real one
				stop &= stop - 1
			}
		}
		seen |= w
		i += 8
	}
	for i < len(src) {
		switch c := src[i]; {
		case c == '"':
			return endString(src, start, i, flags, seen, invalidUTF8)
		case c == '\\':
			n, f, err := scanEscape(src, i)
			if err != nil {
				return start, 0, err
			}
			flags |= FlagEscaped | f
			i += n
		case c < 0x20:
			return start, 0, &SyntaxError{Offset: i, Reason: "control character in a string"}
		default:
			seen |= uint64(c)
			i++
		}
	}
	return start, 0, &SyntaxError{Offset: len(src), Reason: "unexpected end of a string", Truncated: true}
}

// plainByte tells the bytes that stand for themselves in a string, and are ASCII.
var plainByte = func() (is [256]bool) {
	for c := range is {
		is[c] = ' ' <= c && c < utf8.RuneSelf && c != '"' && c != '\\'
	}
	return is
}()

// endString returns what scanString does for a string that opens at src[start]
// and closes at src[end]. seen holds the high bits of what is between.
func endString(src []byte, start, end int, flags Flags, seen uint64, invalidUTF8 bool) (int, Flags, error) {
	if seen&highs == 0 {
		return end + 1, flags, nil
	}
	flags |= FlagNonASCII
	if utf8.Valid(src[start:end]) {
		return end + 1, flags, nil
	}
	if !invalidUTF8 {
		return start, 0, &SyntaxError{Offset: start + badByte(src[start:end]), Reason: "invalid UTF-8"}
	}
	return end + 1, flags | FlagInvalidUTF8, nil
}

// short are the characters that make an escape of two.
var short = [256]bool{'"': true, '\\': true, '/': true, 'b': true, 'f': true, 'n': true, 'r': true, 't': true}

// badByte returns the offset of the first byte that is not UTF-8.
func badByte(b []byte) int {
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n <= 1 {
			return i
		}
		i += n
	}
	return len(b)
}

// scanEscape checks the escape at src[i], both halves of a surrogate pair
// included, and returns its length.
func scanEscape(src []byte, i int) (int, Flags, error) {
	if i+1 >= len(src) {
		return 0, 0, &SyntaxError{Offset: i + 1, Reason: "unexpected end of a string", Truncated: true}
	}
	switch src[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2, 0, nil
	case 'u':
	default:
		return 0, 0, &SyntaxError{Offset: i + 1, Reason: "unknown escape"}
	}
	u, n := hex4(src[i+2:])
	if n < 4 {
		return 0, 0, &SyntaxError{Offset: i + 2 + n, Reason: "expected four hex digits", Truncated: i+2+n >= len(src)}
	}
	switch {
	case u == 0:
		return 6, FlagNUL, nil
	case !utf16.IsSurrogate(u):
		return 6, 0, nil
	case pairAt(src, i) != utf8.RuneError:
		return 12, 0, nil
	}
	return 6, FlagLoneSurrogate, nil
}

// pairAt returns the character of the two escapes at src[i], or RuneError when
// they are no surrogate pair.
func pairAt(src []byte, i int) rune {
	if i+12 > len(src) || src[i+6] != '\\' || src[i+7] != 'u' {
		return utf8.RuneError
	}
	hi, _ := hex4(src[i+2:])
	lo, n := hex4(src[i+8:])
	if n < 4 {
		return utf8.RuneError
	}
	return utf16.DecodeRune(hi, lo)
}

// hex4 reads up to four hex digits and returns how many there were.
func hex4(b []byte) (rune, int) {
	var r rune
	for n := range 4 {
		if n >= len(b) {
			return 0, n
		}
		c := b[n]
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, n
		}
		r = r<<4 | rune(c)
	}
	return r, 4
}

// decode returns the text of a valid JSON string without its quotes. A string
// without escapes shares the bytes of raw, which nobody changes.
func decode(raw []byte, flags Flags) string {
	if flags&(FlagEscaped|FlagInvalidUTF8) == 0 {
		return unsafe.String(unsafe.SliceData(raw), len(raw))
	}
	dst := appendDecoded(make([]byte, 0, len(raw)), raw, flags)
	return unsafe.String(unsafe.SliceData(dst), len(dst))
}

// appendDecoded appends what decode returns. What stands between escapes is copied
// as it is, unless it is no UTF-8.
func appendDecoded(dst, raw []byte, flags Flags) []byte {
	for i := 0; i < len(raw); {
		plain := bytes.IndexByte(raw[i:], '\\')
		if plain < 0 {
			plain = len(raw) - i
		}
		if flags&FlagInvalidUTF8 == 0 {
			dst = append(dst, raw[i:i+plain]...)
		} else {
			for _, r := range string(raw[i : i+plain]) {
				dst = utf8.AppendRune(dst, r)
			}
		}
		if i += plain; i < len(raw) {
			var n int
			dst, n = appendUnescaped(dst, raw, i)
			i += n
		}
	}
	return dst
}

// appendUnescaped decodes the escape at raw[i] and returns its length. A lone
// surrogate gives nothing (W-120).
func appendUnescaped(dst, raw []byte, i int) ([]byte, int) {
	switch c := raw[i+1]; c {
	case 'b':
		return append(dst, '\b'), 2
	case 'f':
		return append(dst, '\f'), 2
	case 'n':
		return append(dst, '\n'), 2
	case 'r':
		return append(dst, '\r'), 2
	case 't':
		return append(dst, '\t'), 2
	case 'u':
	default:
		return append(dst, c), 2
	}
	u, _ := hex4(raw[i+2:])
	if !utf16.IsSurrogate(u) {
		return utf8.AppendRune(dst, u), 6
	}
	if r := pairAt(raw, i); r != utf8.RuneError {
		return utf8.AppendRune(dst, r), 12
	}
	return dst, 6
}

// AppendQuoted appends s as a JSON string. Bytes that are not UTF-8 become
// U+FFFD; nothing else is changed or escaped beyond what JSON demands.
func AppendQuoted[T string | []byte](dst []byte, s T) []byte {
	// Both kinds begin with a pointer and a length, so no copy is needed.
	text := *(*string)(unsafe.Pointer(&s))
	return appendQuoted(dst, unsafe.Slice(unsafe.StringData(text), len(text)))
}

func appendQuoted(dst, s []byte) []byte {
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); {
		if i += plain(s[i:]); i == len(s) {
			break
		}
		c := s[i]
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRune(s[i:])
			if r != utf8.RuneError || n > 1 {
				i += n
				continue
			}
			dst = append(append(dst, s[from:i]...), "\uFFFD"...)
		} else {
			dst = appendEscape(append(dst, s[from:i]...), c)
		}
		i++
		from = i
	}
	return append(append(dst, s[from:]...), '"')
}

// plain returns how many bytes at the start of s go into a JSON string as they
// are. It looks at eight bytes at a time.
func plain(s []byte) int {
	i := 0
	for ; i+8 <= len(s); i += 8 {
		w := binary.LittleEndian.Uint64(s[i:])
		if stop := stops(w) | w&highs; stop != 0 {
			return i + bits.TrailingZeros64(stop)/8
		}
	}
	for i < len(s) && s[i] >= 0x20 && s[i] != '"' && s[i] != '\\' && s[i] < utf8.RuneSelf {
		i++
	}
	return i
}

func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	const hex = "0123456789abcdef"
	return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
}

// Quote returns s as a JSON string.
func Quote(s string) []byte {
	return AppendQuoted(make([]byte, 0, len(s)+2), s)
}

// AppendInt appends n as a JSON number.
func AppendInt(dst []byte, n int64) []byte { return strconv.AppendInt(dst, n, 10) }
