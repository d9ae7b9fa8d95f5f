package jsonline

import (
	"bytes"
	"iter"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Value is one JSON value in its original spelling. The zero Value is that of
// an absent member.
type Value struct {
	Raw   []byte // never changed
	Kind  Kind
	Flags Flags
}

// Parse returns the value of a whole JSON text, accepting invalid UTF-8. The
// value of a text that is not JSON is absent.
func Parse(raw []byte) Value {
	var s Scanner
	if s.ScanAll(raw, Options{InvalidUTF8: true}) != nil {
		return Value{}
	}
	n := s.Nodes[0]
	return Value{raw[n.Start:n.End], n.Kind, n.Flags &^ FlagClosed}
}

// Text returns a new string value.
func Text(s string) Value {
	var flags Flags
	raw := Quote(s)
	for _, c := range raw {
		if c == '\\' {
			flags |= FlagEscaped
		}
		if c >= utf8.RuneSelf {
			flags |= FlagNonASCII
		}
	}
	return Value{raw, String, flags}
}

// Bool returns a new boolean value.
func Bool(b bool) Value {
	if b {
		return Value{Raw: []byte("true"), Kind: True}
	}
	return Value{Raw: []byte("false"), Kind: False}
}

// Int returns a new number value.
func Int[N int | int64](n N) Value { return Value{Raw: AppendInt(nil, int64(n)), Kind: Number} }

// Exists reports whether the value is present, null included.
func (v Value) Exists() bool { return v.Kind != Invalid }

// IsString reports whether the value is a string.
func (v Value) IsString() bool { return v.Kind == String }

// String returns the text of a string value, without lone surrogates and with
// U+FFFD for bytes that are not UTF-8, and "" for any other value.
func (v Value) String() string {
	if v.Kind != String {
		return ""
	}
	return decode(v.Raw[1:len(v.Raw)-1], v.Flags)
}

// Is reports whether the value is that string. It decodes only what begins like it
// and is spelled with escapes or is no ASCII.
func (v Value) Is(s string) bool {
	if v.Kind != String {
		return false
	}
	raw := v.Raw[1 : len(v.Raw)-1]
	if v.Flags&(FlagEscaped|FlagNonASCII) == 0 {
		return string(raw) == s
	}
	for i := 0; i < len(raw) && raw[i] != '\\' && raw[i] < utf8.RuneSelf; i++ {
		if i == len(s) || raw[i] != s[i] {
			return false
		}
	}
	return v.String() == s
}

// AppendString appends what String returns, so that memory can be used again.
func (v Value) AppendString(dst []byte) []byte {
	if v.Kind != String {
		return dst
	}
	return appendDecoded(dst, v.Raw[1:len(v.Raw)-1], v.Flags)
}

// Bool reports whether the value is true.
func (v Value) Bool() bool { return v.Kind == True }

// Blank reports whether the value is a string that is empty after trimming
// Unicode white space. It decodes no more than the white space.
func (v Value) Blank() bool {
	if v.Kind != String {
		return false
	}
	raw := v.Raw[1 : len(v.Raw)-1]
	for i := 0; i < len(raw); {
		switch c := raw[i]; {
		case c == ' ':
			i++
		case c != '\\' && c < utf8.RuneSelf:
			return false
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRune(raw[i:])
			if !unicode.IsSpace(r) {
				return false
			}
			i += size
		case c == '\\' && strings.IndexByte("tnfr", raw[i+1]) >= 0:
			i += 2
		default: // an escape with digits: rare at the front
			return blankText(decode(raw[i:], v.Flags))
		}
	}
	return true
}

func blankText(s string) bool {
	for _, r := range s {
		if !unicode.IsSpace(r) {
			return false
		}
	}
	return true
}

// Number returns the value as a float64 for comparison. ok is false unless it
// is a number in range.
func (v Value) Number() (f float64, ok bool) {
	if v.Kind != Number {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(v.Raw), 64)
	return f, err == nil
}

// Elements yields the elements of an array value.
func (v Value) Elements() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		if v.Kind != Array {
			return
		}
		var s Scanner
		if s.ScanAll(v.Raw, Options{Depth: 1, InvalidUTF8: true}) != nil {
			return
		}
		for i := uint32(1); int(i) < len(s.Nodes); i = s.Nodes[i].Next {
			if !yield(s.Value(int(i), v.Raw)) {
				return
			}
		}
	}
}

// MapElements returns an array whose elements are what f makes of those of v, without
// those of which it makes an absent value; v itself if nothing is another one.
func (v Value) MapElements(f func(Value) Value) (out Value, changed bool) {
	raw := []byte{'['}
	for old := range v.Elements() {
		e := f(old)
		changed = changed || !bytes.Equal(e.Raw, old.Raw)
		if !e.Exists() {
			continue
		}
		if len(raw) > 1 {
			raw = append(raw, ',')
		}
		raw = append(raw, e.Raw...)
	}
	if !changed {
		return v, false
	}
	return Value{Raw: append(raw, ']'), Kind: Array}, true
}

// Object returns the view of an object value; that of any other value is
// absent.
func (v Value) Object() Object {
	if v.Kind != ObjectKind {
		return Object{}
	}
	return ParseObject(v.Raw)
}

// Value returns the value of node i of a scan of src.
func (s *Scanner) Value(i int, src []byte) Value {
	n := &s.Nodes[i]
	return Value{src[n.Start:n.End:n.End], n.Kind, n.Flags &^ (FlagNameEscaped | FlagClosed)}
}
