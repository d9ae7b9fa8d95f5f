package endtoend_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hygeia"
	"hygeia/emulator"
	"hygeia/internal/jsonline"
	"hygeia/payload"
)

// road is a target and how a client of it stores its answers.
type road struct {
	target   hygeia.Target
	path     string // MODEL stands for the model
	tools    string // in the target's form
	level    payload.Level
	content  func(answer jsonline.Object) []string // canonical blocks of an answer
	breakIt  [2]string                             // a member whose value is altered, and the rule that says so
	withheld bool                                  // the format shows no thinking that could be replayed
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
	{
		target: hygeia.Target{Provider: "anthropic", API: "anthropic-messages", Model: "claude-sonnet-4-5"}, path: "/v1/messages",
		tools: anthropicTools, level: "medium", content: fromAnthropic, breakIt: [2]string{"thinkingSignature", "AN-20"},
	},
	{
		target: hygeia.Target{Provider: "anthropic", API: "anthropic-messages", Model: "claude-opus-5-5"}, path: "/v1/messages",
		tools: anthropicTools, level: "medium", content: fromAnthropic, breakIt: [2]string{"thinkingSignature", "AN-20"},
	},
	{
		target: hygeia.Target{Provider: "openai", API: "openai-responses", Model: "gpt-5.1"}, path: "/v1/responses",
		tools: flatTools, level: "medium", content: fromResponses, breakIt: [2]string{"encrypted_content", "OR-09"},
	},
	{
		target: hygeia.Target{Provider: "openai-codex", API: "openai-chatgpt-responses", Model: "gpt-5.4"}, path: "/backend-api/codex/responses",
		tools: flatTools, level: "medium", content: fromResponses, breakIt: [2]string{"encrypted_content", "OR-09"},
	},
	{
		target: hygeia.Target{Provider: "azure-openai", API: "azure-openai-responses", Model: "gpt-5.1"}, path: "/openai/v1/responses",
		tools: flatTools, level: "medium", content: fromResponses, breakIt: [2]string{"encrypted_content", "AZ-02"},
	},
	{
		target: hygeia.Target{Provider: "google", API: "google-generative-ai", Model: "gemini-3-pro-preview"}, path: "/v1beta/models/MODEL:generateContent",
		tools: googleTools, level: "high", content: fromGoogle, breakIt: [2]string{"thoughtSignature", "GG-10"},
	},
	{
		target: hygeia.Target{Provider: "google-gemini-cli", API: "google-gemini-cli", Model: "gemini-3-pro-preview"}, path: "/v1internal:generateContent",
		tools: googleTools, level: "high", content: fromGoogle, breakIt: [2]string{"thoughtSignature", "GG-10"},
	},
	{
		target: hygeia.Target{Provider: "google-antigravity", API: "google-gemini-cli", Model: "claude-sonnet-4-5"}, path: "/v1internal:generateContent",
		tools: legacyTools, level: "high", content: fromGoogle, breakIt: [2]string{"thinkingSignature", "AN-20"},
	},
	{
		target: hygeia.Target{Provider: "amazon-bedrock", API: "bedrock-converse-stream", Model: "anthropic.claude-sonnet-4-5-20250929-v1:0"}, path: "/model/MODEL/converse",
		tools: bedrockTools, level: "medium", content: fromBedrock, breakIt: [2]string{"thinkingSignature", "AN-20"},
	},
	{
		target: hygeia.Target{Provider: "openai", API: "openai-completions", Model: "gpt-4o"}, path: "/v1/chat/completions",
		tools: chatTools, content: fromChat, withheld: true,
	},
	{
		target: hygeia.Target{Provider: "deepseek", API: "openai-completions", Model: "deepseek-v4-pro"}, path: "/to/deepseek/chat/completions",
		tools: chatTools, content: fromChat, withheld: true,
	},
	{
		target: hygeia.Target{Provider: "openrouter", API: "openai-completions", Model: "mistralai/mistral-large"}, path: "/api/v1/chat/completions",
		tools: chatTools, content: fromChat, withheld: true,
	},
	{
		target: hygeia.Target{Provider: "mistral", API: "openai-completions", Model: "mistral-large-latest"}, path: "/v1/chat/completions",
		tools: chatTools, content: fromChat, withheld: true,
	},
	{
		target: hygeia.Target{Provider: "mistral", API: "mistral-conversations", Model: "magistral-medium-latest"}, path: "/v1/chat/completions",
		tools: chatTools, content: fromChat, withheld: true,
	},
	{
		target: hygeia.Target{Provider: "ollama", API: "ollama", Model: "qwen3"}, path: "/api/chat",
		tools: chatTools, content: fromOllama, withheld: true,
	},
	{
		target: hygeia.Target{Provider: "minimax", API: "anthropic-messages", Model: "MiniMax-M2.7"}, path: "/anthropic/v1/messages",
		tools: anthropicTools, level: "medium", content: fromAnthropic, withheld: true,
	},
}

