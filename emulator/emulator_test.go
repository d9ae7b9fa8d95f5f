package emulator

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"hygeia/internal/jsonline"
)

// start starts a server and closes it at the end of the test.
func start(t *testing.T, o Options) *Server {
	t.Helper()
	s := NewServer(o)
	t.Cleanup(s.Close)
	return s
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	text   string
}

func (a answer) json() jsonline.Object { return jsonline.ParseObject([]byte(a.text)) }

func post(t *testing.T, url, body string, header ...string) answer {
	t.Helper()
	req, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatalf("%s: %v", url, err)
	}
	return answer{res.StatusCode, res.Header, string(text)}
}

// endpoint is one API as the tests speak to it.
type endpoint struct {
	name   string
	plain  string // path of an answer in one piece
	stream string // path of a streamed answer
	// body is a request that is accepted; «stream» stands for the member that
	// asks for a stream, where there is one.
	body     string
	member   string // that member, with its comma
	says     string // stands in the plain answer to body
	streams  []string
	mime     string
	bad      string // a request that is refused
	status   int
	error    string // the body of the refusal
	rule     string
	errorKey string // a header of the refusal
}

var endpoints = []endpoint{
	{
		name: "anthropic", plain: "/v1/messages", stream: "/v1/messages",
		body:   `{"model":"claude-sonnet-4-5","max_tokens":100,«stream»"messages":[{"role":"user","content":"hi there"}]}`,
		member: `"stream":true,`, says: `"content":[{"type":"text","text":"hi there"}],"stop_reason":"end_turn"`,
		streams: []string{"event: message_start\ndata: {", `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"hi there"}}`, "event: message_stop\n"},
		mime:    "text/event-stream; charset=utf-8",
		bad:     `{"model":"claude-sonnet-4-5","max_tokens":100,"messages":[]}`, status: 400, rule: "AN-31",
		error:    `{"type":"error","error":{"type":"invalid_request_error","message":"messages: at least one message is required"},"request_id":"req_`,
		errorKey: "Request-Id",
	},
	{
		name: "minimax", plain: "/anthropic/v1/messages", stream: "/anthropic/v1/messages",
		body:   `{"model":"MiniMax-M2.7","max_tokens":100,«stream»"messages":[{"role":"user","content":"hi there"}]}`,
		member: `"stream":true,`, says: `"text":"hi there"`, streams: []string{"event: message_stop\n"}, mime: "text/event-stream; charset=utf-8",
		bad: `{"model":"MiniMax-M2.7","max_tokens":100,"messages":[{"role":"system","content":"x"},{"role":"user","content":"x"}]}`, status: 400, rule: "MM-02",
		error: `{"type":"error","error":{"type":"invalid_request_error","message":"invalid params, chat content has invalid message role: system (2013)"}`,
	},
	{
		name: "openai responses", plain: "/v1/responses", stream: "/v1/responses",
		body:   `{"model":"gpt-5.1",«stream»"input":[{"role":"user","content":"hi there"}]}`,
		member: `"stream":true,`, says: `"content":[{"type":"output_text","annotations":[],"logprobs":[],"text":"hi there"}],"role":"assistant"}]`,
		streams: []string{"event: response.created\ndata: {\"type\":\"response.created\",\"sequence_number\":0,", "event: response.output_text.delta\n", "event: response.completed\n"},
		mime:    "text/event-stream; charset=utf-8",
		bad:     `{"model":"gpt-5.1","input":[{"type":"function_call","call_id":"call_1","name":"f","arguments":"{}"}]}`, status: 400, rule: "OR-03",
		error:    `{"error":{"message":"No tool output found for function call call_1.","type":"invalid_request_error","param":"input[0]","code":null}}`,
		errorKey: "X-Request-Id",
	},
	{
		name: "codex", stream: "/backend-api/codex/responses",
		body:    `{"model":"gpt-5.4","instructions":"You are Codex.","store":false,"stream":true,"input":[{"role":"user","content":"hi there"}]}`,
		streams: []string{"event: response.completed\n", `"store":false`}, mime: "text/event-stream; charset=utf-8",
		bad: `{"model":"gpt-5.4","store":false,"stream":true,"input":[{"role":"user","content":"hi"}]}`, status: 400, rule: "CX-01",
		error: `{"detail":"Instructions are required"}`,
	},
	{
		name: "azure", plain: "/openai/v1/responses", stream: "/openai/v1/responses",
		body:   `{"model":"gpt-5.1","store":false,«stream»"input":[{"role":"user","content":"hi there"}]}`,
		member: `"stream":true,`, says: `"text":"hi there"`, streams: []string{"event: response.completed\n"}, mime: "text/event-stream; charset=utf-8",
		bad: `{"model":"gpt-5.1","store":false,"reasoning_effort":"low","input":[{"role":"user","content":"hi"}]}`, status: 400, rule: "AZ-03",
		error: `{"error":{"message":"Unknown parameter: 'reasoning_effort'.","type":"invalid_request_error","param":"reasoning_effort","code":"unknown_parameter"}}`,
	},
	{
		name: "openai chat", plain: "/v1/chat/completions", stream: "/v1/chat/completions",
		body:   `{"model":"gpt-4o",«stream»"messages":[{"role":"user","content":"hi there"}]}`,
		member: `"stream":true,"stream_options":{"include_usage":true},`, says: `"message":{"role":"assistant","content":"hi there"},"logprobs":null,"finish_reason":"stop"`,
		streams: []string{`"delta":{"content":"hi there"}`, `"usage":{"prompt_tokens":`, "data: [DONE]\n\n"}, mime: "text/event-stream; charset=utf-8",
		bad: `{"model":"gpt-4o","messages":[]}`, status: 400, rule: "CC-14",
		error: `{"error":{"message":"Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.","type":"invalid_request_error","param":"messages","code":"empty_array"}}`,
	},
	{
		name: "mistral", plain: "/v1/chat/completions", stream: "/to/mistral/v1/chat/completions",
		body:   `{"model":"mistral-large-latest",«stream»"messages":[{"role":"user","content":"hi there"}]}`,
		member: `"stream":true,`, says: `"content":"hi there"`, streams: []string{`"delta":{"content":"hi there"}`, "data: [DONE]\n\n"}, mime: "text/event-stream; charset=utf-8",
		bad: `{"model":"mistral-large-latest","messages":[{"role":"user","content":"a"},{"role":"assistant","content":"","tool_calls":[{"id":"call_1","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"call_1","name":"f","content":"x"}]}`, status: 400, rule: "MI-01",
		error: `{"object":"error","message":"Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9.","type":"invalid_function_call","param":null,"code":"3280"}`,
	},
	{
		name: "openrouter", plain: "/api/v1/chat/completions", stream: "/api/v1/chat/completions",
		body:   `{"model":"anthropic/claude-sonnet-4.5",«stream»"messages":[{"role":"user","content":"hi there"}]}`,
		member: `"stream":true,`, says: `"content":"hi there"`, streams: []string{"data: [DONE]\n\n"}, mime: "text/event-stream; charset=utf-8",
		bad: `{"model":"anthropic/claude-sonnet-4.5","messages":[{"role":"tool","tool_call_id":"x","content":"y"}]}`, status: 400, rule: "CC-02",
		error: `{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\"error\":{\"message\":\"Invalid parameter: messages with role 'tool'`,
	},
	{
		name: "gemini", plain: "/v1beta/models/gemini-3-pro-preview:generateContent", stream: "/v1beta/models/gemini-3-pro-preview:streamGenerateContent?alt=sse",
		body:    `{"contents":[{"role":"user","parts":[{"text":"hi there"}]}]}`,
		says:    `{"candidates":[{"content":{"parts":[{"text":"hi there"}],"role":"model"},"finishReason":"STOP","index":0}]`,
		streams: []string{`data: {"candidates":[{"content":{"parts":[{"text":"hi there"}],"role":"model"},"index":0}]`, `"finishReason":"STOP"`},
		mime:    "text/event-stream; charset=utf-8",
		bad:     `{"contents":[{"role":"user","parts":[]}]}`, status: 400, rule: "GG-06",
		error: `{"error":{"code":400,"message":"* GenerateContentRequest.contents[0].parts: contents.parts must not be empty.","status":"INVALID_ARGUMENT"}}`,
	},
	{
		name: "gemini as an array", stream: "/v1/projects/p/locations/l/publishers/google/models/gemini-2.5-pro:streamGenerateContent",
		body:    `{"contents":[{"role":"user","parts":[{"text":"hi there"}]}]}`,
		streams: []string{`[{"candidates":`, "},\n{", "}]"}, mime: "application/json",
		bad: `{"contents":[]}`, status: 400, rule: "GG-14", error: `[{"error":{"code":400,"message":"`,
	},
	{
		name: "code assist", plain: "/v1internal:generateContent", stream: "/v1internal:streamGenerateContent?alt=sse",
		body: `{"project":"p","model":"gemini-3-pro-preview","request":{"contents":[{"role":"user","parts":[{"text":"hi there"}]}]}}`,
		says: `{"response":{"candidates":[{"content":{"parts":[{"text":"hi there"}]`, streams: []string{`data: {"response":{"candidates":`},
		mime: "text/event-stream; charset=utf-8",
		bad:  `{"model":"gemini-3-pro-preview","surprise":1,"request":{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}}`, status: 400, rule: "CA-04",
		error: `{"error":{"code":400,"message":"Invalid JSON payload received. Unknown name \"surprise\"`,
	},
	{
		name: "bedrock", plain: "/model/anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse", stream: "/model/anthropic.claude-sonnet-4-5-20250929-v1:0/converse-stream",
		body:    `{"messages":[{"role":"user","content":[{"text":"hi there"}]}]}`,
		says:    `{"output":{"message":{"role":"assistant","content":[{"text":"hi there"}]}},"stopReason":"end_turn","usage":{"inputTokens":`,
		streams: []string{"messageStart", `{"contentBlockIndex":0,"delta":{"text":"hi there"}}`, "messageStop", "metadata"},
		mime:    "application/vnd.amazon.eventstream",
		bad:     `{"messages":[{"role":"assistant","content":[{"text":"hi"}]}]}`, status: 400, rule: "BR-09",
		error:    `{"message":"A conversation must start with a user message. Try again with a conversation that starts with a user message."}`,
		errorKey: "X-Amzn-Errortype",
	},
	{
		name: "bedrock invoke", plain: "/model/anthropic.claude-sonnet-4-5-20250929-v1:0/invoke", stream: "/model/anthropic.claude-sonnet-4-5-20250929-v1:0/invoke-with-response-stream",
		body: `{"anthropic_version":"bedrock-2023-05-31","max_tokens":100,"messages":[{"role":"user","content":"hi there"}]}`,
		says: `"content":[{"type":"text","text":"hi there"}]`, streams: []string{"chunk", `{"bytes":"eyJ0eXBlIjoibWVzc2FnZV9zdGFydCIs`},
		mime: "application/vnd.amazon.eventstream",
		bad:  `{"anthropic_version":"bedrock-2023-05-31","max_tokens":100,"messages":[]}`, status: 400, rule: "AN-31",
		error: `{"message":"messages: at least one message is required"}`, errorKey: "X-Amzn-Errortype",
	},
	{
		name: "claude on vertex", plain: "/v1/projects/p/locations/l/publishers/anthropic/models/claude-sonnet-4-5@20250929:rawPredict",
		stream: "/v1/projects/p/locations/l/publishers/anthropic/models/claude-sonnet-4-5@20250929:streamRawPredict",
		body:   `{"anthropic_version":"vertex-2023-10-16","max_tokens":100,"messages":[{"role":"user","content":"hi there"}]}`,
		says:   `"text":"hi there"`, streams: []string{"event: message_stop\n"}, mime: "text/event-stream; charset=utf-8",
		bad: `{"anthropic_version":"vertex-2023-10-16","messages":[{"role":"user","content":"hi"}]}`, status: 400, rule: "AN-24",
		error: `{"type":"error","error":{"type":"invalid_request_error","message":"max_tokens: Field required"}`,
	},
	{
		name: "ollama", plain: "/api/chat", stream: "/api/chat",
		body:   `{"model":"llama3.3",«stream»"messages":[{"role":"user","content":"hi there"}]}`,
		member: `"stream":true,`, says: `"message":{"role":"assistant","content":"hi there"},"done":true`,
		streams: []string{`"message":{"role":"assistant","content":"hi there"},"done":false}` + "\n", `"done":true`}, mime: "application/x-ndjson",
		bad: `{"model":"llama3.3","messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}]}`, status: 400, rule: "LO-07",
		error: `{"error":"json: cannot unmarshal array into Go struct field ChatRequest.messages.content of type string"}`,
	},
}

