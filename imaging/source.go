package imaging

import "unsafe"

// readOnly returns the bytes of a text, for functions that only read them.
func readOnly(text string) []byte { return unsafe.Slice(unsafe.StringData(text), len(text)) }

// textOf returns bytes that nobody changes any more as a text.
func textOf(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// source gives the bytes behind canonical base64 one by one, so that a header is
// read without decoding the picture. Bytes beyond the end are zero.
type source string

// size returns the number of bytes.
func (s source) size() int {
	n := len(s) / 4 * 3
	for i := len(s) - 1; i >= 0 && i >= len(s)-2 && s[i] == '='; i-- {
		n--
	}
	return n
}

func (s source) at(i int) byte {
	q := i/3*4 + i%3
	if i < 0 || q+1 >= len(s) || s[q+1] == '=' {
		return 0
	}
	a, b := sextets[s[q]], sextets[s[q+1]]
	shift := 2 * (i % 3)
	return a<<(2+shift) | b>>(4-shift)
}

func (s source) be16(i int) int { return int(s.at(i))<<8 | int(s.at(i+1)) }
func (s source) be32(i int) int { return s.be16(i)<<16 | s.be16(i+2) }
func (s source) le16(i int) int { return int(s.at(i)) | int(s.at(i+1))<<8 }
func (s source) le24(i int) int { return s.le16(i) | int(s.at(i+2))<<16 }
func (s source) le32(i int) int { return s.le16(i) | s.le16(i+2)<<16 }

// has reports whether the bytes at i are those of magic; "?" is any byte.
func (s source) has(i int, magic string) bool {
	for k := range len(magic) {
		if magic[k] != '?' && s.at(i+k) != magic[k] {
			return false
		}
	}
	return true
}
