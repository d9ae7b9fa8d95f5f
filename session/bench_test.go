package session

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// synthetic returns a session of n messages, about a kilobyte each, as an agent
// writes them: user, assistant with a call, result.
func synthetic(n, version int) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"type":"session","version":%d,"id":"s-1","timestamp":"2026-03-01T10:00:00.000Z","cwd":"/srv/app"}`+"\n", version)
	prose := strings.Repeat("Read the file and say what the second function does. ", 12)
	listing := strings.Repeat(`func f(a, b int) int {\n\treturn a + b // \"sum\"\n}\n`, 34)
	parent := "null"
	for i := range n {
		if version >= 3 {
			fmt.Fprintf(&b, `{"type":"message","id":"%08x","parentId":%s,"timestamp":"2026-03-01T10:00:00.000Z","message":`, i, parent)
			parent = fmt.Sprintf(`"%08x"`, i)
		} else {
			b.WriteString(`{"type":"message","timestamp":"2026-03-01T10:00:00.000Z","message":`)
		}
		switch i % 3 {
		case 0:
			fmt.Fprintf(&b, `{"role":"user","content":[{"type":"text","text":"%s"}],"timestamp":%d}`, prose, 1772359200000+i)
		case 1:
			fmt.Fprintf(&b, `{"role":"assistant","content":[{"type":"thinking","thinking":"%s","thinkingSignature":"c2ln"},`+
				`{"type":"toolCall","id":"toolu_%d","name":"read","arguments":{"path":"/srv/app/main.go"}}],"api":"anthropic-messages",`+
				`"provider":"anthropic","model":"claude-sonnet-4-5","usage":{"input":100,"output":20,"cacheRead":0,"cacheWrite":0,`+
				`"totalTokens":120,"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}},"stopReason":"toolUse","timestamp":%d}`,
				prose[:300], i, 1772359200000+i)
		case 2:
			fmt.Fprintf(&b, `{"role":"toolResult","toolCallId":"toolu_%d","toolName":"read","content":[{"type":"text","text":"%s"}],"isError":false,"timestamp":%d}`,
				i-1, listing, 1772359200000+i)
		}
		b.WriteString("}\n")
	}
	return b.Bytes()
}

// cutLines cuts every k-th line of a file in half.
func cutLines(file []byte, k int) []byte {
	lines := bytes.SplitAfter(file, []byte("\n"))
	for i := k; i < len(lines)-1; i += k {
		lines[i] = append(bytes.Clone(lines[i][:len(lines[i])/2]), '\n')
	}
	return bytes.Join(lines, nil)
}

func benchmarkRead(b *testing.B, file []byte, messages int) {
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	for b.Loop() {
		s, err := Read(bytes.NewReader(file), "", Options{})
		if err != nil {
			b.Fatal(err)
		}
		c, err := s.Context("")
		if err != nil || len(c.Messages) != messages {
			b.Fatalf("%d messages, want %d: %v", len(c.Messages), messages, err)
		}
	}
}

// G-6: ns per byte stays the same from 200 to 200 000 messages.
func BenchmarkRead(b *testing.B) {
	for _, n := range []int{200, 2_000, 20_000, 200_000} {
		b.Run(fmt.Sprint("clean/", n), func(b *testing.B) { benchmarkRead(b, synthetic(n, 3), n) })
	}
	for _, n := range []int{2_000, 200_000} {
		b.Run(fmt.Sprint("v1/", n), func(b *testing.B) { benchmarkRead(b, synthetic(n, 1), n) })
		b.Run(fmt.Sprint("damaged/", n), func(b *testing.B) {
			benchmarkRead(b, cutLines(synthetic(n, 3), 10), n-n/10)
		})
	}
}
