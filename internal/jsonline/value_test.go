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
