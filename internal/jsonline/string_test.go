package jsonline

import (
	"strings"
	"testing"
)

// TestStringWherever holds that a string is read alike wherever in the words that
// a scan looks at something stands, what only looks like a match behind a real one
// (`"#`, `\]`) included.
func TestStringWherever(t *testing.T) {
	escapes := []string{`\"`, `\\`, `\/`, `\b`, `\f`, `\n`, `\r`, `\t`, `\u0041`, `\u0000`, `\ud83d\ude00`, `\ud83d`, `\x`, `\u00`, `\`}
	pieces := escapes
	for c := range 256 {
		pieces = append(pieces, string([]byte{byte(c)}))
	}
	followers := []string{"", "#", "]", "!", "é", "\x80", `\\`, `\n#`, `\u0020]`, "\t", " "}
	for before := range 18 {
		for _, piece := range pieces {
			for _, behind := range followers {
				text := `"` + strings.Repeat("x", before) + piece + behind + strings.Repeat("y", 18-before) + `"`
				checkString(t, text)
			}
		}
	}
}

func checkString(t *testing.T, text string) {
	t.Helper()
	if want := standard(text); want != Valid([]byte(text)) {
		t.Fatalf("%q: standard library %v, want the same of the scanner", text, want)
	}
	var s Scanner
	end, err := s.Scan([]byte(text+" "), Options{InvalidUTF8: true})
	if want := string(naive(text)); err == nil != (want != "") {
		t.Fatalf("%q: %v", text, err)
	}
	if err != nil {
		return
	}
	want := naive(text)
	if n := s.Nodes[0]; string(text[n.Start:n.End]) != string(want) || end < len(want) {
		t.Fatalf("%q: ends at %d", text, n.End)
	}
	flags := Flags(0)
	for _, c := range want {
		if c == '\\' {
			flags |= FlagEscaped
		}
		if c >= 0x80 {
			flags |= FlagNonASCII
		}
	}
	if got := s.Nodes[0].Flags & (FlagEscaped | FlagNonASCII); got != flags {
		t.Fatalf("%q: flags %b, want %b", text, got, flags)
	}
}

// naive returns the string that text begins with, byte by byte, nil for none.
func naive(text string) []byte {
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			return []byte(text[:i+1])
		case c < ' ':
			return nil
		case c == '\\':
			i++
			if i == len(text) || !strings.ContainsRune(`"\/bfnrtu`, rune(text[i])) {
				return nil
			}
			if text[i] == 'u' && (len(text) < i+5 || strings.Trim(text[i+1:i+5], "0123456789abcdefABCDEF") != "") {
				return nil
			}
		}
	}
	return nil
}
