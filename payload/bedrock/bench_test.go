package bedrock_test

import (
	"fmt"
	"strings"
	"testing"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/payload/bedrock"
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
		fmt.Fprintf(&b, `{"role":"assistant","content":[{"type":"thinking","thinking":"step","thinkingSignature":"U2lnbmF0dXJl"},{"type":"text","text":"Reading."},{"type":"toolCall","id":"t%d","name":"read","arguments":{"path":"file %d"}}],"stopReason":"toolUse"},`, i, i)
		fmt.Fprintf(&b, `{"role":"toolResult","toolCallId":"t%d","toolName":"read","content":[{"type":"text","text":"%s"}],"isError":false},`, i, text)
		fmt.Fprintf(&b, `{"role":"assistant","content":[{"type":"text","text":"Answer %d."}],"stopReason":"stop"}`, i)
	}
	b.WriteString(`,{"role":"user","content":"and?"}]`)
	return b.String()
}

// The growth from 200 to 20 000 messages is that of the input (G-6), also where
// tool history is told as text (W-707).
func BenchmarkBuild(b *testing.B) {
	for _, c := range []struct {
		name, tools  string
		rounds, size int
	}{
		{"8MB of large results", `[{"toolSpec":{"name":"read"}}]`, 256, 32 << 10},
		{"8MB of large results told", ``, 256, 32 << 10},
		{"200 messages", `[{"toolSpec":{"name":"read"}}]`, 50, 1000},
		{"2000 messages", `[{"toolSpec":{"name":"read"}}]`, 500, 1000},
		{"20000 messages", `[{"toolSpec":{"name":"read"}}]`, 5000, 1000},
		{"20000 messages told", ``, 5000, 1000},
	} {
		b.Run(c.name, func(b *testing.B) {
			in := &payload.Input{Messages: buildtest.Messages(b, session(c.rounds, c.size)), Target: format.Target, Policy: &format.Policy}
			in.Options.Tools = jsonline.Parse([]byte(c.tools))
			b.ReportAllocs()
			for b.Loop() {
				in.Report = &hygiene.Report{}
				body, err := bedrock.Build(in)
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(len(body)))
			}
		})
	}
}
