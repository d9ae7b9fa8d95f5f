// Package passtest measures and attacks passes: a clean history that no pass
// may change or pay for, and random histories made of the oddities that stored
// sessions hold. It is imported by tests only.
package passtest

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"hygeia/hygiene"
	"hygeia/internal/casetest"
	"hygeia/policy"
	"hygeia/transcript"
)

// Clean returns the context of a canonical history of n messages.
func Clean(tb testing.TB, n int) *transcript.Context {
	turn := []string{
		`{"role":"user","content":"Look at line %d.\nThen go on.","timestamp":1767225601000}`,
		`{"role":"assistant","content":[{"type":"thinking","thinking":"Let me see.\nA file.","thinkingSignature":"RXVZQkNrZ0lDeEFCR0FJcVFQ"},` +
			`{"type":"text","text":"I read it:\n- \"a_b\" – first"},` +
			`{"type":"toolCall","id":"toolu_%d","name":"read","arguments":{"path":"a\tb.txt","limit":20}}],` +
			`"stopReason":"toolUse","api":"anthropic-messages","provider":"anthropic","model":"claude-sonnet-4-5",` +
			`"usage":{"input":1,"output":2,"totalTokens":3},"timestamp":1767225602000}`,
		`{"role":"toolResult","toolCallId":"toolu_%d","toolName":"read","content":[{"type":"text","text":"line 1\nline 2"},` +
			`{"type":"image","data":"` + PNG + `","mimeType":"image/png"}],"isError":false,"timestamp":1767225603000}`,
		`{"role":"assistant","content":[{"type":"text","text":"Done %d."}],"stopReason":"stop","api":"anthropic-messages",` +
			`"provider":"anthropic","model":"claude-sonnet-4-5","usage":{"input":1,"output":2,"totalTokens":3},"timestamp":1767225604000}`,
	}
	var b strings.Builder
	for i := range n {
		id := i / len(turn)
		if i%len(turn) == 2 || i%len(turn) == 1 {
			id = i - i%len(turn)
		}
		fmt.Fprintf(&b, turn[i%len(turn)]+"\n", id)
	}
	return transcript.NewContext(casetest.Messages(tb, []byte(b.String())))
}

// PNG is a picture of 8 × 8 pixels in base64.
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVQI12P8z4AdMDEMKQkAzUEBD9aGuoAAAAAASUVORK5CYII="

// Bench measures a pass on clean histories of 2 000 and 200 000 messages.
func Bench(b *testing.B, pass *hygiene.Pass, p *policy.Policy) {
	for _, n := range []int{2_000, 200_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			c := Clean(b, n)
			b.ReportAllocs()
			for b.Loop() {
				if res := run(c, pass, p); !res.Report.Empty() {
					b.Fatalf("a clean history was changed:\n%s", casetest.Changes(&res.Report))
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/message")
		})
	}
}

// Free fails if a pass allocates in proportion to a clean history (G-6).
func Free(t *testing.T, pass *hygiene.Pass, p *policy.Policy, most float64) {
	t.Helper()
	c := Clean(t, 2000)
	if n := testing.AllocsPerRun(5, func() { run(c, pass, p) }); n > most {
		t.Errorf("%v allocations on a clean history, at most %v are allowed", n, most)
	}
}

// Attack runs a pass on random histories: its output must be the same in a
// second run (G-2), its input untouched (G-3), its changes declared (G-4).
func Attack(t *testing.T, p *policy.Policy, passes ...*hygiene.Pass) {
	t.Helper()
	rapid.Check(t, func(rt *rapid.T) {
		c := random(t, rt)
		before := string(casetest.Lines(c.Messages))
		res := hygiene.Sanitize(c, policy.Target{}, p, passes)
		if after := string(casetest.Lines(c.Messages)); after != before {
			rt.Fatalf("input was changed from\n%s\nto\n%s", before, after)
		}
		out := string(casetest.Lines(res.Messages))
		if res.Report.Empty() && out != before {
			rt.Fatalf("an unreported change from\n%s\nto\n%s", before, out)
		}
		casetest.Declared(t, &res.Report, passes)
		again := hygiene.Sanitize(transcript.NewContext(casetest.Messages(t, []byte(out))), policy.Target{}, p, passes)
		if !again.Report.Empty() || string(casetest.Lines(again.Messages)) != out {
			rt.Fatalf("a second run changes\n%s\nto\n%s\n%s", out, casetest.Lines(again.Messages), casetest.Changes(&again.Report))
		}
	})
}

// Stable fails if what a pass makes of the first messages of a random history
// is not how what it makes of all of them begins (G-5).
func Stable(t *testing.T, p *policy.Policy, pass *hygiene.Pass) {
	t.Helper()
	rapid.Check(t, func(rt *rapid.T) {
		c := random(t, rt)
		all := string(casetest.Lines(run(c, pass, p).Messages))
		n := rapid.IntRange(0, len(c.Messages)).Draw(rt, "first")
		first := string(casetest.Lines(run(transcript.NewContext(c.Messages[:n]), pass, p).Messages))
		if !strings.HasPrefix(all, first) {
			rt.Fatalf("the first %d messages give\n%s\nand all\n%s", n, first, all)
		}
	})
}

// Unchanged fails if a pass changes anything in random histories.
func Unchanged(t *testing.T, p *policy.Policy, pass *hygiene.Pass) {
	t.Helper()
	rapid.Check(t, func(rt *rapid.T) {
		c := random(t, rt)
		if res := run(c, pass, p); !res.Report.Empty() {
			rt.Fatalf("changed:\n%s\nin\n%s", casetest.Changes(&res.Report), casetest.Lines(c.Messages))
		}
	})
}

func random(t *testing.T, rt *rapid.T) *transcript.Context {
	lines := strings.Join(rapid.SliceOfN(message, 0, 8).Draw(rt, "messages"), "\n")
	return transcript.NewContext(casetest.Messages(t, []byte(lines)))
}

func run(c *transcript.Context, pass *hygiene.Pass, p *policy.Policy) *hygiene.Result {
	return hygiene.Sanitize(c, policy.Target{}, p, []*hygiene.Pass{pass})
}
