package model_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"hygeia"
	"hygeia/emulator"
	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/runner/model"
	"hygeia/transcript"
)

// road is a target and what its service does with thinking.
type road struct {
	provider, api, model string
	tools                string // in the target's form
	level                payload.Level
	breakIt              string // the rule that refuses an altered signature, "" where none goes back
	member               string // that holds the signature
	shows                bool   // thinking is shown
}

const schema = `{"type":"object","properties":{"path":{"type":"string"}}}`

var (
	anthropicTools = `[{"name":"read","description":"r","input_schema":` + schema + `}]`
	flatTools      = `[{"type":"function","name":"read","parameters":` + schema + `}]`
	chatTools      = `[{"type":"function","function":{"name":"read","parameters":` + schema + `}}]`
	googleTools    = `[{"functionDeclarations":[{"name":"read","parametersJsonSchema":` + schema + `}]}]`
	legacyTools    = `[{"functionDeclarations":[{"name":"read","parameters":` + schema + `}]}]`
	bedrockTools   = `[{"toolSpec":{"name":"read","inputSchema":{"json":` + schema + `}}}]`
)

var roads = []road{
	{"anthropic", "anthropic-messages", "claude-sonnet-4-5", anthropicTools, "medium", "AN-20", "thinkingSignature", true},
	{"anthropic", "anthropic-messages", "claude-opus-5-5", anthropicTools, "medium", "AN-20", "thinkingSignature", true},
	{"minimax", "anthropic-messages", "MiniMax-M2.7", anthropicTools, "medium", "", "", true},
	{"cloudflare-ai-gateway", "anthropic-messages", "claude-sonnet-4-5", anthropicTools, "medium", "AN-20", "thinkingSignature", true},
	{"anthropic-vertex", "anthropic-messages", "claude-sonnet-4-5", anthropicTools, "medium", "AN-20", "thinkingSignature", true},
	{"amazon-bedrock", "anthropic-messages", "anthropic.claude-sonnet-4-5-20250929-v1:0", anthropicTools, "medium", "AN-20", "thinkingSignature", true},
	{"openai", "openai-responses", "gpt-5.1", flatTools, "medium", "OR-09", "encrypted_content", true},
	{"openai-codex", "openai-chatgpt-responses", "gpt-5.4", flatTools, "medium", "OR-09", "encrypted_content", true},
	{"azure-openai", "azure-openai-responses", "gpt-5.1", flatTools, "medium", "AZ-02", "encrypted_content", true},
	{"google", "google-generative-ai", "gemini-3-pro-preview", googleTools, "high", "GG-10", "thoughtSignature", true},
	{"google", "google-generative-ai", "gemini-2.5-pro", googleTools, "high", "", "", true},
	{"google-vertex", "google-vertex", "gemini-3-pro-preview", googleTools, "high", "GG-10", "thoughtSignature", true},
	{"google-gemini-cli", "google-gemini-cli", "gemini-3-pro-preview", googleTools, "high", "GG-10", "thoughtSignature", true},
	{"google-antigravity", "google-gemini-cli", "claude-sonnet-4-5", legacyTools, "high", "AN-20", "thinkingSignature", true},
	{"amazon-bedrock", "bedrock-converse-stream", "anthropic.claude-sonnet-4-5-20250929-v1:0", bedrockTools, "medium", "AN-20", "thinkingSignature", true},
	{"amazon-bedrock", "bedrock-converse-stream", "amazon.nova-pro-v1:0", bedrockTools, "", "", "", true},
	{"openai", "openai-completions", "gpt-4o", chatTools, "", "", "", false},
	{"google", "openai-completions", "gemini-3-pro-preview", chatTools, "medium", "GG-10", "thoughtSignature", false},
	{"deepseek", "openai-completions", "deepseek-v4-pro", chatTools, "", "", "", true},
	{"moonshot", "openai-completions", "kimi-k2-thinking", chatTools, "", "", "", true},
	{"groq", "openai-completions", "llama-3.3-70b", chatTools, "", "", "", true},
	{"vllm", "openai-completions", "qwen3", chatTools, "", "", "", true},
	{"openrouter", "openai-completions", "mistralai/mistral-large", chatTools, "", "", "", true},
	{"openrouter", "openai-completions", "anthropic/claude-sonnet-4.5", chatTools, "medium", "AN-20", "signature", true},
	{"openrouter", "openai-completions", "google/gemini-3-pro-preview", chatTools, "medium", "GG-10", "data", true},
	{"openrouter", "openai-completions", "openai/gpt-5.1", chatTools, "medium", "OR-09", "data", true},
	{"mistral", "openai-completions", "mistral-large-latest", chatTools, "", "", "", true},
	{"mistral", "mistral-conversations", "magistral-medium-latest", chatTools, "", "", "", true},
	{"ollama", "ollama", "qwen3", chatTools, "", "", "", true},
}

