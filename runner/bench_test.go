//go:build unix

package runner

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"hygeia"
	"hygeia/internal/jsonline"
	"hygeia/runner/model"
	"hygeia/session"
	"hygeia/transcript"
)

// BenchmarkTurn measures what one more turn of a session costs that stays in
// memory (D-50): hygiene alone, and with the body of the request. cpu-ns/message is
// the time that the process worked for each message that did not change, which
// other processes do not add to.
func BenchmarkTurn(b *testing.B) {
	for _, target := range []hygeia.Target{everyFormat[0], everyFormat[1], everyFormat[2], everyFormat[5]} {
		for _, n := range []int{200, 2_000, 20_000} {
			r, err := New(Options{Target: target, Model: nobody{}})
			if err != nil {
				b.Fatal(err)
			}
			s := &run{Runner: r, prompt: Prompt{Body: "and now?", Hidden: "a note"}, result: &Result{}}
			if err := s.load(nil, ""); err != nil {
				b.Fatal(err)
			}
			for _, m := range settled(b, target, n) {
				s.append(m, fmt.Sprintf("e%d", len(s.context.Messages)))
				s.entries++
			}
			s.append(transcript.NewText(transcript.User, "and now?"), "last")
			s.active = "last"
			for name, messagesOnly := range map[string]bool{"hygiene": true, "request": false} {
				b.Run(fmt.Sprintf("%s/%d/%s", r.Target().API, n, name), func(b *testing.B) {
					b.ReportAllocs()
					size, t := 0, &hygeia.Transcript{Name: "bench"}
					began := worked()
					for b.Loop() {
						t.Context = s.outgoing()
						replay, err := t.Replay(target, hygeia.ReplayOptions{MessagesOnly: messagesOnly})
						if err != nil {
							b.Fatal(err)
						}
						size = len(replay.Body)
					}
					b.ReportMetric(float64(worked()-began)/float64(b.N)/float64(n), "cpu-ns/message")
					if size > 0 {
						b.ReportMetric(float64(size), "bytes/body")
					}
				})
			}
		}
	}
}

// settled returns n messages that the target takes as they are.
func settled(b *testing.B, target hygeia.Target, n int) []*transcript.Message {
	r, err := New(Options{Target: target, Model: nobody{}})
	if err != nil {
		b.Fatal(err)
	}
	var list []*transcript.Message
	for i := 0; len(list) < n; i++ {
		list = append(list, round(b, r.Target(), i)...)
	}
	for range 2 {
		t := &hygeia.Transcript{Name: "bench", Context: transcript.NewContext(list)}
		replay, err := t.Replay(target, hygeia.ReplayOptions{MessagesOnly: true})
		if err != nil {
			b.Fatal(err)
		}
		if len(replay.Report.Changes) == 0 {
			return list
		}
		list = reread(b, replay.Messages)
	}
	b.Fatal("the messages change each time")
	return nil
}

// worked returns how long the process has used a processor.
func worked() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// nobody is a model that is not asked.
type nobody struct{ Model }

// round is a question, a call, its result and an answer, as the target's own.
func round(b *testing.B, t hygeia.Target, i int) []*transcript.Message {
	own := func(m *transcript.Message, stop string) *transcript.Message {
		return m.With("api", jsonline.Text(t.API)).With("provider", jsonline.Text(t.Provider)).With("model", jsonline.Text(t.Model)).
			With("stopReason", jsonline.Text(stop))
	}
	id := fmt.Sprintf("call%05d", i)
	call := transcript.NewBlock("toolCall").With("id", jsonline.Text(id)).With("name", jsonline.Text("weather")).
		With("arguments", jsonline.Object{}.With("city", jsonline.Text("Bern")).Value())
	list := []*transcript.Message{
		transcript.NewText(transcript.User, fmt.Sprintf("Question %d. %s", i, strings.Repeat("word ", 20))),
		own(transcript.New(transcript.Assistant, transcript.NewTextBlock("Let me see."), call), "toolUse"),
		transcript.New(transcript.ToolResult, transcript.NewTextBlock(strings.Repeat("a line of output\n", 10))).
			With("toolCallId", jsonline.Text(id)).With("toolName", jsonline.Text("weather")),
		own(transcript.New(transcript.Assistant, transcript.NewTextBlock(fmt.Sprintf("Answer %d. %s", i, strings.Repeat("word ", 40)))), "stop"),
	}
	return reread(b, list)
}

// reread returns messages as they are read from a file.
func reread(b *testing.B, list []*transcript.Message) []*transcript.Message {
	var r transcript.Reader
	read := make([]*transcript.Message, len(list))
	for i, m := range list {
		var err error
		if read[i], err = r.Message(m.AppendJSON(nil)); err != nil {
			b.Fatal(err)
		}
	}
	return read
}

// BenchmarkRun measures a whole run of a session file, without a model: opening with
// repair, one request, storing.
func BenchmarkRun(b *testing.B) {
	for _, n := range []int{200, 2_000, 20_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			r, err := New(Options{Target: everyFormat[0], Model: parrot{}, NoCompaction: true})
			if err != nil {
				b.Fatal(err)
			}
			path := filepath.Join(b.TempDir(), "s.jsonl")
			w, err := session.OpenWriter(b.Context(), path, session.WriteOptions{})
			if err != nil {
				b.Fatal(err)
			}
			for i := 0; 4*i < n; i++ {
				for _, m := range round(b, r.Target(), i) {
					if _, err := w.Append(transcript.NewMessageEntry(m)); err != nil {
						b.Fatal(err)
					}
				}
			}
			if err := w.Close(); err != nil {
				b.Fatal(err)
			}
			began := worked()
			for b.Loop() {
				if _, err := r.Run(b.Context(), path, Prompt{Body: "and now?"}, nil); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(worked()-began)/float64(b.N)/float64(n), "cpu-ns/message")
		})
	}
}

// parrot is a model that says the same always.
type parrot struct{}

func (parrot) Stream(_ context.Context, c model.Call, _ func(model.Event)) (*model.Answer, error) {
	return &model.Answer{
		Message: []byte(`{"role":"assistant","content":[{"type":"text","text":"Yes."}],"api":"anthropic-messages","provider":"anthropic","model":"` +
			c.Target.Model + `","stopReason":"stop"}`),
		Text: "Yes.", StopReason: model.Stop,
	}, nil
}
