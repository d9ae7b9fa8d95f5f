package jsonline

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"
)

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
