package jsonline

import (
	"encoding/json"
	"testing"
	"unicode/utf8"
)

func FuzzScan(f *testing.F) {
	for _, s := range []string{`{"a":[1,2,{"b":"c\n"}],"a":null}`, `"\ud83d\ude00"`, `"\ud83d"`, `-0.5e+7`, `[]`, `{}`, ` [ ] `, `"`, `{"a"`, `[1,`, "\"\xff\"", `tru`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		want := json.Valid(b) && utf8.Valid(b)
		if got := Valid(b); got != want {
			t.Fatalf("Valid(%q)=%v want %v", b, got, want)
		}
		if want {
			o := Parse(b)
			if o.Kind == String {
				var s string
				if json.Unmarshal(b, &s) == nil && o.Flags&FlagLoneSurrogate == 0 && s != o.String() {
					t.Fatalf("%q: %q %q", b, s, o.String())
				}
			}
		}
	})
}
