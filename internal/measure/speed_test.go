//go:build unix

package measure

import (
	"encoding/json"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"hygeia"
	"hygeia/check"
	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/policy"
)

// speedTargets are one of each wire format.
var speedTargets = []hygeia.Target{
	{Provider: "anthropic", Model: "claude-opus-4-6"},
	{Provider: "openai", API: "openai-completions", Model: "gpt-4o"},
	{Provider: "openai", Model: "gpt-5.1"},
	{Provider: "google", Model: "gemini-3-pro-preview"},
	{Provider: "amazon-bedrock", Model: "anthropic.claude-opus-4-6-v1:0"},
	{Provider: "mistral", API: "mistral-conversations", Model: "mistral-large-latest"},
	{Provider: "ollama", Model: "qwen3"},
}

// bodyOf returns the body of a clean session with n rounds whose results have so
// many bytes.
func bodyOf(b *testing.B, res *policy.Resolution, n, result int) []byte {
	b.Helper()
	line := strings.Repeat(`some words of a file that was read\n\tand \"quoted\" ones, `, result/57+1)
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, `{"role":"user","content":"question %d"},`+
			`{"role":"assistant","content":[{"type":"text","text":"Reading."},{"type":"toolCall","id":"abcd%05d","name":"read","arguments":{"path":"file %d"}}],"stopReason":"toolUse"},`+
			`{"role":"toolResult","toolCallId":"abcd%05d","toolName":"read","content":[{"type":"text","text":"%s"}],"isError":false},`+
			`{"role":"assistant","content":[{"type":"text","text":"Answer %d."}],"stopReason":"stop"},`, i, i, i, i, line, i)
	}
	in, err := hygeia.Read(strings.NewReader("["+text.String()+`{"role":"user","content":"and?"}]`), "speed", hygeia.OpenOptions{})
	if err != nil {
		b.Fatal(err)
	}
	r, err := in.Replay(res.Target, hygeia.ReplayOptions{Payload: payload.Options{Tools: tools[res.Target.API]}})
	if err != nil {
		b.Fatal(err)
	}
	return r.Body
}

// BenchmarkCheck checks accepted bodies of clean sessions: 8 MB in large results
// and in short messages, and a tenth and ten times of these for the growth. The
// yardsticks are a copy of as many bytes, the scanner alone, and json.Valid.
func BenchmarkCheck(b *testing.B) {
	for _, target := range speedTargets {
		res, err := policy.Resolve(target, policy.Options{})
		if err != nil {
			b.Fatal(err)
		}
		for _, c := range []struct {
			name            string
			rounds, results int
		}{
			{"800 kB of large results", 26, 32 << 10},
			{"8 MB of large results", 256, 32 << 10},
			{"80 MB of large results", 2560, 32 << 10},
			{"1 MB of short messages", 2_000, 100},
			{"10 MB of short messages", 20_000, 100},
		} {
			b.Run(res.Target.API+"/"+c.name, func(b *testing.B) {
				body := bodyOf(b, res, c.rounds, c.results)
				off := map[string]bool{"AN-46": false, "GG-17": false, "AN-45": false}
				measure(b, body, func() {
					findings, err := check.Payload(body, res.Target, check.Options{Rules: off})
					if err != nil || len(findings) > 0 {
						b.Fatal(findings, err)
					}
				})
			})
		}
	}
	res, err := policy.Resolve(speedTargets[0], policy.Options{})
	if err != nil {
		b.Fatal(err)
	}
	for name, rounds := range map[string]int{"large results": 256, "short messages": 20_000} {
		body := bodyOf(b, res, rounds, map[string]int{"large results": 32 << 10, "short messages": 100}[name])
		into := make([]byte, 0, len(body))
		b.Run("yardstick/copy of "+name, func(b *testing.B) { measure(b, body, func() { into = append(into[:0], body...) }) })
		b.Run("yardstick/scanner on "+name, func(b *testing.B) {
			var s jsonline.Scanner
			measure(b, body, func() {
				if err := s.ScanAll(body, jsonline.Options{Depth: 10}); err != nil {
					b.Fatal(err)
				}
			})
		})
		b.Run("yardstick/json.Valid on "+name, func(b *testing.B) {
			measure(b, body, func() {
				if !json.Valid(body) {
					b.Fatal("not JSON")
				}
			})
		})
	}
}

// measure reports the time of a processor as well, since that of the clock says
// little on a machine that others use.
func measure(b *testing.B, body []byte, f func()) {
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	before := processorTime(b)
	for b.Loop() {
		f()
	}
	b.ReportMetric(float64(len(body))*float64(b.N)/1e6/(processorTime(b)-before).Seconds(), "MB/cpu-s")
}

func processorTime(b *testing.B) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
