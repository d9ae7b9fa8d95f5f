package jsonline_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"hygeia/internal/jsonline"
)

// TestPropertySpelled holds that what is asked of a string as it is spelled is
// answered as of its text.
func TestPropertySpelled(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.SampledFrom([]string{
			" ", `\n`, `\t`, `\b`, `\u0020`, `\u00a0`, `\ud800`, `\u2003`, "\u00a0", "\u3000", "a", "b", `\u0061`, `\"`, "é", `\u00e9`, "\xff",
		}), 0, 4)
		text := func(name string) jsonline.Value {
			return jsonline.Parse([]byte(`"` + strings.Join(parts.Draw(t, name), "") + `"`))
		}
		v, w := text("v"), text("w")
		if !v.IsString() || !w.IsString() {
			t.Fatal("not read")
		}
		if got, want := v.Blank(), strings.TrimSpace(v.String()) == ""; got != want {
			t.Errorf("%s: blank %v, want %v", v.Raw, got, want)
		}
		if got, want := v.Is(w.String()), v.String() == w.String(); got != want {
			t.Errorf("%s is %q: %v, want %v", v.Raw, w.String(), got, want)
		}
		if !v.Is(v.String()) {
			t.Errorf("%s is not itself", v.Raw)
		}
	})
}

// An array of which no element changes is the same bytes; of a changed one the other
// elements keep their spelling, and those that are gone leave no comma.
func TestMapElements(t *testing.T) {
	odd := func(v jsonline.Value) jsonline.Value {
		switch string(v.Raw) {
		case `"gone"`:
			return jsonline.Value{}
		case "1":
			return jsonline.Text("one")
		}
		return v
	}
	for in, want := range map[string]string{
		`[ 1.0, {"a" : 2} ]`:         `[ 1.0, {"a" : 2} ]`,
		`[]`:                         `[]`,
		`{"a":1}`:                    `{"a":1}`,
		`[1, {"a" : 2}]`:             `["one",{"a" : 2}]`,
		`["gone",2,"gone",3,"gone"]`: `[2,3]`,
		`["gone"]`:                   `[]`,
	} {
		v := jsonline.Parse([]byte(in))
		got, changed := v.MapElements(odd)
		if string(got.Raw) != want || changed != (in != want) || got.Kind != v.Kind {
			t.Errorf("%s becomes %s, changed %v", in, got.Raw, changed)
		}
	}
}