func (e *endpoint) request(stream bool) string {
	member := e.member
	if !stream {
		member = strings.ReplaceAll(member, "true", "false")
		if strings.Contains(member, "stream_options") {
			member = ""
		}
	}
	return strings.ReplaceAll(e.body, "«stream»", member)
}

// TestEndpoints asks every API for an answer in one piece and as a stream, and
// makes it refuse a request: status, shape and text are the provider's own.
func TestEndpoints(t *testing.T) {
	s := start(t, Options{})
	for _, e := range endpoints {
		t.Run(e.name, func(t *testing.T) {
			if e.plain != "" {
				a := post(t, s.URL+e.plain, e.request(false))
				if a.status != 200 || !strings.Contains(a.text, e.says) || a.header.Get("Content-Type") != "application/json" {
					t.Errorf("answer %d %v %s", a.status, a.header, a.text)
				}
				if b := post(t, s.URL+e.plain, e.request(false)); b.text != a.text {
					t.Errorf("the same request has another answer:\n%s\n%s", a.text, b.text)
				}
			}
			a := post(t, s.URL+e.stream, e.request(true))
			if a.status != 200 || a.header.Get("Content-Type") != e.mime {
				t.Errorf("stream %d %v %s", a.status, a.header, a.text)
			}
			rest := a.text
			for _, want := range e.streams {
				i := strings.Index(rest, want)
				if i < 0 {
					t.Fatalf("%q is not in its place in the stream:\n%q", want, a.text)
				}
				rest = rest[i:]
			}
			refused := e.plain
			if refused == "" {
				refused = e.stream
			}
			b := post(t, s.URL+refused, e.bad)
			if b.status != e.status || !strings.HasPrefix(b.text, e.error) || e.errorKey != "" && b.header.Get(e.errorKey) == "" {
				t.Errorf("refusal %d %v %s", b.status, b.header, b.text)
			}
			seen := s.Requests()
			if last := seen[len(seen)-1]; last.Rule != e.rule || last.Status != e.status || !bytes.Equal(last.Body, []byte(e.bad)) || len(last.Findings) == 0 {
				t.Errorf("recorded %+v", last)
			}
		})
	}
}

