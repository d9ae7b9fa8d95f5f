package shapes

import (
	"testing"

	"hygeia/hygiene"
	"hygeia/hygiene/passes/internal/passtest"
	"hygeia/internal/casetest"
	"hygeia/internal/jsonline"
	"hygeia/policy"
)

func TestCases(t *testing.T) { casetest.Run(t, Pass) }

func TestRandom(t *testing.T) { passtest.Attack(t, &policy.Policy{}, Pass) } // G-2, G-3, G-4

func TestStable(t *testing.T) { passtest.Stable(t, &policy.Policy{}, Pass) } // G-5

func TestCleanIsFree(t *testing.T) { passtest.Free(t, Pass, &policy.Policy{}, 4) } // G-6

func BenchmarkClean(b *testing.B) { passtest.Bench(b, Pass, &policy.Policy{}) }

// The steps find nothing in a message that is taken for canonical.
func TestCanonical(t *testing.T) {
	always := *Pass
	always.Run = func(r *hygiene.Run) {
		for i := range r.Len() {
			if r.At(i).IsObject() && canonical(r.At(i)) {
				for _, step := range steps {
					step(r, i)
				}
			}
		}
	}
	passtest.Unchanged(t, &policy.Policy{}, &always)
}

// W-120: what is taken out of a string as it is spelled, and what stays.
func TestWithout(t *testing.T) {
	for raw, want := range map[string]string{
		`"\ud83d\ude80"`:     `"\ud83d\ude80"`,
		`"\uDBFF\uDFFF"`:     `"\uDBFF\uDFFF"`,
		`"\ud83d"`:           `""`,
		`"\ud83d\nde80"`:     `"\nde80"`,
		`"\ud83dxude80"`:     `"xude80"`,
		`"\ud83d\ud83d"`:     `""`,
		`"\ude80\ud83d"`:     `""`,
		`"\\ud83d"`:          `"\\ud83d"`,
		`"\\\ud83d"`:         `"\\"`,
		`"\u0000\u0001"`:     `"\u0001"`,
		`"\ud7ff\ue000"`:     `"\ud7ff\ue000"`,
		`"é \u00e9 \ufffd"`:  `"é \u00e9 \ufffd"`,
		`"` + "\uFFFD" + `"`: `"` + "\uFFFD" + `"`,
		"\"caf\xe9!\"":       "\"caf\uFFFD!\"",
		"\"\xf0\x9f\x9a\"":   "\"\uFFFD\uFFFD\uFFFD\"",
	} {
		v := jsonline.Parse([]byte(raw))
		n, found := without(v)
		if string(n.Raw) != want || (found != 0) != (raw != want) || n.Flags&odd != 0 && found != 0 {
			t.Errorf("%q: got %q, %v", raw, n.Raw, found)
		}
	}
}
