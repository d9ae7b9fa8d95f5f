package anthropicmessages_test

import (
	"fmt"
	"strings"
	"testing"

	"hygeia/hygiene"
	"hygeia/payload"
	"hygeia/payload/anthropicmessages"
	"hygeia/payload/internal/buildtest"
)

// session returns a clean session of that many rounds, each with a result of
// that size.
func session(rounds, size int) string {
	var b strings.Builder
	text := strings.Repeat("line of output, plain text\\n", size/28+1)
	b.WriteByte('[')
	for i := range rounds {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"role":"user","content":"question %d","timestamp":1},`, i)
		fmt.Fprintf(&b, `{"role":"assistant","content":[{"type":"thinking","thinking":"step","thinkingSignature":"U2lnbmF0dXJl"},{"type":"text","text":"Reading."},{"type":"toolCall","id":"toolu_%d","name":"read","arguments":{"path":"file %d"}}],"stopReason":"toolUse","provider":"anthropic","api":"anthropic-messages","model":"m1"},`, i, i)
		fmt.Fprintf(&b, `{"role":"toolResult","toolCallId":"toolu_%d","toolName":"read","content":[{"type":"text","text":"%s"}],"isError":false},`, i, text)
		fmt.Fprintf(&b, `{"role":"assistant","content":[{"type":"text","text":"Answer %d."}],"stopReason":"stop"}`, i)
	}
	b.WriteString(`,{"role":"user","content":"and?"}]`)
	return b.String()
}

func BenchmarkBuild(b *testing.B) {
	for _, c := range []struct {
		name         string
		rounds, size int
	}{
		{"8MB of large results", 256, 32 << 10},
		{"1000 short messages", 250, 100},
		{"200 messages", 50, 1000},
		{"2000 messages", 500, 1000},
		{"20000 messages", 5000, 1000},
	} {
		b.Run(c.name, func(b *testing.B) {
			in := &payload.Input{Messages: buildtest.Messages(b, session(c.rounds, c.size)), Target: format.Target, Policy: &format.Policy}
			b.ReportAllocs()
			for b.Loop() {
				in.Report = &hygiene.Report{}
				body, err := anthropicmessages.Build(in)
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(len(body)))
			}
		})
	}
}

// The floor: copying as many bytes into a new buffer.
func BenchmarkCopy(b *testing.B) {
	from := make([]byte, 8<<20)
	b.SetBytes(8 << 20)
	for b.Loop() {
		to := make([]byte, 0, 8<<20)
		to = append(to, from...)
		_ = to
	}
}
