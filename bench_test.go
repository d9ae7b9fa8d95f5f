package hygeia

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

// benchTargets are the three kinds of policy: a route that keeps everything of
// its own, one that rewrites ids and reasoning, and one with strict ids.
var benchTargets = []Target{
	{Provider: "anthropic", Model: "claude-opus-4-6"},
	{Provider: "vllm", Model: "qwen3"},
	{Provider: "mistral", Model: "mistral-large-latest"},
}

// benchSession returns a session file with n messages of about a kilobyte. In a
// damaged one, one round in ten lacks its result, has a result in the wrong
// place, or stands on a torn line.
func benchSession(n int, damaged bool) []byte {
	words := strings.Repeat(`some words of a file that was read\n\tand \"quoted\" ones, `, 22)
	var b bytes.Buffer
	b.WriteString(`{"type":"session","version":3,"id":"bench","timestamp":"2026-03-01T10:00:00.000Z","cwd":"/"}` + "\n")
	parent := "null"
	add := func(i int, message string) {
		fmt.Fprintf(&b, `{"type":"message","id":"e%07d","parentId":%s,"timestamp":"2026-03-01T10:00:00.000Z","message":%s}`+"\n", i, parent, message)
		parent = fmt.Sprintf(`"e%07d"`, i)
	}
	for i := 0; i < n; i += 4 {
		bad := damaged && i%40 == 0
		result := fmt.Sprintf(`{"role":"toolResult","toolCallId":"toolu_%07d","toolName":"read","content":[{"type":"text","text":"%s"}],"isError":false,"timestamp":%d}`, i, words, 1_772_359_200_000+i)
		add(i, fmt.Sprintf(`{"role":"user","content":"question %d: %s","timestamp":%d}`, i, words[:600], 1_772_359_200_000+i))
		if bad && i%120 == 0 {
			add(i+2, result) // in front of its call
		}
		add(i+1, fmt.Sprintf(`{"role":"assistant","content":[{"type":"thinking","thinking":"%s","thinkingSignature":"RXFzaWduYXR1cmU="},{"type":"text","text":"I read it."},{"type":"toolCall","id":"toolu_%07d","name":"read","arguments":{"path":"dir/file%d.go"}}],"api":"anthropic-messages","provider":"anthropic","model":"claude-opus-4-6","usage":{"input":100,"output":20,"cacheRead":0,"cacheWrite":0,"totalTokens":120},"stopReason":"toolUse","timestamp":%d}`, words[:300], i, i, 1_772_359_200_000+i))
		if !bad {
			add(i+2, result)
		} else if i%80 == 0 {
			b.WriteString(`{"type":"message","id":"torn` + "\n")
		}
		add(i+3, fmt.Sprintf(`{"role":"assistant","content":[{"type":"text","text":"done %d: %s"}],"api":"anthropic-messages","provider":"anthropic","model":"claude-opus-4-6","usage":{"input":100,"output":20,"cacheRead":0,"cacheWrite":0,"totalTokens":120},"stopReason":"stop","timestamp":%d}`, i, words[:400], 1_772_359_200_000+i))
	}
	return b.Bytes()
}

func replayBytes(tb testing.TB, text []byte, target Target) *Replay {
	in, err := Read(bytes.NewReader(text), "bench", OpenOptions{})
	if err != nil {
		tb.Fatal(err)
	}
	r, err := in.Replay(target, ReplayOptions{Prompt: "go on"})
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

func kind(damaged bool) string {
	if damaged {
		return "damaged"
	}
	return "clean"
}

// BenchmarkReplay is the whole way from the bytes of a session file to the
// request body.
func BenchmarkReplay(b *testing.B) {
	for _, damaged := range []bool{false, true} {
		for _, target := range benchTargets {
			for _, n := range []int{200, 2_000, 20_000} {
				b.Run(fmt.Sprintf("%s/%s/%d", kind(damaged), target.Provider, n), func(b *testing.B) {
					text := benchSession(n, damaged)
					b.SetBytes(int64(len(text)))
					b.ReportAllocs()
					for b.Loop() {
						replayBytes(b, text, target)
					}
				})
			}
		}
	}
}

// BenchmarkStandardLibrary is the least that a program pays that reads the file
// with encoding/json: every line into a map, and the messages out again. It is
// the yardstick of docs/performance.md.
func BenchmarkStandardLibrary(b *testing.B) {
	text := benchSession(2_000, false)
	b.Run("valid", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			for line := range bytes.Lines(text) {
				if !json.Valid(line) {
					b.Fatal("not JSON")
				}
			}
		}
	})
	b.Run("decode and encode", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			decodeAndEncode(b, text)
		}
	})
}

func decodeAndEncode(b *testing.B, text []byte) {
	var messages []any
	for line := range bytes.Lines(text) {
		var entry map[string]any
		if err := json.Unmarshal(line, &entry); err != nil {
			b.Fatal(err)
		}
		messages = append(messages, entry["message"])
	}
	if _, err := json.Marshal(messages); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkGrowth measures sizes from 200 to 200 000 messages one after the
// other and reports the time for each, the exponent over the last decade and
// over all three, and the peak of live memory as a multiple of the file. The row
// "maps" is encoding/json on the same text: work that is linear by construction
// shows what caches and collector add on the machine.
func BenchmarkGrowth(b *testing.B) {
	b.Run("maps", func(b *testing.B) {
		for b.Loop() {
			growth(b, false, func(text []byte) { decodeAndEncode(b, text) })
		}
	})
	for _, damaged := range []bool{false, true} {
		for _, target := range benchTargets {
			b.Run(kind(damaged)+"/"+target.Provider, func(b *testing.B) {
				for b.Loop() {
					growth(b, damaged, func(text []byte) { replayBytes(b, text, target) })
				}
				b.ReportMetric(liveFactor(b, benchSession(200_000, damaged), target), "live/file")
			})
		}
	}
}

// growth reports the best time of several runs for each size. Every run starts
// with memory that it has to fetch, as a new process does.
func growth(b *testing.B, damaged bool, run func(text []byte)) {
	var took [4]float64
	for i, n := range []int{200, 2_000, 20_000, 200_000} {
		text := benchSession(n, damaged)
		best := math.Inf(1)
		for range max(9, 40_000/n) {
			debug.FreeOSMemory()
			start := time.Now()
			run(text)
			best = min(best, float64(time.Since(start)))
		}
		took[i] = best
		b.ReportMetric(best/1e6, fmt.Sprintf("ms@%d", n))
		if n == 200_000 {
			b.ReportMetric(float64(len(text))/best*1e3, "MB/s")
		}
	}
	b.ReportMetric(math.Log10(took[3]/took[2]), "exponent")
	b.ReportMetric(math.Log10(took[3]/took[0])/3, "exponent/3decades")
	b.ReportMetric(0, "ns/op")
}

// liveFactor returns the memory that is live with the finished body in hand,
// the input text taken out, as a multiple of the input.
func liveFactor(b *testing.B, text []byte, target Target) float64 {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	in, err := Read(bytes.NewReader(text), "bench", OpenOptions{})
	if err != nil {
		b.Fatal(err)
	}
	r, err := in.Replay(target, ReplayOptions{Prompt: "go on"})
	if err != nil {
		b.Fatal(err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(in)
	runtime.KeepAlive(r)
	return float64(after.HeapAlloc-before.HeapAlloc) / float64(len(text))
}
