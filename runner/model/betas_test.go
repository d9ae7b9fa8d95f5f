package model_test

import (
	"context"
	"testing"

	"hygeia/policy"
	"hygeia/runner/model"
)

// W-232: Anthropic is asked for fine-grained streaming, and for interleaved
// thinking where the thinking has a budget; no other server is asked for either.
// W-231: the headers of OAuth access go along with such a token alone.
func TestBetas(t *testing.T) {
	const (
		fine        = "fine-grained-tool-streaming-2025-05-14"
		interleaved = "interleaved-thinking-2025-05-14"
		oauth       = "claude-code-20250219,oauth-2025-04-20"
	)
	key, token := "sk-ant-api03-1234", "sk-ant-oat01-1234"
	for _, c := range []struct{ target, key, body, betas, app string }{
		{"anthropic/claude-sonnet-4-5", key, `{}`, fine, ""},
		{"anthropic/claude-sonnet-4-5", key, `{"thinking":{"type":"enabled","budget_tokens":1024}}`, fine + "," + interleaved, ""},
		{"anthropic/claude-sonnet-4-5", key, `{"thinking":{"type":"disabled"}}`, fine, ""},
		{"anthropic/claude-opus-4-6", key, `{"thinking":{"type":"adaptive"}}`, fine, ""},
		{"anthropic/claude-opus-4-6", token, `{"thinking":{"type":"adaptive"}}`, oauth + "," + fine, "cli"},
		{"anthropic/claude-sonnet-4-5", token, `{"thinking":{"type":"enabled","budget_tokens":1024}}`, oauth + "," + fine + "," + interleaved, "cli"},
		{"minimax/MiniMax-M2.7", key, `{"thinking":{"type":"enabled","budget_tokens":1024}}`, "", ""},
		{"kimi/kimi-for-coding", key, `{"thinking":{"type":"enabled","budget_tokens":1024}}`, "", ""},
	} {
		target, err := policy.ParseTarget(c.target)
		if err != nil {
			t.Fatal(err)
		}
		target.API = "anthropic-messages"
		var r recorder
		client := model.New(model.Config{Transport: &r, Env: vars(), Retries: -1, Endpoints: map[string]model.Endpoint{
			target.Provider: {BaseURL: "https://api.test", Key: c.key},
		}})
		_, err = client.Stream(context.Background(), model.Call{Target: target, Body: []byte(c.body)}, nil)
		if r.r == nil {
			t.Fatal(err)
		}
		if got := r.r.Header.Get("Anthropic-Beta"); got != c.betas {
			t.Errorf("%s with %s: betas %q, want %q", c.target, c.body, got, c.betas)
		}
		if got := r.r.Header.Get("X-App"); got != c.app {
			t.Errorf("%s with key %.12s…: app %q", c.target, c.key, got)
		}
	}
}