func block(format string, values ...any) string { return fmt.Sprintf(format, values...) }

func q(v jsonline.Value) string { return string(jsonline.Quote(v.String())) }

// under returns the value that lies under the names.
func under(o jsonline.Object, names ...string) jsonline.Value {
	v := o.Get(names[0])
	for _, name := range names[1:] {
		v = v.Object().Get(name)
	}
	return v
}

func first(v jsonline.Value) jsonline.Object {
	for e := range v.Elements() {
		return e.Object()
	}
	return jsonline.Object{}
}

func fromAnthropic(answer jsonline.Object) (out []string) {
	for v := range answer.Get("content").Elements() {
		switch o := v.Object(); o.Get("type").String() {
		case "thinking":
			out = append(out, block(`{"type":"thinking","thinking":%s,"thinkingSignature":%s}`, q(o.Get("thinking")), q(o.Get("signature"))))
		case "tool_use":
			out = append(out, block(`{"type":"toolCall","id":%s,"name":%s,"arguments":%s}`, q(o.Get("id")), q(o.Get("name")), o.Get("input").Raw))
		default:
			out = append(out, string(v.Raw)) // text and redacted thinking look the same
		}
	}
	return out
}

func fromResponses(answer jsonline.Object) (out []string) {
	for v := range answer.Get("output").Elements() {
		switch o := v.Object(); o.Get("type").String() {
		case "reasoning":
			out = append(out, block(`{"type":"thinking","thinking":%s,"thinkingSignature":%s}`, q(first(o.Get("summary")).Get("text")), jsonline.Quote(string(v.Raw))))
		case "function_call":
			id := o.Get("call_id").String() + "|" + o.Get("id").String()
			out = append(out, block(`{"type":"toolCall","id":%q,"name":%s,"arguments":%s}`, id, q(o.Get("name")), o.Get("arguments").String()))
		case "message":
			out = append(out, block(`{"type":"text","text":%s,"textSignature":%s}`, q(first(o.Get("content")).Get("text")), q(o.Get("id"))))
		}
	}
	return out
}

func fromGoogle(answer jsonline.Object) (out []string) {
	if answer.Has("response") {
		answer = answer.Get("response").Object()
	}
	for v := range under(first(answer.Get("candidates")), "content", "parts").Elements() {
		o, signature := v.Object(), ""
		member := map[bool]string{true: "thinkingSignature", false: "textSignature"}[o.Get("thought").Bool()]
		if s := o.Get("thoughtSignature"); s.Exists() {
			signature = fmt.Sprintf(`,%q:%s`, member, q(s))
		}
		switch call := o.Get("functionCall").Object(); {
		case call.Exists():
			signature = strings.Replace(signature, member, "thoughtSignature", 1)
			out = append(out, block(`{"type":"toolCall","id":%s,"name":%s,"arguments":%s%s}`, q(call.Get("id")), q(call.Get("name")), call.Get("args").Raw, signature))
		case o.Get("thought").Bool():
			out = append(out, block(`{"type":"thinking","thinking":%s%s}`, q(o.Get("text")), signature))
		default:
			out = append(out, block(`{"type":"text","text":%s%s}`, q(o.Get("text")), signature))
		}
	}
	return out
}

