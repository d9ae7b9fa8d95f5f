package ids

import (
	"regexp"
	"testing"

	"pgregory.net/rapid"

	"hygeia/policy"
)

var legal = map[string]struct {
	policy policy.Policy
	form   *regexp.Regexp
}{
	"strict":  {pStrict, regexp.MustCompile(`^[A-Za-z0-9]{1,40}$`)},
	"strict9": {pStrict9, regexp.MustCompile(`^[A-Za-z0-9]{9}$`)},
	"native":  {pNative, regexp.MustCompile(`^([A-Za-z0-9]{1,40}|toolu_[A-Za-z0-9_]{1,58})$`)},
	"kimi":    {pKimi, regexp.MustCompile(`^([A-Za-z0-9]{1,40}|call_[A-Za-z0-9_-]{1,59}|functions\.[A-Za-z0-9_-]+:\d+)$`)},
	"wire":    {pWire, regexp.MustCompile(`^[A-Za-z0-9_-]{1,40}$`)},
}

var someID = rapid.OneOf(
	rapid.SampledFrom([]string{
		"call_1", "call-1", "call1", "call12", "call_1|fc_1", "call_1|fc_2", "toolu_1", "toolu1", "functions.f:0", "functionsf0",
		"abcdefghi", "abcdefghi1", "a", "_", "|", "ü", "78d66c1f7",
	}),
	rapid.StringMatching(`[a-b_|:.-]{1,4}`),
	rapid.StringMatching(`x{38,70}[a-c]`),
)

// W-172, W-174: legal, unique, equal on call and result
// (which rename checks).
func TestLegalAndUnique(t *testing.T) {
	for name, c := range legal {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				raw := rapid.SliceOfN(someID, 0, 12).Draw(rt, "ids")
				got := rename(t, &c.policy, raw)
				unique(rt, got)
				for i, id := range got {
					if !c.form.MatchString(id) {
						rt.Errorf("%q became %q, which is not legal", raw[i], id)
					}
				}
			})
		})
	}
}

// G-5: calls that are appended do not change the ids of earlier ones.
func TestAppend(t *testing.T) {
	for name, c := range legal {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				raw := rapid.SliceOfN(someID, 1, 12).Draw(rt, "ids")
				front := rename(t, &c.policy, raw[:rapid.IntRange(0, len(raw)).Draw(rt, "cut")])
				for i, id := range rename(t, &c.policy, raw)[:len(front)] {
					if front[i] != id {
						rt.Errorf("%q became %q, and %q once more turns followed", raw[i], front[i], id)
					}
				}
			})
		})
	}
}

// D-09: without the front of a session the ids of the rest stay what they were,
// where no two calls want the same id.
func TestTrim(t *testing.T) {
	for name, c := range legal {
		t.Run(name, func(t *testing.T) {
			alone := func(id string) string { return rename(t, &c.policy, []string{id})[0] }
			rapid.Check(t, func(rt *rapid.T) {
				raw := rapid.SliceOfNDistinct(someID, 1, 12, alone).Draw(rt, "ids")
				cut := rapid.IntRange(0, len(raw)).Draw(rt, "cut")
				full := rename(t, &c.policy, raw)
				for i, id := range rename(t, &c.policy, raw[cut:]) {
					if full[cut+i] != id {
						rt.Errorf("%q became %q, and %q behind %q", raw[cut+i], id, full[cut+i], raw[:cut])
					}
				}
			})
		})
	}
}
