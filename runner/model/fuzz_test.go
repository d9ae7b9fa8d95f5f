package model

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"hygeia/emulator"
	"hygeia/internal/jsonline"
	"hygeia/policy"
	"hygeia/transcript"
)

// tap is a transport that keeps the bytes of an answer.
type tap struct{ bytes.Buffer }

func (t *tap) RoundTrip(r *http.Request) (*http.Response, error) {
	a, err := http.DefaultTransport.RoundTrip(r)
	if err == nil {
		a.Body = struct {
			io.Reader
			io.Closer
		}{io.TeeReader(a.Body, &t.Buffer), a.Body}
	}
	return a, err
}

// seed is an answer of the emulator as it stands on the wire.
func seed(f *testing.F, target policy.Target, body string, o emulator.Options) {
	s := emulator.NewServer(o)
	defer s.Close()
	var t tap
	c := New(Config{Emulator: s.URL, Transport: &t, Retries: -1})
	_, _ = c.Stream(context.Background(), Call{Target: target, Body: []byte(body)}, nil)
	if t.Len() == 0 {
		f.Fatal("no answer to begin with")
	}
	f.Add(spelledOut(target, t.Bytes()))
}

// spelledOut writes the events of an event stream one a line, name in front: its
// checksums would keep the fuzzer out.
func spelledOut(target policy.Target, data []byte) []byte {
	if road, _ := roadOf(target.Provider, target.API); road.accept != amazonType {
		return data
	}
	var out bytes.Buffer
	_ = amazonEvents(bytes.NewReader(data), 1<<20, func(name string, data []byte) error {
		out.WriteString(name + " " + string(data) + "\n")
		return nil
	})
	return out.Bytes()
}

// lettered is the framing of spelledOut.
func lettered(r io.Reader, limit int, on func(string, []byte) error) error {
	return jsonLines(r, limit, func(_ string, data []byte) error {
		name, data, _ := bytes.Cut(data, []byte(" "))
		return on(string(name), data)
	})
}

var seeded = emulator.Answer{Content: []emulator.Part{
	{Thinking: "Hm, two."}, {Hidden: "secret"}, {Text: "I read both."}, {Call: "read", Arguments: []byte(`{"path":"a"}`)}, {Call: "read"},
}}

// fuzz feeds a decoder any bytes. Whatever comes, the turn is one line of JSON
// that the reader of sessions takes, complete calls have objects as arguments,
// and an answer without an error was passed on whole.
func fuzz(f *testing.F, target policy.Target, body string, more ...string) {
	cut := seeded
	cut.Abort = &emulator.Abort{After: 7, Error: "overloaded"}
	o := emulator.Options{Respond: emulator.Script(emulator.Step{Answer: seeded}, emulator.Step{Answer: cut})}
	seed(f, target, body, o)
	seed(f, target, body, o)
	for _, m := range more {
		f.Add([]byte(m))
	}
	road, _ := roadOf(target.Provider, target.API)
	if road.accept == amazonType {
		road.frame = lettered
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var told strings.Builder
		ends := 0
		turn := &turn{call: &Call{Target: target}, emit: func(e Event) {
			switch e.Kind {
			case Text:
				told.WriteString(e.Text)
			case ToolEnd:
				ends++
			}
		}}
		err := road.frame(bytes.NewReader(data), 1<<16, road.decode(turn))
		if err == nil || errors.Is(err, errDone) {
			err = turn.finish()
		}
		var failed *Error
		if err != nil {
			failed = &Error{Kind: Malformed, Text: err.Error()}
		}
		a := turn.answer(time.UnixMilli(1), failed)
		var r transcript.Reader
		m, readErr := r.Message(a.Message)
		if readErr != nil || bytes.ContainsAny(a.Message, "\n\r") || !m.Is(transcript.Assistant) {
			t.Fatalf("%v: %q", readErr, a.Message)
		}
		for _, c := range a.Calls {
			if jsonline.Parse(c.Arguments).Kind != jsonline.ObjectKind {
				t.Fatalf("arguments %q", c.Arguments)
			}
		}
		if ends != len(a.Calls) || len(a.Message) > 100*len(data)+1000 {
			t.Fatalf("%d ends of %d calls, %d bytes of %d", ends, len(a.Calls), len(a.Message), len(data))
		}
		if err == nil && target.API != "openai-responses" && told.String() != a.Text && strings.ToValidUTF8(a.Text, "") == a.Text {
			t.Fatalf("told %q of %q", told.String(), a.Text)
		}
		if err == nil && a.StopReason == "" {
			t.Fatal("no stop reason")
		}
	})
}

