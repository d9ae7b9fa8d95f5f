package openaichat_test

import (
	"regexp"
	"testing"

	"hygeia/payload"
	"hygeia/payload/internal/buildtest"
	"hygeia/policy"
)

func TestProperty(t *testing.T) { buildtest.Properties(t, format) }

func TestLinear(t *testing.T) { buildtest.Linear(t, format) }

func FuzzBuild(f *testing.F) { buildtest.Fuzz(f, format) }

func BenchmarkBuild(b *testing.B) { buildtest.Benchmark(b, format) }

var loneText = regexp.MustCompile(`\[\{"type":"text","text":("(?:[^"\\]|\\.)*")\}\]`)

// unlisted is a message with a lone text part as its string (D-21).
func unlisted(message string) string { return loneText.ReplaceAllString(message, "$1") }

// unordered is findings with the policy without what only the passes can see to:
// the form of ids.
func unordered(body []byte, in *payload.Input) []string {
	loose, p := *in, *in.Policy
	p.ToolCallIDForm, p.ToolCallIDMode = policy.IDForm{}, ""
	loose.Policy = &p
	return findings(body, &loose)
}

// carries reports whether a body ends in what is no user turn but looks like one
// when it is read: it ends the tool round, and its reasoning does not go out
// again (W-422).
func carries(in *payload.Input) bool {
	if in.Policy.Wire.ReasoningReplay != policy.ReasoningRound {
		return false
	}
	for _, m := range in.Messages {
		if m.Get("runtimeContextCarrier").Bool() {
			return true
		}
	}
	return in.Report.Counts()["W-406"] > 0
}
