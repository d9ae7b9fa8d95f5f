package casetest

import (
	"fmt"
	"testing"

	"hygeia/hygiene"
	"hygeia/policy"
	"hygeia/transcript"
)

// CleanRoute is the route of [Clean].
var CleanRoute = policy.Target{Provider: "anthropic", API: "anthropic-messages", Model: "claude-opus-4-6"}

// Clean returns about n messages of a session that uses tools and thinks, with
// nothing wrong in it.
func Clean(t testing.TB, n int) []*transcript.Message {
	t.Helper()
	route := fmt.Sprintf(`"provider":%q,"api":%q,"model":%q`, CleanRoute.Provider, CleanRoute.API, CleanRoute.Model)
	thinking := `{"type":"thinking","thinking":"let me see","thinkingSignature":"QUJDRA=="}`
	var text []byte
	for i := range n / 4 {
		text = fmt.Appendf(text, `{"role":"user","content":"question %d","timestamp":%d}`+"\n", i, 1000*i)
		text = fmt.Appendf(text, `{"role":"assistant","content":[%s,{"type":"text","text":"Looking."},`+
			`{"type":"toolCall","id":"toolu_%d","name":"read","arguments":{"path":"a"}}],`+
			`"stopReason":"toolUse",%s,"timestamp":%d}`+"\n", thinking, i, route, 1000*i+1)
		text = fmt.Appendf(text, `{"role":"toolResult","toolCallId":"toolu_%d","toolName":"read",`+
			`"content":[{"type":"text","text":"content"}],"isError":false,"timestamp":%d}`+"\n", i, 1000*i+2)
		text = fmt.Appendf(text, `{"role":"assistant","content":[%s,{"type":"text","text":"Done."}],`+
			`"stopReason":"stop",%s,"timestamp":%d}`+"\n", thinking, route, 1000*i+3)
	}
	return Messages(t, text)
}

// Cheap asserts that a run of the passes over 2 000 clean messages changes
// nothing the second time and allocates next to nothing (G-6).
func Cheap(t *testing.T, p *policy.Policy, passes ...*hygiene.Pass) {
	t.Helper()
	c := settled(t, p, passes)
	allocs := testing.AllocsPerRun(5, func() { hygiene.Sanitize(c, CleanRoute, p, passes) })
	if allocs > 20 {
		t.Errorf("%.0f allocations for %d messages that stay as they are", allocs, len(c.Messages))
	}
}

// Benchmark measures what [Cheap] bounds.
func Benchmark(b *testing.B, p *policy.Policy, passes ...*hygiene.Pass) {
	c := settled(b, p, passes)
	b.ReportAllocs()
	for b.Loop() {
		hygiene.Sanitize(c, CleanRoute, p, passes)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(c.Messages)), "ns/message")
}

// settled returns a context that the passes have nothing to do in.
func settled(t testing.TB, p *policy.Policy, passes []*hygiene.Pass) *transcript.Context {
	t.Helper()
	c := transcript.NewContext(Clean(t, 2000))
	c = transcript.NewContext(hygiene.Sanitize(c, CleanRoute, p, passes).Messages)
	if res := hygiene.Sanitize(c, CleanRoute, p, passes); !res.Report.Empty() {
		t.Fatalf("a second run changes the output (G-2):\n%s", Changes(&res.Report))
	}
	return c
}
