package payload_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"hygeia/hygiene"
	"hygeia/payload"
	"hygeia/policy"
)

// W-216: the output limit grows by the budget, up to the model's own.
func TestThinkingBudget(t *testing.T) {
	for _, c := range []struct{ tokens, budget, limit, grown, fits int }{
		{4096, 2048, 0, 6144, 2048},
		{4096, 2048, 64000, 6144, 2048},
		{30000, 8192, 32000, 32000, 8192},
		{512, 2048, 2048, 2048, 1024},
		{100, 4000, 1500, 1500, 1024},
		{1, 1024, 0, 1025, 1024},
		{1, 1024, 1024, 1, 0},
		{100, 2048, 1000, 100, 0},
	} {
		if grown, fits := payload.ThinkingBudget(c.tokens, c.budget, c.limit); grown != c.grown || fits != c.fits {
			t.Errorf("%+v: %d, %d", c, grown, fits)
		}
	}
}

// AN-21: a budget that is given fits below the limit, which is the model's at
// most where the caller's is.
func TestPropertyThinkingBudget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tokens, limit := rapid.IntRange(1, 4000).Draw(t, "tokens"), rapid.IntRange(0, 4000).Draw(t, "limit")
		grown, fits := payload.ThinkingBudget(tokens, rapid.IntRange(payload.MinThinkingBudget, 8000).Draw(t, "budget"), limit)
		if fits != 0 && (fits < payload.MinThinkingBudget || fits >= grown) || limit > 0 && grown > max(limit, tokens) {
			t.Fatalf("a budget of %d below %d", fits, grown)
		}
	})
}

// W-104: a body that the target does not take is told of.
func TestNoteSize(t *testing.T) {
	for _, c := range []struct {
		limit, size int
		told        bool
	}{{0, 100, false}, {100, 100, false}, {100, 101, true}} {
		in := &payload.Input{Policy: &policy.Policy{}, Report: &hygiene.Report{}}
		in.Policy.Wire.MaxBodyBytes = c.limit
		in.NoteSize(make([]byte, c.size))
		if told := strings.Contains(strings.Join(in.Report.Notes, " "), "101 bytes"); told != c.told {
			t.Errorf("%+v: %v", c, in.Report.Notes)
		}
	}
}
