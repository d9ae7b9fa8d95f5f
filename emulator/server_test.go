package emulator

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"
)

const hello = `{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[{"role":"user","content":"q"}]}`

// handle asks a handler without a server.
func handle(e *Emulator, host, path, body string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
	r.Host = host
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	e.ServeHTTP(w, r)
	return w
}

// TestHost refuses requests that come under a name that is not the server's, as
// those of a rebound page do, and such that a page of another origin sends.
func TestHost(t *testing.T) {
	for _, c := range []struct {
		o    Options
		host string
		want int
	}{
		{Options{}, "127.0.0.1:80", 200},
		{Options{}, "127.8.8.8", 200},
		{Options{}, "[::1]:80", 200},
		{Options{}, "[::ffff:127.0.0.1]", 200},
		{Options{}, "localhost:9", 200},
		{Options{}, "a.LOCALHOST.", 200},
		{Options{}, "example.com", 403},
		{Options{}, "localhost.example.com", 403},
		{Options{}, "127.0.0.1.example.com", 403},
		{Options{}, "0.0.0.0", 403},
		{Options{}, "10.0.0.1:80", 403},
		{Options{}, "", 403},
		{Options{Hosts: []string{"example.com"}}, "EXAMPLE.com:80", 200},
		{Options{Hosts: []string{"example.com"}}, "www.example.com", 403},
		{Options{Public: true}, "10.0.0.1:80", 200},
		{Options{Public: true}, "example.com", 403},
	} {
		if got := handle(New(c.o), c.host, "/v1/messages", hello).Code; got != c.want {
			t.Errorf("%+v %q: %d", c.o, c.host, got)
		}
	}
	if got := handle(New(Options{}), "127.0.0.1", "/v1/messages", hello, "Sec-Fetch-Site", "cross-site").Code; got != 403 {
		t.Errorf("from another site: %d", got)
	}
}

// TestListen holds that nothing listens where other machines reach it unless
// somebody says so.
func TestListen(t *testing.T) {
	for _, addr := range []string{":0", "0.0.0.0:0", "[::]:0"} {
		if l, err := Listen(addr, false); !errors.Is(err, ErrPublic) {
			t.Errorf("%s: %v %v", addr, l, err)
		}
	}
	if _, err := Listen("nowhere:port", false); err == nil || errors.Is(err, ErrPublic) {
		t.Errorf("nowhere: %v", err)
	}
	for addr, public := range map[string]bool{"127.0.0.1:0": false, "localhost:0": false, "0.0.0.0:0": true} {
		l, err := Listen(addr, public)
		if err != nil {
			t.Errorf("%s: %v", addr, err)
			continue
		}
		l.Close()
	}
}

