package google_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"hygeia/hygiene"
	"hygeia/payload/google"
	"hygeia/payload/internal/buildtest"
	"hygeia/policy"
)

// session returns a clean session of that many rounds, each with a result of
// that size.
func session(rounds, size int) string {
	var b strings.Builder
	text := strings.Repeat("line of output, plain text\\n", size/28+1)
	b.WriteByte('[')
	for i := range rounds {
		fmt.Fprintf(&b, `{"role":"user","content":"question %d","timestamp":1},`, i)
		fmt.Fprintf(&b, `{"role":"assistant","content":[{"type":"text","text":"Reading."},{"type":"toolCall","id":"call%d","name":"read","arguments":{"path":"file %d"},"thoughtSignature":"U2lnbmF0dXJl"}],"stopReason":"toolUse","provider":"google","api":"google-generative-ai","model":"gemini-3-pro"},`, i, i)
		fmt.Fprintf(&b, `{"role":"toolResult","toolCallId":"call%d","toolName":"read","content":[{"type":"text","text":"%s"}],"isError":false},`, i, text)
		fmt.Fprintf(&b, `{"role":"assistant","content":[{"type":"text","text":"Answer %d."}],"stopReason":"stop"},`, i)
	}
	b.WriteString(`{"role":"user","content":"and?"}]`)
	return b.String()
}

// G-6: turns that are joined cost what the turns cost.
func TestLinear(t *testing.T) {
	run := func(n int, turn string) time.Duration {
		in := resolve(t, policy.Target{Provider: "google", Model: "gemini-3-pro"})
		in.Messages = buildtest.Messages(t, `[{"role":"user","content":"q"}`+strings.Repeat(turn, n)+`]`)
		start := time.Now()
		if _, err := google.Build(in); err != nil {
			t.Fatal(err)
		}
		return time.Since(start)
	}
	for _, turn := range []string{
		`,{"role":"user","content":"(continue)"}`,
		`,{"role":"assistant","content":[{"type":"thinking","thinking":"t"},{"type":"text","text":"x"}]},{"role":"user","content":[]}`,
		`,{"role":"assistant","content":[{"type":"toolCall","id":"a","name":"read","arguments":{}}]}`,
	} {
		short, long := run(2000, turn), run(20000, turn)
		if limit := max(50*short, time.Second); long > limit { // 10 times as many
			t.Errorf("%s: %v for 2 000, %v for 20 000", turn, short, long)
		}
	}
}

func BenchmarkBuild(b *testing.B) {
	for _, c := range []struct {
		name         string
		provider     string
		rounds, size int
	}{
		{"8MB of large results", "google", 256, 32 << 10},
		{"8MB in an envelope", "google-antigravity", 256, 32 << 10},
		{"200 messages", "google", 50, 1000},
		{"2000 messages", "google", 500, 1000},
		{"20000 messages", "google", 5000, 1000},
	} {
		b.Run(c.name, func(b *testing.B) {
			in := resolve(b, policy.Target{Provider: c.provider, Model: "gemini-3-pro"})
			in.Messages = buildtest.Messages(b, session(c.rounds, c.size))
			b.ReportAllocs()
			for b.Loop() {
				in.Report = &hygiene.Report{}
				body, err := google.Build(in)
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(len(body)))
			}
		})
	}
}
