package jsonline

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
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
