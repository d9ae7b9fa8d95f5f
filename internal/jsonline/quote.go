package jsonline

import (
	"encoding/binary"
	"math/bits"
	"strconv"
	"unicode/utf8"
	"unsafe"
)

// Quote returns s as a JSON string.
func Quote(s string) []byte {
	return AppendQuoted(make([]byte, 0, len(s)+2), s)
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

// AppendInt appends n as a JSON number.
func AppendInt(dst []byte, n int64) []byte { return strconv.AppendInt(dst, n, 10) }
