package ids

import "strings"

// maxNative is the longest id of a native form that stays (R-B17, AN-08).
const maxNative = 64

// isNativeAnthropic reports whether id is toolu_ and letters, digits or '_'
//
func isNativeAnthropic(id string) bool {
	tail, ok := strings.CutPrefix(id, "toolu_")
	return ok && tail != "" && len(id) <= maxNative &&
		only(tail, func(c byte) bool { return isAlphanumeric(c) || c == '_' })
}

// isNativeOpenAI reports whether id is call_ and letters, digits, '_' or '-'
//
func isNativeOpenAI(id string) bool {
	tail, ok := strings.CutPrefix(id, "call_")
	return ok && tail != "" && len(id) <= maxNative && only(tail, isWireByte)
}

// isKimi reports whether id has Kimi's native form functions.NAME:N (D-24).
func isKimi(id string) bool {
	tail, ok := strings.CutPrefix(id, "functions.")
	name, number, colon := strings.Cut(tail, ":")
	return ok && colon && name != "" && number != "" && only(name, isWireByte) && only(number, isDigit)
}

func isShortKimi(id string) bool { return len(id) <= maxNative && isKimi(id) }

// isWire reports whether id is 1 to limit letters, digits, '_' or '-'.
func isWire(id string, limit int) bool {
	return id != "" && len(id) <= limit && only(id, isWireByte)
}

func only(s string, f func(byte) bool) bool {
	for i := range len(s) {
		if !f(s[i]) {
			return false
		}
	}
	return true
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isAlphanumeric(c byte) bool {
	return isDigit(c) || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func isWireByte(c byte) bool { return isAlphanumeric(c) || c == '_' || c == '-' }

// alphanumerics returns s without everything that is no letter or digit.
func alphanumerics(s string) string {
	return strings.Map(func(c rune) rune {
		if c < 0x80 && isAlphanumeric(byte(c)) {
			return c
		}
		return -1
	}, s)
}