// TestTexts holds texts that the rulebook gives with another rule or without the
// place.
func TestTexts(t *testing.T) {
	s := start(t, Options{})
	refused(t, s, "/api/v1/chat/completions", `{"model":"anthropic/claude-sonnet-4.5","reasoning":{"effort":"low"},"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a"}]}`,
		"OP-03", 400, `"raw":"{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"This model does not support assistant message prefill.`)
	refused(t, s, "/v1/messages", `{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[{"role":"user","content":[{"type":"text","text":"q"},{"type":"image","source":{"type":"base64","media_type":"image/svg+xml","data":"iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVQI12P8z4AdMDEMKQkAzUEBD9aGuoAAAAAASUVORK5CYII="}}]}]}`,
		"AN-40", 400, `"message":"messages.0.content.1.source.base64.media_type: Input should be 'image/jpeg'`)
	refused(t, s, "/v1internal:generateContent", `{"project":"p","model":"claude-sonnet-4-5","userAgent":"antigravity","requestType":"agent","request":{"contents":[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[{"functionCall":{"id":"a","name":"f","args":{}}}]},{"role":"user","parts":[{"functionResponse":{"id":"b","name":"f","response":{"output":"x"}}}]}]}}`,
		"CA-03", 400, "messages.2: `tool_use` ids were found without `tool_result` blocks immediately after.")
	refused(t, s, "/v1/messages", `{"model":"claude-opus-4-7","max_tokens":2000,"thinking":{"type":"enabled","budget_tokens":1024},"messages":[{"role":"user","content":"q"}]}`,
		"AN-25", 400, `"message":"\"thinking.type.enabled\" is not supported for this model`)
	if a := post(t, start(t, Options{Rules: map[string]bool{"AN-25": false}}).URL+"/v1/messages",
		`{"model":"claude-opus-4-7","max_tokens":2000,"thinking":{"type":"enabled","budget_tokens":1024},"messages":[{"role":"user","content":"q"}]}`); a.status != 200 {
		t.Errorf("with the rule off: %d %s", a.status, a.text)
	}
}