func (r *road) name() string { return r.provider + " " + r.api + " " + r.model }

// session is a conversation with a model whose answers are stored as they come.
type session struct {
	t        *testing.T
	road     road
	server   *emulator.Server
	client   *model.Client
	messages []string
	clock    int64
	asked    string // the last body
}

func begin(t *testing.T, r road, o emulator.Options) *session {
	s := &session{t: t, road: r, server: emulator.NewServer(o), clock: 1_700_000_000_000}
	t.Cleanup(s.server.Close)
	s.client = model.New(model.Config{
		Emulator: s.server.URL, Retries: -1, Env: func(string) string { return "" },
		Now: func() time.Time { s.clock += 1000; return time.UnixMilli(s.clock) },
	})
	return s
}

func (s *session) say(text string) {
	s.clock += 1000
	s.messages = append(s.messages, fmt.Sprintf(`{"role":"user","content":%q,"timestamp":%d}`, text, s.clock))
}

// call is the request that continues the conversation.
func (s *session) call() model.Call {
	s.t.Helper()
	in, err := hygeia.Read(strings.NewReader("["+strings.Join(s.messages, ",")+"]"), "stored", hygeia.OpenOptions{})
	if err != nil {
		s.t.Fatal(err)
	}
	r, err := in.Replay(hygeia.Target{Provider: s.road.provider, API: s.road.api, Model: s.road.model}, hygeia.ReplayOptions{Payload: payload.Options{
		System: "You are careful.", Tools: jsonline.Parse([]byte(s.road.tools)), Thinking: s.road.level, Project: "p",
	}})
	if err != nil {
		s.t.Fatal(err)
	}
	s.asked = string(r.Body)
	return model.Call{Target: r.Resolution.Target, Body: r.Body}
}

// ask sends the conversation and stores the answer.
func (s *session) ask() (*model.Answer, []model.Event, error) {
	s.t.Helper()
	var events []model.Event
	a, err := s.client.Stream(context.Background(), s.call(), func(e model.Event) { events = append(events, e) })
	s.messages = append(s.messages, string(a.Message))
	return a, events, err
}

// must asks and demands an answer.
func (s *session) must() (*model.Answer, []model.Event) {
	s.t.Helper()
	a, events, err := s.ask()
	if err != nil {
		body := ""
		if seen := s.server.Requests(); len(seen) > 0 {
			body = fmt.Sprintf("%+v\n%s", seen[len(seen)-1].Findings, seen[len(seen)-1].Body)
		}
		s.t.Fatalf("%v\n%s", err, body)
	}
	return a, events
}

// results answers the calls of an answer.
func (s *session) results(a *model.Answer) {
	for _, c := range a.Calls {
		s.clock += 1000
		s.messages = append(s.messages, fmt.Sprintf(
			`{"role":"toolResult","toolCallId":%q,"toolName":%q,"content":[{"type":"text","text":"42"}],"isError":false,"timestamp":%d}`, c.ID, c.Name, s.clock))
	}
}

// answers is a conversation with thinking, hidden thinking and parallel calls.
func answers(hidden bool) emulator.Responder {
	start := []emulator.Part{{Thinking: "I should read two files, \"a\" and \\b."}}
	if hidden {
		start = append(start, emulator.Part{Hidden: "secret"})
	}
	return emulator.Script(
		emulator.Step{Answer: emulator.Answer{Content: append(start, emulator.Part{Text: "Reading the files.\nBoth of them, \u00fcber\U0001f600."},
			emulator.Part{Call: "read", Arguments: []byte(`{"path":"a","n":1.50}`)}, emulator.Part{Call: "read", Arguments: []byte(`{"path":"b"}`)})}},
		emulator.Step{Answer: emulator.Answer{Content: []emulator.Part{{Thinking: "One more."}, {Call: "read", Arguments: []byte(`{"path":"c"}`)}}}},
		emulator.Step{Answer: emulator.Answer{Content: []emulator.Part{{Thinking: "Enough."}, {Text: "It is 42."}}}},
	)
}