func fromBedrock(answer jsonline.Object) (out []string) {
	for v := range under(answer, "output", "message", "content").Elements() {
		o := v.Object()
		thought, call := under(o, "reasoningContent", "reasoningText").Object(), o.Get("toolUse").Object()
		switch {
		case thought.Exists():
			out = append(out, block(`{"type":"thinking","thinking":%s,"thinkingSignature":%s}`, q(thought.Get("text")), q(thought.Get("signature"))))
		case o.Has("reasoningContent"):
			out = append(out, block(`{"type":"redacted_thinking","data":%s}`, q(under(o, "reasoningContent", "redactedContent"))))
		case call.Exists():
			out = append(out, block(`{"type":"toolCall","id":%s,"name":%s,"arguments":%s}`, q(call.Get("toolUseId")), q(call.Get("name")), call.Get("input").Raw))
		default:
			out = append(out, block(`{"type":"text","text":%s}`, q(o.Get("text"))))
		}
	}
	return out
}

func fromChat(answer jsonline.Object) (out []string) {
	m := under(first(answer.Get("choices")), "message").Object()
	if t := m.Get("reasoning_content"); t.IsString() {
		out = append(out, block(`{"type":"thinking","thinking":%s,"thinkingSignature":"reasoning_content"}`, q(t)))
	}
	if t := m.Get("content"); !t.Blank() && t.IsString() {
		out = append(out, block(`{"type":"text","text":%s}`, q(t)))
	}
	for v := range m.Get("content").Elements() { // Mistral's
		if thought := first(v.Object().Get("thinking")); thought.Exists() {
			out = append(out, block(`{"type":"thinking","thinking":%s}`, q(thought.Get("text"))))
		} else {
			out = append(out, string(v.Raw))
		}
	}
	for v := range m.Get("tool_calls").Elements() {
		f := v.Object().Get("function").Object()
		out = append(out, block(`{"type":"toolCall","id":%s,"name":%s,"arguments":%s}`, q(v.Object().Get("id")), q(f.Get("name")), f.Get("arguments").String()))
	}
	return out
}

func fromOllama(answer jsonline.Object) (out []string) {
	m := answer.Get("message").Object()
	if t := m.Get("thinking"); t.IsString() {
		out = append(out, block(`{"type":"thinking","thinking":%s}`, q(t)))
	}
	if t := m.Get("content"); t.IsString() && !t.Blank() {
		out = append(out, block(`{"type":"text","text":%s}`, q(t)))
	}
	for v := range m.Get("tool_calls").Elements() {
		f := v.Object().Get("function").Object()
		id := fmt.Sprintf("call_%d_%x", len(out), f.AppendTo(nil)) // the API has none
		out = append(out, block(`{"type":"toolCall","id":%q,"name":%s,"arguments":%s}`, id, q(f.Get("name")), f.Get("arguments").Raw))
	}
	return out
}

// session is a conversation with a server, stored as canonical messages.
type session struct {
	t        *testing.T
	road     road
	server   *emulator.Server
	messages []string
	clock    int
}

func (s *session) say(format string, values ...any) {
	s.clock += 1000
	s.messages = append(s.messages, fmt.Sprintf(`{"timestamp":%d,`, s.clock)+fmt.Sprintf(format, values...)+"}")
}

