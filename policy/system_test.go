package policy

import "testing"

// TestSystemTurns holds which targets take system messages between turns
// (AN-10, LO-10, MI-03, W-253).
func TestSystemTurns(t *testing.T) {
	for _, c := range []struct {
		provider, api, model string
		want                 bool
	}{
		{"openai", ccAPI, "gpt-4o", true},
		{"deepseek", ccAPI, "deepseek-chat", true},
		{"openai", "openai-responses", "gpt-5.1", true},
		{"anthropic", antAPI, "claude-opus-5-5", true},
		{"anthropic-vertex", antAPI, "claude-opus-5", true},
		{"anthropic", antAPI, "claude-sonnet-4-5", false},
		{"anthropic", antAPI, "claude-opus-4-8", false},
		{"amazon-bedrock", antAPI, "claude-opus-5", false},
		{"minimax", ccAPI, "MiniMax-M2.7", false},
		{"mistral", ccAPI, "mistral-large-latest", false},
		{"openrouter", ccAPI, "mistralai/mistral-large", false},
		{"vllm", ccAPI, "qwen3", false},
		{"google", "google-generative-ai", "gemini-2.5-pro", false},
	} {
		if got := resolve(t, c.provider, c.api, c.model, Options{}).Policy.SystemTurns; got != c.want {
			t.Errorf("%s %s: %v", c.provider, c.model, got)
		}
	}
}

// TestRoads holds the roads to Claude that have the model in the path (W-233).
func TestRoads(t *testing.T) {
	for provider, want := range map[string]Wire{
		"anthropic":        {},
		"anthropic-vertex": {AnthropicVersion: "vertex-2023-10-16"},
		"amazon-bedrock":   {AnthropicVersion: "bedrock-2023-05-31", NoStreamMember: true},
	} {
		w := resolve(t, provider, antAPI, "claude-opus-4-6", Options{}).Policy.Wire
		if w.AnthropicVersion != want.AnthropicVersion || w.NoStreamMember != want.NoStreamMember {
			t.Errorf("%s: version %q, no stream member %v", provider, w.AnthropicVersion, w.NoStreamMember)
		}
		if !w.ManualThinkingKnown { // AN-25: Claude 4.6 takes both
			t.Errorf("%s: enabled thinking is not known", provider)
		}
	}
}