// TestConversation holds a conversation at every provider: text, thinking,
// parallel calls, each request built from the turns that were stored. All of them
// are accepted, signatures included, and the same history with one altered is not.
func TestConversation(t *testing.T) {
	for _, r := range roads {
		t.Run(r.name(), func(t *testing.T) {
			t.Parallel()
			s := begin(t, r, emulator.Options{Respond: answers(r.provider != "google-antigravity")})
			s.say("What is in the files?")
			a, events := s.must()
			s.checkFirst(a, events)
			s.results(a)
			a, _ = s.must()
			s.results(a)
			if a, _ = s.must(); a.Text != "It is 42." || a.StopReason != model.Stop {
				t.Errorf("last answer %q, %s", a.Text, a.StopReason)
			}
			s.say("Thanks. And now?")
			s.must()
			s.say("Goodbye.")
			s.must()
			s.say("Once more.")
			if r.breakIt != "" {
				s.breakSignature()
			}
		})
	}
}

func (s *session) checkFirst(a *model.Answer, events []model.Event) {
	s.t.Helper()
	t := s.t
	const want = "Reading the files.\nBoth of them, über😀."
	if a.Text != want || a.StopReason != model.ToolUse || len(a.Calls) != 2 {
		t.Fatalf("answer %q, %s, %d calls", a.Text, a.StopReason, len(a.Calls))
	}
	if string(a.Calls[0].Arguments) != `{"path":"a","n":1.50}` || string(a.Calls[1].Arguments) != `{"path":"b"}` {
		t.Errorf("arguments %s %s", a.Calls[0].Arguments, a.Calls[1].Arguments)
	}
	if a.Calls[0].ID == "" || a.Calls[0].ID == a.Calls[1].ID {
		t.Errorf("ids %q %q", a.Calls[0].ID, a.Calls[1].ID)
	}
	told := s.road.api != "openai-completions" || strings.Contains(s.asked, "include_usage") // else nobody asked
	if told && (a.Usage.Input == 0 || a.Usage.Output == 0) {
		t.Errorf("usage %+v", a.Usage)
	}
	var text, thought, arguments string
	kinds := map[model.EventKind]int{}
	for _, e := range events {
		kinds[e.Kind]++
		switch e.Kind {
		case model.Text:
			text += e.Text
		case model.Thinking:
			thought += e.Text
		case model.ToolEnd:
			arguments += e.Text
		}
	}
	if text != want || arguments != `{"path":"a","n":1.50}{"path":"b"}` {
		t.Errorf("events tell %q and %q", text, arguments)
	}
	if want := "I should read two files, \"a\" and \\b."; s.road.shows && thought != want {
		t.Errorf("events tell the thought %q", thought)
	}
	if kinds[model.ToolStart] != 2 || kinds[model.ToolEnd] != 2 || kinds[model.Stopped] != 1 || told && kinds[model.UsageKnown] == 0 {
		t.Errorf("events %v", kinds)
	}
	var reader transcript.Reader
	m, err := reader.Message(a.Message)
	if err != nil {
		t.Fatal(err)
	}
	if m.Provider() == "" || m.API() != s.road.api || m.Model() != s.road.model || m.StopReason() != transcript.StopToolUse ||
		m.Usage().Input != a.Usage.Input || m.Usage().Output != a.Usage.Output || m.Get("timestamp").Kind != jsonline.Number {
		t.Errorf("stored turn %s", a.Message)
	}
}

// breakSignature alters a signature of the stored history that goes out.
func (s *session) breakSignature() {
	s.t.Helper()
	body := string(s.call().Body)
	for i, m := range s.messages {
		for _, quote := range []string{`"`, `\"`} {
			_, rest, ok := strings.Cut(m, quote+s.road.member+quote+":"+quote)
			token, _, _ := strings.Cut(rest, quote)
			if !ok || token == "" || !strings.Contains(body, token) {
				continue
			}
			half := len(token) / 2
			altered := token[:half] + map[bool]string{true: "B", false: "A"}[token[half] == 'A'] + token[half+1:]
			s.messages[i] = strings.Replace(m, token, altered, 1)
			_, _, err := s.ask()
			var e *model.Error
			if !errors.As(err, &e) || e.Status != 400 || e.Kind != model.Shape || e.Text == "" {
				s.t.Errorf("an altered signature: %v", err)
			}
			s.server.Close() // a request counts when its handler has ended
			rules := ""
			for _, seen := range s.server.Requests() {
				rules += seen.Rule
			}
			if rules != s.road.breakIt {
				s.t.Errorf("an altered signature: rule %q", rules)
			}
			return
		}
	}
	s.t.Fatalf("no %s goes out: %s", s.road.member, body)
}
