package openairesponses_test

import (
	"fmt"
	"strings"
	"testing"

	"hygeia/hygiene"
	"hygeia/payload"
	"hygeia/payload/internal/buildtest"
	"hygeia/payload/openairesponses"
)

// session returns a clean session of that many rounds, each with a result and
// encrypted content of that size.
func session(rounds, size int) string {
	var b strings.Builder
	text := strings.Repeat("line of output, plain text\\n", size/28+1)
	encrypted := strings.Repeat("gAAAAAB0", min(size, 4000)/8+1)
	b.WriteByte('[')
	for i := range rounds {
		fmt.Fprintf(&b, `{"role":"user","content":"question %d","timestamp":1},`, i)
		fmt.Fprintf(&b, `{"role":"assistant","content":[{"type":"thinking","thinking":"","thinkingSignature":"{\"type\":\"reasoning\",\"id\":\"rs_%d\",\"summary\":[],\"encrypted_content\":\"%s\"}"},{"type":"text","text":"Reading.","textSignature":"{\"v\":1,\"id\":\"msg_%d\"}"},{"type":"toolCall","id":"call_%d|fc_%d","name":"read","arguments":{"path":"file %d"}}],"stopReason":"toolUse"},`, i, encrypted, i, i, i, i)
		fmt.Fprintf(&b, `{"role":"toolResult","toolCallId":"call_%d|fc_%d","toolName":"read","content":[{"type":"text","text":"%s"}],"isError":false},`, i, i, text)
		fmt.Fprintf(&b, `{"role":"assistant","content":[{"type":"text","text":"Answer %d."}],"stopReason":"stop"},`, i)
	}
	b.WriteString(`{"role":"user","content":"and?"}]`)
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
		{"200000 messages", 50000, 1000},
	} {
		b.Run(c.name, func(b *testing.B) {
			in := &payload.Input{Messages: buildtest.Messages(b, session(c.rounds, c.size)), Target: format.Target, Policy: &format.Policy}
			b.ReportAllocs()
			for b.Loop() {
				in.Report = &hygiene.Report{}
				body, err := openairesponses.Build(in)
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(len(body)))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(in.Messages)), "ns/message")
		})
	}
}
