package jsonline

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestAppendQuoted compares quoting with another decoder, around the eight
// bytes that it looks at together, and holds that it escapes no more than JSON
// demands.
func TestAppendQuoted(t *testing.T) {
	piece := rapid.SampledFrom([]string{"plain text ", `"`, `\`, "\n", "\x00", "\x1f", " ", "é", "☕", "\U0001F600", "\x80", "\xff", "\xe2\x98", "\u2028", "\x7f"})
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(piece, 0, 12).Draw(t, "pieces"), "")
		quoted := AppendQuoted([]byte("x"), s)
		if string(quoted) != string(AppendQuoted([]byte("x"), []byte(s))) {
			t.Fatal("a string and its bytes are quoted differently")
		}
		var got string
		if err := json.Unmarshal(quoted[1:], &got); err != nil || got != string([]rune(s)) {
			t.Fatalf("%q became %q: %v", s, quoted, err)
		}
		needed := 2 * strings.Count(s, `\`)
		for _, c := range []string{`"`, "\n", "\x00", "\x1f"} {
			needed += strings.Count(s, c)
		}
		if n := strings.Count(string(quoted), `\`); n != needed {
			t.Fatalf("%q has %d backslashes, needs %d", quoted, n, needed)
		}
	})
}

// TestDecode compares decoded strings with another decoder, around escapes and what
// is no ASCII, and holds that AppendString appends the same.
func TestDecode(t *testing.T) {
	piece := rapid.SampledFrom([]string{"plain text ", `\"`, `\\`, `\n`, `\/`, `\u0000`, `\u00e9`, "é", "☕", "\U0001F600", `\ud83d\ude00`, "\xff", "\xe2\x98", " "})
	rapid.Check(t, func(t *rapid.T) {
		raw := `"` + strings.Join(rapid.SliceOfN(piece, 0, 12).Draw(t, "pieces"), "") + `"`
		var want string
		if err := json.Unmarshal([]byte(raw), &want); err != nil {
			t.Fatal(err)
		}
		v := Parse([]byte(raw))
		if got := v.String(); got != want {
			t.Fatalf("%q became %q, want %q", raw, got, want)
		}
		if got := string(v.AppendString([]byte("x"))); got != "x"+want {
			t.Fatalf("%q became %q", raw, got)
		}
	})
	if got := string(Parse([]byte("1")).AppendString([]byte("x"))); got != "x" {
		t.Error(got)
	}
}
