package endtoend_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"hygeia"
	"hygeia/emulator"
	"hygeia/internal/gen"
	"hygeia/payload"
	"hygeia/policy"
)

// ways are the targets of the properties and their paths.
var ways = []struct {
	target hygeia.Target
	path   string
}{
	{hygeia.Target{Provider: "anthropic", Model: "claude-opus-4-6"}, "/v1/messages"},
	{hygeia.Target{Provider: "anthropic", Model: "claude-sonnet-4-5"}, "/v1/messages"},
	{hygeia.Target{Provider: "anthropic", Model: "claude-opus-5-5"}, "/v1/messages"},
	{hygeia.Target{Provider: "minimax", Model: "MiniMax-M2.7"}, "/anthropic/v1/messages"},
	{hygeia.Target{Provider: "minimax", API: "openai-completions", Model: "MiniMax-M2.7"}, "/v1/chat/completions"},
	{hygeia.Target{Provider: "cloudflare-ai-gateway", Model: "claude-sonnet-4-5"}, "/v1/a/g/anthropic/v1/messages"},
	{hygeia.Target{Provider: "openai", API: "openai-completions", Model: "gpt-4o"}, "/v1/chat/completions"},
	{hygeia.Target{Provider: "vllm", Model: "qwen3"}, "/to/vllm/v1/chat/completions"},
	{hygeia.Target{Provider: "groq", Model: "openai/gpt-oss-120b"}, "/to/groq/openai/v1/chat/completions"},
	{hygeia.Target{Provider: "openrouter", Model: "anthropic/claude-sonnet-4.5"}, "/api/v1/chat/completions"},
	{hygeia.Target{Provider: "openrouter", Model: "google/gemini-2.5-pro"}, "/api/v1/chat/completions"},
	{hygeia.Target{Provider: "deepseek", Model: "deepseek-reasoner"}, "/v1/chat/completions"},
	{hygeia.Target{Provider: "moonshot", Model: "kimi-k2.5"}, "/v1/chat/completions"},
	{hygeia.Target{Provider: "mistral", Model: "mistral-large-latest"}, "/v1/chat/completions"},
	{hygeia.Target{Provider: "mistral", API: "mistral-conversations", Model: "magistral-medium"}, "/v1/chat/completions"},
	{hygeia.Target{Provider: "openai", Model: "gpt-5.1"}, "/v1/responses"},
	{hygeia.Target{Provider: "openai-codex", Model: "gpt-5.4"}, "/backend-api/codex/responses"},
	{hygeia.Target{Provider: "azure-openai", Model: "gpt-5.1"}, "/openai/v1/responses"},
	{hygeia.Target{Provider: "google", Model: "gemini-3-pro-preview"}, "/v1beta/models/gemini-3-pro-preview:generateContent"},
	{hygeia.Target{Provider: "google-vertex", Model: "gemini-2.5-pro"}, "/v1/projects/p/locations/l/publishers/google/models/gemini-2.5-pro:generateContent"},
	{hygeia.Target{Provider: "google-gemini-cli", Model: "gemini-3-pro-preview"}, "/v1internal:generateContent"},
	{hygeia.Target{Provider: "google-antigravity", Model: "claude-sonnet-4-5"}, "/v1internal:generateContent"},
	{hygeia.Target{Provider: "amazon-bedrock", Model: "anthropic.claude-sonnet-4-5-20250929-v1:0"}, "/model/" + url.PathEscape("anthropic.claude-sonnet-4-5-20250929-v1:0") + "/converse"},
	{hygeia.Target{Provider: "amazon-bedrock", Model: "meta.llama4-maverick-17b-instruct-v1:0"}, "/model/meta.llama4-maverick-17b-instruct-v1:0/converse"},
	{hygeia.Target{Provider: "ollama", Model: "devstral"}, "/api/chat"},
}

// TestPropertyAccepted is G-1 over HTTP: whatever a transcript holds, the
// provider answers its replay. Signatures in generated transcripts are of
// providers that exist nowhere, so that the emulator is told to take the ones
// that stand in them for its own.
func TestPropertyAccepted(t *testing.T) {
	var text string
	e := emulator.New(emulator.Options{Known: func(token string) bool {
		return strings.Contains(text, token)
	}})
	rapid.Check(t, func(t *rapid.T) {
		c := gen.Context(t)
		way := rapid.SampledFrom(ways).Draw(t, "way")
		in := &hygeia.Transcript{Name: "generated", Format: hygeia.FormatMessages, Context: c}
		r, err := in.Replay(way.target, hygeia.ReplayOptions{})
		if errors.Is(err, payload.ErrNothingToSend) {
			t.Skip()
		}
		if err != nil {
			t.Fatal(err)
		}
		text = ""
		for _, m := range c.Messages {
			text += string(m.AppendJSON(nil))
		}
		req := httptest.NewRequest(http.MethodPost, way.path, strings.NewReader(string(r.Body)))
		req.Host = "localhost"
		w := httptest.NewRecorder()
		e.ServeHTTP(w, req)
		if w.Code != http.StatusOK {
			t.Fatalf("%+v: %d %s\nbody %s\ninput %s", r.Resolution.Target, w.Code, w.Body, r.Body, text)
		}
		seen := e.Requests()
		got, want := seen[len(seen)-1].Target, r.Resolution.Target
		if got.Provider != policy.Fold(want.Provider) || !strings.EqualFold(got.Model, want.Model) {
			t.Fatalf("went to %+v, meant for %+v", got, want)
		}
	})
}