// TestServe holds that serving ends with its context, cleanly and whole.
func TestServe(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 5 {
		s := NewServer(Options{})
		accepted(t, s, "/v1/messages", hello)
		open, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://")) // says nothing
		if err != nil {
			t.Fatal(err)
		}
		s.Close()
		open.Close()
		if _, err := http.Post(s.URL+"/v1/messages", "application/json", strings.NewReader(hello)); err == nil {
			t.Error("it serves on")
		}
	}
	http.DefaultClient.CloseIdleConnections()
	for range 3000 {
		if runtime.NumGoroutine() <= before {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines, %d before", n, before)
	}

	l, err := Listen("127.0.0.1:0", false)
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	if err := New(Options{}).Serve(context.Background(), l); err == nil {
		t.Error("a closed listener served")
	}
}

// TestRequireHeaders demands credentials in every provider's way (CF-01).
func TestRequireHeaders(t *testing.T) {
	e := New(Options{RequireHeaders: true})
	for _, c := range []struct {
		path   string
		header []string
		status int
		text   string
	}{
		{"/v1/messages", nil, 401, `{"type":"error","error":{"type":"authentication_error","message":"x-api-key header is required"}`},
		{"/v1/a/g/anthropic/v1/messages", nil, 401, `x-api-key header is required`},
		{"/v1/messages", []string{"x-api-key", "k"}, 400, `{"type":"error","error":{"type":"invalid_request_error","message":"anthropic-version: header is required"}`},
		{"/v1/messages", []string{"x-api-key", "k", "anthropic-version", "2023-06-01"}, 200, "msg_"},
		{"/v1/messages", []string{"authorization", "Bearer k", "anthropic-version", "2023-06-01"}, 200, "msg_"},
		{"/v1/responses", nil, 401, `"code":"missing_api_key"`},
		{"/openai/v1/responses", []string{"api-key", "k"}, 400, `Unknown parameter: 'max_tokens'.`},
		{"/backend-api/codex/responses", nil, 401, `{"detail":"Unauthorized"}`},
		{"/v1beta/models/gemini-3-pro:generateContent", nil, 403, `"status":"PERMISSION_DENIED"`},
		{"/v1beta/models/gemini-3-pro:generateContent?key=k", nil, 400, `"status":"INVALID_ARGUMENT"`},
		{"/v1beta/models/gemini-3-pro:generateContent", []string{"x-goog-api-key", "k"}, 400, `"status":"INVALID_ARGUMENT"`},
		{"/model/m/converse", nil, 403, `{"message":"Missing Authentication Token"}`},
		{"/model/m/converse", []string{"authorization", "AWS4-HMAC-SHA256 Credential=…"}, 400, `{"message":`},
		{"/api/v1/chat/completions", nil, 401, `{"error":{"message":"No auth credentials found","code":401}}`},
		{"/to/mistral/v1/chat/completions", nil, 401, `"object":"error"`},
		{"/api/chat", nil, 200, ""},
	} {
		body := hello
		if c.path == "/api/chat" {
			body = `{"model":"m","messages":[{"role":"user","content":"q"}]}`
		}
		if w := handle(e, "localhost", c.path, body, c.header...); w.Code != c.status || !strings.Contains(w.Body.String(), c.text) {
			t.Errorf("%s %v: %d %s", c.path, c.header, w.Code, w.Body)
		}
	}
}

// TestMalformed answers bodies that are no requests in the provider's shape, and
// leaves no room for what is too large or nested too deep.
func TestMalformed(t *testing.T) {
	e := New(Options{MaxBody: 100_000})
	for _, c := range []struct {
		path, body string
		status     int
		text       string
	}{
		{"/v1/messages", `{`, 400, `{"type":"error","error":{"type":"invalid_request_error","message":"The request body is not valid JSON: `},
		{"/v1/messages", ``, 400, `not valid JSON`},
		{"/v1/messages", `[]`, 400, `not an object`},
		{"/v1/messages", `{"messages":[]}`, 400, `model: Field required`},
		{"/v1/responses", `{"a":1}{`, 400, `{"error":{"message":"We could not parse the JSON body of your request. `},
		{"/v1/responses", `{}`, 400, `{"error":{"message":"you must provide a model parameter","type":"invalid_request_error","param":"model","code":null}}`},
		{"/v1beta/models/m:generateContent", `nope`, 400, `{"error":{"code":400,"message":"Invalid JSON payload received. `},
		{"/v1beta/models/m:streamGenerateContent", `nope`, 400, `[{"error":{"code":400,`},
		{"/v1internal:generateContent", `{"request":{}}`, 400, `model is required`},
		{"/model/m/converse", `nope`, 400, `{"message":"Invalid JSON: `},
		{"/api/chat", `nope`, 400, `{"error":"invalid JSON: `},
		{"/v1/messages", `{"a":` + strings.Repeat("[", 50_000) + strings.Repeat("]", 50_000-20) + `}`, 400, `not valid JSON`},
		{"/v1/messages", `"` + strings.Repeat("x", 100_000) + `"`, 413, `{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}`},
		{"/v1beta/models/m:generateContent", `"` + strings.Repeat("x", 100_000) + `"`, 400, `Request payload size exceeds the limit: 100000 bytes.`},
		{"/v1beta/models/m:unknown", `{}`, 404, `404`},
		{"/v1beta/models/m", `{}`, 404, `404`},
		{"/nowhere", `{}`, 404, `404`},
		{"/to/mistral", `{}`, 404, `404`},
	} {
		if w := handle(e, "localhost", c.path, c.body); w.Code != c.status || !strings.Contains(w.Body.String(), c.text) {
			t.Errorf("%s %.20s: %d %s", c.path, c.body, w.Code, w.Body)
		}
	}
	if w := handle(e, "localhost", "/v1/messages", hello, "Content-Encoding", "zstd"); w.Code != 415 {
		t.Errorf("an unknown encoding: %d", w.Code)
	}
	get := httptest.NewRequest(http.MethodGet, "/v1/messages", nil)
	get.Host = "localhost"
	w := httptest.NewRecorder()
	if e.ServeHTTP(w, get); w.Code != http.StatusMethodNotAllowed {
		t.Errorf("GET: %d", w.Code)
	}
}

// TestCountTokens asks for the number of tokens: a positive one that grows with
// the request, and the refusals of the API.
func TestCountTokens(t *testing.T) {
	e := New(Options{})
	for _, c := range []struct{ path, body, member, bad string }{
		{"/v1/messages/count_tokens", `{"model":"claude-sonnet-4-5","messages":[{"role":"user","content":"«»"}]}`, `{"input_tokens":%d}`, `{"model":"claude-sonnet-4-5","messages":[]}`},
		{"/anthropic/v1/messages/count_tokens", `{"model":"MiniMax-M2","messages":[{"role":"user","content":"«»"}]}`, `{"input_tokens":%d}`, `{"model":"MiniMax-M2","messages":[]}`},
		{"/v1/projects/p/locations/l/publishers/anthropic/models/count-tokens:rawPredict", `{"model":"claude-sonnet-4-5","messages":[{"role":"user","content":"«»"}]}`, `{"input_tokens":%d}`, `{"model":"claude-sonnet-4-5","messages":[]}`},
		{"/v1/responses/input_tokens", `{"model":"gpt-5.1","input":"«»"}`, `{"object":"response.input_tokens","input_tokens":%d}`, `{"model":"gpt-5.1","input":""}`},
		{"/v1beta/models/gemini-3-pro:countTokens", `{"contents":[{"role":"user","parts":[{"text":"«»"}]}]}`, `{"totalTokens":%d,`, `{"contents":[]}`},
		{"/v1beta/models/gemini-3-pro:countTokens", `{"generateContentRequest":{"model":"models/gemini-3-pro","contents":[{"role":"user","parts":[{"text":"«»"}]}]}}`, `{"totalTokens":%d,`, `{"generateContentRequest":{"contents":[]}}`},
		{"/v1internal:countTokens", `{"request":{"model":"models/gemini-3-pro","contents":[{"role":"user","parts":[{"text":"«»"}]}]}}`, `{"totalTokens":%d,`, `{"request":{"model":"models/gemini-3-pro","contents":[]}}`},
		{"/model/anthropic.claude-sonnet-4-5/count-tokens", `{"input":{"converse":{"messages":[{"role":"user","content":[{"text":"«»"}]}]}}}`, `{"inputTokens":%d}`, `{"input":{"converse":{"messages":[]}}}`},
	} {
		var counts []int
		for _, n := range []int{10, 100, 10} {
			w := handle(e, "localhost", c.path, strings.Replace(c.body, "«»", strings.Repeat("word ", n), 1))
			count := 0
			if _, err := fmt.Sscanf(w.Body.String(), c.member, &count); w.Code != 200 || err != nil {
				t.Errorf("%s: %d %s", c.path, w.Code, w.Body)
			}
			counts = append(counts, count)
		}
		if counts[0] <= 0 || counts[1] < counts[0]+100 || counts[2] != counts[0] {
			t.Errorf("%s: %v", c.path, counts)
		}
		if w := handle(e, "localhost", c.path, c.bad); w.Code != 400 {
			t.Errorf("%s %s: %d %s", c.path, c.bad, w.Code, w.Body)
		}
	}
	// A body of InvokeModel in base64: {"messages":[{"role":"user","content":"hi"}]}
	w := handle(e, "localhost", "/model/anthropic.claude-sonnet-4-5/count-tokens",
		`{"input":{"invokeModel":{"body":"eyJtZXNzYWdlcyI6W3sicm9sZSI6InVzZXIiLCJjb250ZW50IjoiaGkifV19"}}}`)
	if w.Code != 200 || w.Body.String() != `{"inputTokens":8}` {
		t.Errorf("InvokeModel: %d %s", w.Code, w.Body)
	}
	for _, body := range []string{`{}`, `{"input":{"invokeModel":{"body":"!"}}}`} {
		if w := handle(e, "localhost", "/model/anthropic.claude-sonnet-4-5/count-tokens", body); w.Code != 400 {
			t.Errorf("%s: %d %s", body, w.Code, w.Body)
		}
	}
	for _, path := range []string{"/v1internal:countTokens", "/v1internal:generateContent"} {
		if w := handle(e, "localhost", path, `{"model":"m"}`); w.Code != 400 {
			t.Errorf("%s without a request: %d %s", path, w.Code, w.Body)
		}
	}
}

// TestRequestsAreBounded holds that only the newest requests are remembered.
func TestRequestsAreBounded(t *testing.T) {
	e := New(Options{})
	for i := range maxRequests + 3 {
		e.record(Request{Status: i, Body: make([]byte, 10)})
	}
	if r := e.Requests(); len(r) != maxRequests || r[0].Status != 3 {
		t.Errorf("%d requests, the first is %d", len(r), r[0].Status)
	}
	e.record(Request{Body: make([]byte, maxRequestsBytes)})
	if len(e.Requests()) != 1 || e.bytes != maxRequestsBytes {
		t.Errorf("%d requests, %d bytes", len(e.Requests()), e.bytes)
	}
}

// TestOwner tells providers apart that share a path, and lets /to/ decide.
func TestOwner(t *testing.T) {
	s := start(t, Options{})
	for _, c := range []struct{ path, model, provider, api string }{
		{"/v1/chat/completions", "gpt-4o", "openai", "openai-completions"},
		{"/v1/chat/completions", "deepseek-chat", "deepseek", "openai-completions"},
		{"/v1/chat/completions", "kimi-k2", "moonshot", "openai-completions"},
		{"/v1/chat/completions", "MiniMax-M2", "minimax", "openai-completions"},
		{"/v1/chat/completions", "grok-4", "xai", "openai-completions"},
		{"/v1/chat/completions", "codestral-latest", "mistral", "mistral-conversations"},
		{"/to/groq/openai/v1/chat/completions", "llama-3.3-70b", "groq", "openai-completions"},
		{"/to/aws-bedrock/model/m/converse", "m", "amazon-bedrock", "bedrock-converse-stream"},
		{"/openai/deployments/dep/chat/completions", "dep", "azure-openai", "openai-completions"},
		{"/v1/a/g/openai/chat/completions", "gpt-4o", "cloudflare-ai-gateway", "openai-completions"},
		{"/v1internal:generateContent", "gemini-3-pro", "google-gemini-cli", "google-gemini-cli"},
		{"/v1internal:generateContent", "claude-sonnet-4-5", "google-antigravity", "google-gemini-cli"},
	} {
		body := fmt.Sprintf(`{"model":%q,"messages":[{"role":"user","content":"q"}]}`, c.model)
		if strings.Contains(c.path, "deployments") {
			body = `{"messages":[{"role":"user","content":"q"}]}`
		}
		post(t, s.URL+c.path, body)
		seen := s.Requests()
		if got := seen[len(seen)-1].Target; got.Provider != c.provider || got.API != c.api || got.Model != c.model {
			t.Errorf("%s %s: %+v", c.path, c.model, got)
		}
	}
	if s.BaseURL("mistral") != s.URL+"/to/mistral" {
		t.Error(s.BaseURL("mistral"))
	}
}

// TestCallIDs holds that the ids of calls have the form of their provider and do
// not repeat.
func TestCallIDs(t *testing.T) {
	s := start(t, Options{Respond: func(*Request) *Answer { return &Answer{Content: []Part{{Call: "f"}, {Call: "f"}}} }})
	for path, c := range map[string]struct{ model, first string }{
		"/to/moonshot/v1/chat/completions":    {"kimi-k2", `"id":"functions.f:0"`},
		"/to/openrouter/v1/chat/completions":  {"mistralai/mistral-large", `"id":"`},
		"/to/openai/v1/chat/completions":      {"gpt-4o", `"id":"call_`},
		"/v1/messages":                        {"claude-sonnet-4-5", `"id":"toolu_01`},
		"/to/llama.cpp/v1/chat/completions":   {"qwen3", `"id":"call_`},
		"/to/deepseek/chat/completions":       {"deepseek-chat", `"id":"call_`},
		"/to/minimax/v1/chat/completions":     {"MiniMax-M2", `"id":"call_`},
		"/v1/a/g/openai/chat/completions":     {"gpt-4o", `"id":"call_`},
		"/to/groq/openai/v1/chat/completions": {"llama", `"id":"call_`},
	} {
		limit := ""
		if path == "/v1/messages" {
			limit = `"max_tokens":9,`
		}
		a := accepted(t, s, path, fmt.Sprintf(`{"model":%q,%s"messages":[{"role":"user","content":"q"}]}`, c.model, limit))
		if !strings.Contains(a.text, c.first) {
			t.Errorf("%s: %s", path, a.text)
		}
	}
}
