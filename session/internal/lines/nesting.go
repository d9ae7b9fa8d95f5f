package lines

import "hygeia/internal/jsonline"

// nesting follows JSON text just far enough to know what stands in a string and
// where the outermost value ends. It takes the text in pieces.
type nesting struct {
	depth           int
	quoted, escaped bool
}

// step takes one byte and reports whether the outermost value ends with it.
func (s *nesting) step(c byte) bool {
	switch {
	case s.escaped:
		s.escaped = false
	case s.quoted:
		s.escaped, s.quoted = c == '\\', c != '"'
	case c == '"':
		s.quoted = true
	case c == '{' || c == '[':
		s.depth++
	case c == '}' || c == ']':
		s.depth--
		return s.depth <= 0
	}
	return false
}

// end takes text and returns the offset behind the end of the outermost value,
// -1 when that is not in it.
func (s *nesting) end(text []byte) int {
	for i, c := range text {
		if s.step(c) {
			return i + 1
		}
	}
	return -1
}

// escapeControls returns text on one line, with the control characters inside
// its strings escaped (D-18). A NUL stands for bytes that were never written and
// stays.
func escapeControls(text []byte) []byte {
	out := make([]byte, 0, len(text)+len(text)/16+16)
	var s nesting
	from := 0
	for i, c := range text {
		switch {
		case c == '\n' && !s.quoted:
			out = append(append(out, text[from:i]...), ' ')
			from = i + 1
		case s.quoted && !s.escaped && c < ' ' && c != 0:
			// Quoting the character alone gives its escape in quotes.
			escape := jsonline.Quote(string(rune(c)))
			out = append(append(out, text[from:i]...), escape[1:len(escape)-1]...)
			from = i + 1
		}
		s.step(c)
	}
	return append(out, text[from:]...)
}