// body is the request that continues the conversation.
func (s *session) body() []byte {
	s.t.Helper()
	in, err := hygeia.Read(strings.NewReader("["+strings.Join(s.messages, ",")+"]"), "stored", hygeia.OpenOptions{})
	if err != nil {
		s.t.Fatal(err)
	}
	r, err := in.Replay(s.road.target, hygeia.ReplayOptions{Payload: payload.Options{
		System: "You are careful.", Tools: jsonline.Parse([]byte(s.road.tools)), Thinking: s.road.level, Project: "p",
	}})
	if err != nil {
		s.t.Fatal(err)
	}
	if body := jsonline.ParseObject(r.Body); s.road.target.API != "openai-chatgpt-responses" && body.Has("stream") {
		return body.With("stream", jsonline.Bool(false)).Without("stream_options").AppendTo(nil)
	}
	return r.Body
}

// ask sends the conversation and stores the answer, an error status aside.
func (s *session) ask() int {
	s.t.Helper()
	path := strings.Replace(s.road.path, "MODEL", url.PathEscape(s.road.target.Model), 1)
	status, text := post(s.t, s.server.URL+path, string(s.body()))
	if status != http.StatusOK {
		return status
	}
	answer := jsonline.ParseObject([]byte(text))
	if _, events, ok := strings.Cut(text, "event: response.completed\ndata: "); ok {
		answer = under(jsonline.ParseObject([]byte(events)), "response").Object()
	}
	blocks := s.road.content(answer)
	if len(blocks) == 0 {
		s.t.Fatalf("no content in %s", text)
	}
	all := strings.Join(blocks, ",")
	stop := "stop"
	if strings.Contains(all, `"toolCall"`) {
		stop = "toolUse"
	}
	s.say(`"role":"assistant","content":[%s],"provider":%q,"api":%q,"model":%q,"stopReason":%q`,
		all, s.road.target.Provider, s.road.target.API, s.road.target.Model, stop)
	return status
}

// must asks and demands an answer.
func (s *session) must() {
	s.t.Helper()
	if status := s.ask(); status != http.StatusOK {
		seen := s.server.Requests()
		s.t.Fatalf("%d %+v\n%s", status, seen[len(seen)-1].Findings, s.body())
	}
}

// results answers the calls of the last answer.
func (s *session) results() {
	m := jsonline.ParseObject([]byte(s.messages[len(s.messages)-1]))
	for v := range m.Get("content").Elements() {
		if o := v.Object(); o.Get("type").String() == "toolCall" {
			s.say(`"role":"toolResult","toolCallId":%s,"toolName":"read","content":[{"type":"text","text":"42"}],"isError":false`, q(o.Get("id")))
		}
	}
}

// answers is a conversation with thinking, hidden thinking and parallel calls.
func answers(hidden bool) emulator.Responder {
	start := []emulator.Part{{Thinking: "I should read two files."}}
	if hidden {
		start = append(start, emulator.Part{Hidden: "secret"})
	}
	return emulator.Script(
		emulator.Step{Answer: emulator.Answer{Content: append(start, emulator.Part{Text: "Reading."},
			emulator.Part{Call: "read", Arguments: []byte(`{"path":"a","n":1.50}`)}, emulator.Part{Call: "read", Arguments: []byte(`{"path":"b"}`)})}},
		emulator.Step{Answer: emulator.Answer{Content: []emulator.Part{{Thinking: "One more."}, {Call: "read", Arguments: []byte(`{"path":"c"}`)}}}},
		emulator.Step{Answer: emulator.Answer{Content: []emulator.Part{{Thinking: "Enough."}, {Text: "It is 42."}}}},
	)
}

func begin(t *testing.T, r road, o emulator.Options) *session {
	s := &session{t: t, road: r, server: emulator.NewServer(o), clock: 1_700_000_000_000}
	t.Cleanup(s.server.Close)
	return s
}

