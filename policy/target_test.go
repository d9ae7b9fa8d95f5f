package policy

import (
	"errors"
	"testing"
)

func TestParseTarget(t *testing.T) {
	for in, want := range map[string]Target{
		"anthropic/claude-opus-4-6":               {Provider: "anthropic", Model: "claude-opus-4-6"},
		"openrouter/anthropic/claude-sonnet-4.5":  {Provider: "openrouter", Model: "anthropic/claude-sonnet-4.5"},
		" OpenRouter /google/gemini-3-pro":        {Provider: "openrouter", Model: "google/gemini-3-pro"}, // P-06
		"minimax/MiniMax-M2.7":                    {Provider: "minimax", Model: "MiniMax-M2.7"},
		"amazon-bedrock/anthropic.claude-x:0 \n":  {Provider: "amazon-bedrock", Model: "anthropic.claude-x:0"},
		"openai-codex/gpt-5.1":                    {Provider: "openai-codex", Model: "gpt-5.1"}, // P-B09 needs the spelling
		"vllm/mistralai/Mistral-7B-Instruct-v0.3": {Provider: "vllm", Model: "mistralai/Mistral-7B-Instruct-v0.3"},
	} {
		if got, err := ParseTarget(in); err != nil || got != want {
			t.Errorf("ParseTarget(%q) = %+v, %v, want %+v", in, got, err, want)
		}
	}
	for _, in := range []string{"", "claude", "/", "/x", "anthropic/", " / "} {
		if got, err := ParseTarget(in); !errors.Is(err, ErrTarget) || got != (Target{}) {
			t.Errorf("ParseTarget(%q) = %+v, %v, want an error", in, got, err)
		}
	}
}

// TestFold_PB02 holds the aliases of P-B02 and what is none (P-06, P-07).
func TestFold_PB02(t *testing.T) {
	for in, want := range map[string]string{
		"bedrock": "amazon-bedrock", "aws-bedrock": "amazon-bedrock", "openai-codex": "openai", "chatgpt": "openai", "codex": "openai",
		"z-ai": "zai", "Z.AI": "zai", "azure": "azure-openai", "vertex": "google-vertex", "kimi-coding": "kimi", "kimi-code": "kimi",
		"moonshotai": "moonshot", "gemini-cli": "google-gemini-cli", " Antigravity ": "google-antigravity",
		" OpenRouter ": "openrouter", "minimax-cn": "minimax-cn", "claude-cli": "claude-cli", "nobody": "nobody", "": "",
	} {
		if got := Fold(in); got != want {
			t.Errorf("Fold(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestFoldAPI_D11 also covers the aliases that scripts may use.
func TestFoldAPI_D11(t *testing.T) {
	for in, want := range map[string]string{
		"openai-codex-responses": "openai-chatgpt-responses", "bedrock-converse": brAPI, "openai-chat": ccAPI,
		antAPI: antAPI, "Anthropic-Messages": "Anthropic-Messages", "": "", "foo": "foo",
	} {
		if got := FoldAPI(in); got != want {
			t.Errorf("FoldAPI(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestSameRoute_W111: provider, API and model after folding (D-10, P-02).
func TestSameRoute_W111(t *testing.T) {
	base := Target{"openai", "openai-chatgpt-responses", "gpt-5.1"}
	for b, want := range map[Target]bool{
		base: true,
		{"OpenAI-Codex", "openai-codex-responses", " GPT-5.1 "}: true,
		{"openai", "openai-responses", "gpt-5.1"}:               false,
		{"openai", "OpenAI-ChatGPT-Responses", "gpt-5.1"}:       false,
		{"azure-openai", "openai-chatgpt-responses", "gpt-5.1"}: false,
		{"openai", "openai-chatgpt-responses", "gpt-5"}:         false,
		{}: false,
	} {
		if got := SameRoute(base, b); got != want {
			t.Errorf("SameRoute(%+v) = %v, want %v", b, got, want)
		}
	}
	if SameRoute(Target{"anthropic", antAPI, "m"}, Target{"amazon-bedrock", antAPI, "m"}) {
		t.Error("the same model id at another provider is another route")
	}
}

// TestResolvedTarget: folded, API filled in, model as written.
func TestResolvedTarget(t *testing.T) {
	got := resolve(t, " MiniMax ", "", " MiniMax-M2.7 ", Options{}).Target
	if want := (Target{"minimax", antAPI, "MiniMax-M2.7"}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	got = resolve(t, "kimi-coding", "openai-chat", "k", Options{}).Target
	if want := (Target{"kimi", ccAPI, "k"}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	got = resolve(t, "", "", "x", Options{}).Target // P-05: no provider, no default
	if want := (Target{Model: "x"}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