// TestForeignThinking takes thinking of another model of Anthropic's format to
// Claude, and asks models that sign nothing.
func TestForeignThinking(t *testing.T) {
	s := start(t, Options{Respond: thoughts()})
	minimax := accepted(t, s, "/anthropic/v1/messages", `{"model":"MiniMax-M2.7","max_tokens":4000,"messages":[{"role":"user","content":"q"}]}`)
	content := raw(minimax, "content")
	refused(t, s, "/v1/messages", anthropicRound("claude-sonnet-4-5", "q", content, callID(content)), "AN-20", 400, "Invalid `signature`")
	accepted(t, s, "/anthropic/v1/messages", strings.Replace(anthropicRound("MiniMax-M2.7", "q", content, callID(content)), `"type":"adaptive"`, `"type":"enabled","budget_tokens":2000`, 1))

	s = start(t, Options{Respond: thoughts()})
	llama := accepted(t, s, "/model/meta.llama4/converse", `{"messages":[{"role":"user","content":[{"text":"q"}]}]}`)
	if strings.Contains(llama.text, "signature") || !strings.Contains(llama.text, "reasoningText") {
		t.Errorf("reasoning of Llama: %s", llama.text)
	}
}

// TestShapes makes refusals whose shape differs from the usual one of the API
// (file 90 §0).
func TestShapes(t *testing.T) {
	s := start(t, Options{})
	refused(t, s, "/to/mistral/v1/chat/completions", `{"model":"mistral-large-latest","messages":[{"role":"user","content":"q","surprise":1}]}`,
		"MI-08", 422, `{"detail":[{"type":"extra_forbidden","loc":["body","messages","0","surprise"],"msg":"Extra inputs are not permitted"}]}`)
	refused(t, s, "/to/mistral/v1/chat/completions", `{"model":"mistral-large-latest","messages":[{"role":"assistant","content":"a"}]}`,
		"MI-04", 400, `"type":"invalid_request_message_order","param":null,"code":"3230"}`)
	refused(t, s, "/to/llama.cpp/v1/chat/completions", `{"model":"qwen3","messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a"},{"role":"assistant","content":"b"}]}`,
		"LO-02", 400, `{"error":{"code":400,"message":"Cannot have 2 or more assistant messages at the end of the list.","type":"invalid_request_error"}}`)
	refused(t, s, "/to/cerebras/v1/chat/completions", `{"model":"qwen3","messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a","reasoning_content":"r"},{"role":"user","content":"q"}]}`,
		"CC-10", 400, `"code":"wrong_api_format"`)
	refused(t, s, "/to/openrouter/v1/chat/completions", `{"model":"mistralai/mistral-large","messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a"}]}`,
		"MI-04", 400, `"metadata":{"raw":"{\"object\":\"error\",\"message\":\"Expected last role User or Tool`)
	refused(t, s, "/to/openrouter/v1/chat/completions", `{"model":"openai/gpt-5.1","reasoning":{"effort":"low","max_tokens":5},"messages":[{"role":"user","content":"q"}]}`,
		"OP-06", 400, `{"error":{"message":"Only one of \"reasoning.effort\" and \"reasoning.max_tokens\" can be specified","code":400}}`)

	s = start(t, Options{Respond: Script(
		Step{Answer: Answer{Content: []Part{{Text: "cut"}}, Stop: "length"}},
		Step{Answer: Answer{Content: []Part{{Text: "no"}}, Stop: "refusal"}},
		Step{Answer: Answer{Stop: "pause_turn"}},
		Step{Answer: Answer{Status: 529}},
	)})
	for _, want := range []string{`"status":"incomplete","error":null,"incomplete_details":{"reason":"max_output_tokens"}`, `"incomplete_details":{"reason":"content_filter"}`} {
		if a := accepted(t, s, "/v1/responses", `{"model":"gpt-5.1","input":"q","stream":true}`); !strings.Contains(a.text, "event: response.incomplete\n") || !strings.Contains(a.text, want) {
			t.Errorf("%s", a.text)
		}
	}
	if a := accepted(t, s, "/v1/messages", hello); !strings.Contains(a.text, `"content":[],"stop_reason":"pause_turn"`) {
		t.Errorf("%s", a.text)
	}
	if a := post(t, s.URL+"/v1/messages", hello); a.status != 529 || !strings.Contains(a.text, `"type":"overloaded_error"`) {
		t.Errorf("%d %s", a.status, a.text)
	}
}

// TestCut holds that text is streamed whole and never inside of a character.
func TestCut(t *testing.T) {
	for _, s := range []string{"", "short", strings.Repeat("日本語", 40), strings.Repeat("word ", 40), strings.Repeat("x", 100), "äöü " + strings.Repeat("é", 33)} {
		parts := cut(s)
		if strings.Join(parts, "") != s {
			t.Errorf("%q became %q", s, parts)
		}
		for _, p := range parts {
			if p == "" || !utf8.ValidString(p) {
				t.Errorf("%q has the part %q", s, p)
			}
		}
	}
}