// TestRoundTrip holds a conversation at every provider, each request built from
// what was stored: all of them are accepted, signatures included, and the same
// history with one altered is not (AN-18, AN-20, AN-38, GG-10, OR-09, AZ-02).
func TestRoundTrip(t *testing.T) {
	for _, r := range roads {
		t.Run(r.target.Provider+" "+r.target.Model, func(t *testing.T) {
			hidden := r.target.Provider != "google-antigravity" // it has no form there, and what is left is not whole
			s := begin(t, r, emulator.Options{Respond: answers(hidden)})
			s.say(`"role":"user","content":"What is in the files?"`)
			s.must()
			for range 2 {
				s.results()
				s.must()
			}
			s.say(`"role":"user","content":"Thanks. And now?"`)
			s.must()
			s.say(`"role":"user","content":"Goodbye."`)
			s.must()
			if r.withheld {
				return
			}
			s.say(`"role":"user","content":"Once more."`)
			at, token := replayed(t, s, r.breakIt[0])
			half := len(token) / 2
			altered := token[:half] + map[bool]string{true: "B", false: "A"}[token[half] == 'A'] + token[half+1:]
			s.messages[at] = strings.Replace(s.messages[at], token, altered, 1)
			if status := s.ask(); status != http.StatusBadRequest {
				t.Errorf("an altered signature: %d", status)
			}
			seen := s.server.Requests()
			if rule := seen[len(seen)-1].Rule; rule != r.breakIt[1] {
				t.Errorf("an altered signature: rule %s", rule)
			}
		})
	}
}

// replayed returns the first message whose value of a member goes out in the next
// request, and the value. It may stand in JSON inside of a string.
func replayed(t *testing.T, s *session, member string) (int, string) {
	t.Helper()
	body := string(s.body())
	for i, m := range s.messages {
		for _, quote := range []string{`"`, `\"`} {
			_, rest, ok := strings.Cut(m, quote+member+quote+":"+quote)
			if token, _, _ := strings.Cut(rest, quote); ok && strings.Contains(body, token) {
				return i, token
			}
		}
	}
	t.Fatalf("no %s goes out: %s", member, body)
	return 0, ""
}

// TestChangedHistory edits the beginning of a conversation with a model that
// binds its thinking (AN-38). A compaction does the same, and the replay removes
// the signatures that it made stale.
func TestChangedHistory(t *testing.T) {
	for name, c := range map[string]struct {
		first string
		want  int
	}{
		"the same":  {`"role":"user","content":"What is in the files?"`, 200},
		"edited":    {`"role":"user","content":"What is in the other files?"`, 400},
		"compacted": {`"role":"compactionSummary","summary":"The user asked about files.","tokensBefore":10`, 200},
	} {
		t.Run(name, func(t *testing.T) {
			s := begin(t, roads[1], emulator.Options{Respond: answers(true)})
			s.say(`"role":"user","content":"What is in the files?"`)
			s.must()
			s.results()
			s.must()
			s.results()
			s.must()
			timestamp := s.clock - 100_000
			if name == "compacted" {
				timestamp = s.clock + 1
			}
			s.messages[0] = fmt.Sprintf(`{"timestamp":%d,%s}`, timestamp, c.first)
			s.say(`"role":"user","content":"And now?"`)
			if status := s.ask(); status != c.want {
				t.Errorf("status %d", status)
			}
			if seen := s.server.Requests(); c.want == 400 && seen[len(seen)-1].Rule != "AN-38" {
				t.Errorf("rule %s", seen[len(seen)-1].Rule)
			}
		})
	}
}

// TestRouteSwitch carries a conversation from every provider to every other: what
// the replay lets through of foreign signatures the new provider would refuse
// (CA-05, D-10, W-353).
func TestRouteSwitch(t *testing.T) {
	for _, from := range roads {
		t.Run("from "+from.target.Provider+" "+from.target.Model, func(t *testing.T) {
			s := begin(t, from, emulator.Options{Respond: answers(true)})
			s.say(`"role":"user","content":"What is in the files?"`)
			s.must()
			s.results()
			s.messages = append(s.messages, `{"role":"user","content":"Go on."}`)
			for _, to := range roads {
				if to.target == from.target {
					continue
				}
				t.Run("to "+to.target.Provider+" "+to.target.Model, func(t *testing.T) {
					next := begin(t, to, emulator.Options{})
					next.messages = append([]string(nil), s.messages...)
					next.must()
				})
			}
		})
	}
}
