package endpoint_test

import (
	"encoding/json"
	"testing"

	"hygeia/proxy/endpoint"
)

func TestFind(t *testing.T) {
	for path, want := range map[string]endpoint.Endpoint{
		"/v1/messages":                                  {API: endpoint.Anthropic, Provider: "anthropic"},
		"/anthropic/v1/messages":                        {API: endpoint.Anthropic, Provider: "anthropic"},
		"/v1/messages/count_tokens":                     {API: endpoint.Anthropic, Provider: "anthropic", Count: true},
		"/v1/chat/completions":                          {API: endpoint.Chat, Provider: "openai"},
		"/chat/completions":                             {API: endpoint.Chat, Provider: "openai"},
		"/openai/deployments/gpt%2D4o/chat/completions": {API: endpoint.Chat, Provider: "azure-openai", Model: "gpt-4o"},
		"/api/v1/chat/completions":                      {API: endpoint.Chat, Provider: "openrouter"},
		"/v1/responses":                                 {API: endpoint.Responses, Provider: "openai"},
		"/v1/responses/input_tokens":                    {API: endpoint.Responses, Provider: "openai", Count: true},
		"/backend-api/codex/responses":                  {API: endpoint.Codex, Provider: "openai"},
		"/api/chat":                                     {API: endpoint.Ollama, Provider: "ollama"},
		"/v1beta/models/gemini-3-pro:generateContent":   {API: endpoint.Gemini, Provider: "google", Model: "gemini-3-pro"},
		"/v1beta/models/g:streamGenerateContent":        {API: endpoint.Gemini, Provider: "google", Model: "g", Stream: true},
		"/v1beta/models/g:countTokens":                  {API: endpoint.Gemini, Provider: "google", Model: "g", Count: true},
		"/v1/projects/p/locations/l/publishers/google/models/g:generateContent":             {API: endpoint.Vertex, Provider: "google-vertex", Model: "g"},
		"/v1/projects/p/locations/l/publishers/anthropic/models/claude-opus-4-6:rawPredict": {API: endpoint.Anthropic, Provider: "anthropic-vertex", Model: "claude-opus-4-6"},
		"/v1/projects/p/locations/l/publishers/anthropic/models/count-tokens:rawPredict":    {API: endpoint.Anthropic, Provider: "anthropic-vertex", Count: true},
		"/v1internal:generateContent":                                 {API: endpoint.CodeAssist, Provider: "google-gemini-cli"},
		"/model/anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse": {API: endpoint.Bedrock, Provider: "amazon-bedrock", Model: "anthropic.claude-sonnet-4-5-20250929-v1:0"},
		"/model/arn%3Aaws%3Abedrock%2Fx/converse-stream":              {API: endpoint.Bedrock, Provider: "amazon-bedrock", Model: "arn:aws:bedrock/x"},
		"/model/m/invoke": {API: endpoint.Anthropic, Provider: "amazon-bedrock", Model: "m"},
	} {
		if e, ok := endpoint.Find("POST", path); !ok || e != want {
			t.Errorf("%s: %+v, %v", path, e, ok)
		}
	}
	for _, path := range []string{
		"/", "", "/v1/models", "/v1/messages/batches", "/v1/files", "/v1/responses/compact", "/v1/responses/resp_1/cancel", "/v1/embeddings",
		"/v1beta/models/g:embedContent", "/v1beta/models/g:batchGenerateContent", "/v1beta/models/:generateContent", "/model//converse", "/v1/batches", "/v1/chat/completions/c1",
	} {
		if e, ok := endpoint.Find("POST", path); ok {
			t.Errorf("%s is taken for %+v", path, e)
		}
	}
	if _, ok := endpoint.Find("GET", "/v1/messages"); ok {
		t.Error("GET has no transcript")
	}
}

func TestAs(t *testing.T) {
	chat, _ := endpoint.Find("POST", "/v1/chat/completions")
	responses, _ := endpoint.Find("POST", "/openai/v1/responses")
	for _, test := range []struct {
		e                       endpoint.Endpoint
		provider, want, wantAPI string
	}{
		{chat, "", "openai", endpoint.Chat},
		{chat, "groq", "groq", endpoint.Chat},
		{chat, "mistral", "mistral", endpoint.Mistral},
		{responses, "azure-openai", "azure-openai", endpoint.Azure},
	} {
		if e := test.e.As(test.provider); e.Provider != test.want || e.API != test.wantAPI {
			t.Errorf("as %q: %+v", test.provider, e)
		}
	}
}

// TestWrap finds the request in envelopes that ask for tokens to be counted, and
// puts another in its place without a touch on the rest.
func TestWrap(t *testing.T) {
	for _, test := range []struct{ path, body, request, wrapped string }{
		{"/v1/messages/count_tokens", `{"a":1}`, `{"a":1}`, `{"b":2}`},
		{"/v1beta/models/g:countTokens", `{"contents":[]}`, `{"contents":[]}`, `{"b":2}`},
		{"/v1beta/models/g:countTokens", `{"x" :1.0,"generateContentRequest": {"a":1} }`, `{"a":1}`, `{"x" :1.0,"generateContentRequest":{"b":2}}`},
		{"/v1beta/models/g:generateContent", `{"generateContentRequest":{"a":1}}`, `{"generateContentRequest":{"a":1}}`, `{"b":2}`},
		{"/model/m/count-tokens", `{"input":{"converse":{"a":1},"y":[]}}`, `{"a":1}`, `{"input":{"converse":{"b":2},"y":[]}}`},
		{"/model/m/count-tokens", `{"input":{"invokeModel":{"body":""}}}`, `{"input":{"invokeModel":{"body":""}}}`, `{"b":2}`},
	} {
		e, _ := endpoint.Find("POST", test.path)
		if got := string(e.Request([]byte(test.body))); got != test.request {
			t.Errorf("%s: the request is %s", test.body, got)
		}
		if got := string(e.Wrap([]byte(test.body), []byte(`{"b":2}`))); got != test.wrapped {
			t.Errorf("%s: wrapped %s", test.body, got)
		}
	}
}

// TestFailure reads errors as clients of each API do.
func TestFailure(t *testing.T) {
	for path, where := range map[string][]string{
		"/v1/messages":                 {"error", "message"},
		"/v1/chat/completions":         {"error", "message"},
		"/v1/responses":                {"error", "message"},
		"/backend-api/codex/responses": {"detail"},
		"/v1beta/models/g:countTokens": {"error", "message"},
		"/model/m/converse":            {"message"},
		"/api/chat":                    {"error"},
		"/v1/models":                   {"error", "message"},
	} {
		e, _ := endpoint.Find("POST", path)
		body, header := e.Failure(413, "too \"large\"\n")
		var v any
		if err := json.Unmarshal(body, &v); err != nil {
			t.Errorf("%s: %v: %s", path, err, body)
			continue
		}
		for _, name := range where {
			m, _ := v.(map[string]any)
			v = m[name]
		}
		if v != "too \"large\"\n" || header.Get("Content-Type") != "application/json" {
			t.Errorf("%s: %s %v", path, body, header)
		}
		if e.API == endpoint.Bedrock && header.Get("X-Amzn-Errortype") != "ValidationException" {
			t.Errorf("%s: %v", path, header)
		}
	}
}