const user = `"messages":[{"role":"user","content":"Hi"}]}`

func FuzzAnthropic(f *testing.F) {
	fuzz(f, policy.Target{Provider: "anthropic", API: "anthropic-messages", Model: "claude-sonnet-4-5"},
		`{"model":"claude-sonnet-4-5","stream":true,"max_tokens":9,`+user, "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"max_tokens\"}}\n\n")
}

func FuzzInvokeModel(f *testing.F) {
	fuzz(f, policy.Target{Provider: bedrock, API: "anthropic-messages", Model: "anthropic.claude-sonnet-4-5"},
		`{"anthropic_version":"bedrock-2023-05-31","max_tokens":9,`+user)
}

func FuzzChat(f *testing.F) {
	fuzz(f, policy.Target{Provider: "openrouter", API: "openai-completions", Model: "anthropic/claude-sonnet-4.5"},
		`{"model":"anthropic/claude-sonnet-4.5","stream":true,`+user, `data: {"choices":[{"delta":{"content":[{"type":"thinking","thinking":[{"text":"a"}]}]},"finish_reason":"length"}]}`)
}

func FuzzResponses(f *testing.F) {
	fuzz(f, policy.Target{Provider: "openai", API: "openai-responses", Model: "gpt-5.1"},
		`{"model":"gpt-5.1","stream":true,"store":false,"include":["reasoning.encrypted_content"],"input":[{"role":"user","content":"Hi"}]}`)
}

func FuzzGemini(f *testing.F) {
	fuzz(f, policy.Target{Provider: "google", API: "google-generative-ai", Model: "gemini-3-pro-preview"},
		`{"contents":[{"role":"user","parts":[{"text":"Hi"}]}]}`)
}

func FuzzCodeAssist(f *testing.F) {
	fuzz(f, policy.Target{Provider: "google-gemini-cli", API: "google-gemini-cli", Model: "gemini-3-pro-preview"},
		`{"model":"gemini-3-pro-preview","request":{"contents":[{"role":"user","parts":[{"text":"Hi"}]}]}}`)
}

func FuzzConverse(f *testing.F) {
	fuzz(f, policy.Target{Provider: bedrock, API: "bedrock-converse-stream", Model: "anthropic.claude-sonnet-4-5"},
		`{"messages":[{"role":"user","content":[{"text":"Hi"}]}]}`)
}

func FuzzOllama(f *testing.F) {
	fuzz(f, policy.Target{Provider: "ollama", API: "ollama", Model: "qwen3"}, `{"model":"qwen3",`+user)
}

// FuzzFrames cuts any bytes into events: none is longer than the limit.
func FuzzFrames(f *testing.F) {
	f.Add([]byte("\ufeffevent: a\r\ndata: {}\ndata: 1\n\n:x\n\n"), byte(0))
	f.Add([]byte("{}\n\n[1]"), byte(1))
	f.Add([]byte("\x00\x00\x00\x10\x00\x00\x00\x00\x05\xc2\x48\xeb\x7d\x98\xc8\xff"), byte(2))
	frames := []framing{serverSentEvents, jsonLines, amazonEvents}
	f.Fuzz(func(t *testing.T, data []byte, which byte) {
		const limit = 100
		total := 0
		err := frames[int(which)%len(frames)](bytes.NewReader(data), limit, func(_ string, data []byte) error {
			if len(data) > limit && which%3 != 2 { // a fault is written anew
				t.Fatalf("%d bytes", len(data))
			}
			total += len(data)
			return nil
		})
		if err == nil && total > 2*len(data)+100 {
			t.Fatalf("%d bytes of %d", total, len(data))
		}
	})
}

// FuzzFault reads errors of any shape.
func FuzzFault(f *testing.F) {
	for _, s := range []string{
		`{"type":"error","error":{"type":"invalid_request_error","message":"m"},"request_id":"r"}`, `{"detail":"d"}`,
		`{"detail":[{"type":"extra_forbidden","loc":["body"],"msg":"Extra inputs are not permitted"}]}`, `[{"error":{"code":400,"status":"INVALID_ARGUMENT"}}]`,
		`{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\"error\":{\"message\":\"x\"}}"}}}`, `{"error":"e"}`, `<html>`, ``,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		e := faultIn(body).(*fault)
		if e.text == "" || e.kind() == "" {
			t.Fatalf("%+v", e)
		}
	})
}
