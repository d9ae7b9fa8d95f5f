//go:build unix

package measure

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"hygeia"
	"hygeia/check"
	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/payload/anthropicmessages"
	"hygeia/payload/bedrock"
	"hygeia/payload/google"
	"hygeia/payload/mistral"
	"hygeia/payload/ollama"
	"hygeia/payload/openaichat"
	"hygeia/payload/openairesponses"
	"hygeia/policy"
)

// speeds are one target of each wire format and its converter.
var speeds = []struct {
	target hygeia.Target
	build  func(*payload.Input) ([]byte, error)
}{
	{hygeia.Target{Provider: "anthropic", Model: "claude-opus-4-6"}, anthropicmessages.Build},
	{hygeia.Target{Provider: "openai", API: "openai-completions", Model: "gpt-4o"}, openaichat.Build},
	{hygeia.Target{Provider: "openai", Model: "gpt-5.1"}, openairesponses.Build},
	{hygeia.Target{Provider: "google", Model: "gemini-3-pro-preview"}, google.Build},
	{hygeia.Target{Provider: "amazon-bedrock", Model: "anthropic.claude-opus-4-6-v1:0"}, bedrock.Build},
	{hygeia.Target{Provider: "mistral", API: "mistral-conversations", Model: "mistral-large-latest"}, mistral.Build},
	{hygeia.Target{Provider: "ollama", Model: "qwen3"}, ollama.Build},
}

// sizes are clean sessions: 8 MB of large results and of short messages, a tenth
// and ten times of the first and a tenth of the other for the growth.
var sizes = []struct {
	name            string
	rounds, results int // their number, and bytes of each result
}{
	{"800 kB of large results", 26, 32 << 10},
	{"8 MB of large results", 256, 32 << 10},
	{"80 MB of large results", 2560, 32 << 10},
	{"1 MB of short messages", 2_000, 100},
	{"10 MB of short messages", 20_000, 100},
}

// clean returns the replay of a clean session.
func clean(b *testing.B, res *policy.Resolution, rounds, results int) *hygeia.Replay {
	b.Helper()
	line := strings.Repeat(`some words of a file that was read\n\tand \"quoted\" ones, `, results/57+1)
	var text strings.Builder
	for i := range rounds {
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
	return r
}

// each runs a benchmark for all formats and sizes.
func each(b *testing.B, f func(b *testing.B, i int, res *policy.Resolution, r *hygeia.Replay)) {
	for i, s := range speeds {
		res, err := policy.Resolve(s.target, policy.Options{})
		if err != nil {
			b.Fatal(err)
		}
		for _, c := range sizes {
			b.Run(res.Target.API+"/"+c.name, func(b *testing.B) { f(b, i, res, clean(b, res, c.rounds, c.results)) })
		}
	}
}

// BenchmarkBuild builds bodies of clean messages. The yardsticks are copies of a
// finished body, into new memory as a converter needs it, and into old.
func BenchmarkBuild(b *testing.B) {
	var body []byte
	each(b, func(b *testing.B, i int, res *policy.Resolution, r *hygeia.Replay) {
		in := payload.Input{Messages: r.Messages, Target: res.Target, Policy: res.Policy, Options: payload.Options{Tools: tools[res.Target.API]}}
		if len(body) < 5e6 {
			body = r.Body
		}
		measure(b, r.Body, func() {
			in.Report = &hygiene.Report{}
			if _, err := speeds[i].build(&in); err != nil {
				b.Fatal(err)
			}
		})
	})
	b.Run("yardstick/copy into new memory", func(b *testing.B) { measure(b, body, func() { fresh = append([]byte(nil), body...) }) })
	into := make([]byte, 0, len(body))
	b.Run("yardstick/copy into old memory", func(b *testing.B) { measure(b, body, func() { into = append(into[:0], body...) }) })
}

var fresh []byte // so that a copy is not left out

// BenchmarkCheck checks accepted bodies. The yardsticks are the scanner alone, and
// json.Valid, on those of Anthropic.
func BenchmarkCheck(b *testing.B) {
	bodies := map[string][]byte{}
	each(b, func(b *testing.B, i int, res *policy.Resolution, r *hygeia.Replay) {
		if _, size, _ := strings.Cut(b.Name(), "anthropic-messages/"); size != "" {
			bodies[size] = r.Body
		}
		checks(b, r.Body, res.Target)
	})
	for size, body := range bodies {
		var s jsonline.Scanner
		b.Run("yardstick/scanner/"+size, func(b *testing.B) {
			measure(b, body, func() {
				if err := s.ScanAll(body, jsonline.Options{Depth: 10}); err != nil {
					b.Fatal(err)
				}
			})
		})
		b.Run("yardstick/json.Valid/"+size, func(b *testing.B) {
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
	f()
	runtime.GC() // what was made before is not collected at its expense
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

// BenchmarkCheckSession checks an ordinary body: the large session, again and
// again up to 8 MB.
func BenchmarkCheckSession(b *testing.B) {
	session, err := os.ReadFile(largeSession)
	if errors.Is(err, fs.ErrNotExist) {
		b.Skip("the large session is not beside the project")
	}
	if err != nil {
		b.Fatal(err)
	}
	head, rest, _ := bytes.Cut(session, []byte("\n"))
	text := append(append(head, '\n'), bytes.Repeat(rest, 10)...)
	in, err := hygeia.Read(bytes.NewReader(text), "speed", hygeia.OpenOptions{})
	if err != nil {
		b.Fatal(err)
	}
	for _, s := range speeds {
		res, err := policy.Resolve(s.target, policy.Options{})
		if err != nil {
			b.Fatal(err)
		}
		r, err := in.Replay(res.Target, hygeia.ReplayOptions{Payload: payload.Options{Tools: tools[res.Target.API]}})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(res.Target.API, func(b *testing.B) {
			checks(b, r.Body, res.Target)
			b.ReportMetric(float64(len(r.Messages)), "messages")
		})
	}
}

// checks measures the check of an accepted body.
func checks(b *testing.B, body []byte, target hygeia.Target) {
	off := map[string]bool{"AN-46": false, "GG-17": false} // sizes
	measure(b, body, func() {
		findings, err := check.Payload(body, target, check.Options{Rules: off})
		if err != nil || len(findings) > 0 {
			b.Fatal(findings, err)
		}
	})
}
