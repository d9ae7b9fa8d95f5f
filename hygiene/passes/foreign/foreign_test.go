package foreign

import (
	"testing"

	"pgregory.net/rapid"

	"hygeia/hygiene"
	"hygeia/hygiene/passes/shapes"
	"hygeia/internal/casetest"
	"hygeia/internal/gen"
	"hygeia/policy"
	"hygeia/transcript"
)

var claude = &policy.Policy{AnthropicFamily: true, SignatureHygiene: true}

func TestCases(t *testing.T) { casetest.Run(t, Pass) }

func TestCheap(t *testing.T) { casetest.Cheap(t, claude, Pass) }

func BenchmarkClean(b *testing.B) { casetest.Benchmark(b, claude, Pass) }

// R-124, G-2: whatever the history, no thinking of a turn with another route
// goes out, and a second run changes nothing.
func TestNothingForeignLeft(t *testing.T) {
	passes := []*hygiene.Pass{shapes.Pass, Pass}
	target := policy.Target{Provider: "anthropic", API: "anthropic-messages", Model: "claude-sonnet-4-5"}
	rapid.Check(t, func(rt *rapid.T) {
		p := *claude
		p.ForeignThinking = rapid.SampledFrom([]policy.ForeignThinking{policy.ForeignDrop, policy.ForeignText}).Draw(rt, "foreign thinking")
		c := gen.Context(rt)
		res := hygiene.Sanitize(c, target, &p, passes)
		for _, m := range res.Messages {
			if m.Is(transcript.Assistant) && m.Model() != "" && m.Model() != target.Model && m.HasThinking() {
				rt.Fatalf("thinking of %s is left: %s", m.Model(), m.AppendJSON(nil))
			}
		}
		casetest.Declared(rt, &res.Report, passes)
		again := *c
		again.Messages = res.Messages
		if second := hygiene.Sanitize(&again, target, &p, passes); !second.Report.Empty() {
			rt.Fatalf("a second run changes the output:\n%s", casetest.Changes(&second.Report))
		}
	})
}
