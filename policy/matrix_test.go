package policy

import (
	"strings"
	"testing"
)

// resolve resolves with the built-in profiles.
func resolve(t *testing.T, provider, api, model string, o Options) *Resolution {
	t.Helper()
	res, err := Resolve(Target{Provider: provider, API: api, Model: model}, o)
	if err != nil {
		t.Fatalf("Resolve(%s, %s, %s): %v", provider, api, model, err)
	}
	return res
}

// digest writes the fields of P-03 that differ from the default as words.
func digest(p *Policy) string {
	var w []string
	add := func(on bool, word string) {
		if on {
			w = append(w, word)
		}
	}
	add(p.SanitizeMode == SanitizeFull, "full")
	add(p.SanitizeToolCallIDs, "ids:"+string(p.ToolCallIDMode))
	add(p.DuplicateToolCallIDStyle != "", "dup:"+p.DuplicateToolCallIDStyle)
	add(p.PreserveNativeAnthropicToolUseIDs, "native")
	add(p.PreserveSignatures, "preserve")
	add(p.SanitizeThoughtSignatures != nil, "base64")
	add(p.SanitizeThinkingSignatures, "thinksig")
	add(p.DropThinkingBlocks, "dropthinking")
	add(p.DropAllThinkingBlocks, "dropall")
	add(p.DropReasoningFromHistory, "dropreasoning")
	add(p.ApplyGoogleTurnOrdering, "AF")
	add(p.ValidateGeminiTurns, "G")
	add(p.ValidateAnthropicTurns, "A")
	add(p.AllowSyntheticToolResults, "synth")
	add(!p.RepairToolUseResultPairing, "NOPAIRING")
	return strings.Join(w, " ")
}

const (
	rspAPI = "openai-responses"
	ccAPI  = "openai-completions"
	antAPI = "anthropic-messages"
	brAPI  = "bedrock-converse-stream"
	ggAPI  = "google-generative-ai"
	cliAPI = "google-gemini-cli"

	anthropicRecord = "full ids:strict preserve A synth"
	nativeRecord    = "full ids:strict native preserve A synth"
	googleRecord    = "full ids:strict base64 AF G synth"
	chatRecord      = "ids:strict dropreasoning AF G A"
	chatKept        = "ids:strict AF G A"
	mistralChat     = "ids:strict9 dropreasoning AF G A"
)

// TestProviderMatrix_P15 walks the rows of file 10 §6, with the Better items
// where they differ (P-B01…P-B07), in both spellings of P-B02 where there are
// two (P-15).
func TestProviderMatrix_P15(t *testing.T) {
	tests := []struct{ providers, api, model, want string }{
		{"anthropic claude-cli", antAPI, "claude-opus-4-6", nativeRecord},
		{"anthropic claude-cli", antAPI, "claude-3-7-sonnet", "full ids:strict native preserve dropthinking A synth"},
		{"anthropic-vertex", antAPI, "claude-opus-4-6", nativeRecord},
		{"anthropic", "foo-api", "claude-opus-4-6", nativeRecord},
		{"amazon-bedrock bedrock aws-bedrock", brAPI, "anthropic.claude-opus-4-6-v1:0", anthropicRecord},
		{"amazon-bedrock", brAPI, "anthropic.claude-3-5-haiku-20241022-v1:0", "full ids:strict preserve dropthinking A synth"},
		{"amazon-bedrock", antAPI, "claude-opus-4-6", anthropicRecord},
		{"amazon-bedrock", brAPI, "amazon.nova-pro-v1:0", anthropicRecord},
		{"minimax minimax-cn minimax-portal minimax-portal-cn", antAPI, "MiniMax-M2.7", anthropicRecord},
		{"minimax minimax-cn minimax-portal minimax-portal-cn", ccAPI, "MiniMax-M2.7", chatRecord},
		{"clawrouter", antAPI, "claude-opus-4-6", nativeRecord},
		{"clawrouter", antAPI, "claude-2.1", "full ids:strict native preserve dropthinking A synth"},
		{"clawrouter", ggAPI, "gemini-3-pro", googleRecord},
		{"clawrouter", ccAPI, "x", chatKept},
		{"clawrouter", rspAPI, "x", "synth"},
		{"openai openai-codex chatgpt codex azure-openai azure azure-openai-responses", rspAPI, "gpt-5", "synth"},
		{"openai", "openai-codex-responses", "gpt-5", "synth"},
		{"azure-openai", "azure-openai-responses", "gpt-5", "synth"},
		{"openai azure-openai", ccAPI, "gpt-4o", "ids:strict"},
		{"google google-vertex vertex google-antigravity antigravity google-gemini-cli gemini-cli", ggAPI, "gemini-2.5-pro", googleRecord},
		{"google-vertex", "google-vertex", "gemini-2.5-pro", googleRecord},
		{"google-gemini-cli google-antigravity", cliAPI, "gemini-2.5-pro", googleRecord},
		{"mistral", ccAPI, "mistral-large-latest", "ids:strict9"},
		{"mistral", ccAPI, "anything", "ids:strict9"},
		{"mistral", "mistral-conversations", "magistral-medium", "ids:strict9"},
		{"openrouter", ccAPI, "openai/gpt-5", ""},
		{"openrouter", ccAPI, "mistralai/mistral-small-2603", "ids:strict9"},
		{"openrouter opencode opencode-go kilocode", ccAPI, "google/gemini-3-pro", "base64"},
		{"opencode opencode-go kilocode", ccAPI, "x", ""},
		{"github-copilot", rspAPI, "gpt-5.1", ""},
		{"github-copilot", ccAPI, "claude-sonnet-4", "dropthinking dropall"},
		{"xai meta", ccAPI, "grok-4", chatRecord},
		{"xai meta", rspAPI, "grok-4", "synth"},
		{"deepseek zai z-ai z.ai xiaomi xiaomi-token-plan novita novita-ai novitaai sglang gmi longcat", ccAPI, "x", chatKept},
		{"moonshot moonshotai", ccAPI, "kimi-k2.5", "ids:strict dup:openai AF G A"},
		{"moonshot", rspAPI, "kimi-k2.5", "synth"},
		{"kimi kimi-coding kimi-code", antAPI, "kimi-for-coding", "full ids:strict A synth"},
		{"kimi", ccAPI, "kimi-for-coding", "full ids:strict A synth"},
		{"ollama ollama-cloud", "ollama", "qwen3", "dropreasoning AF G A"},
		{"ollama ollama-cloud", ccAPI, "qwen3", chatRecord},
		{"ollama ollama-cloud", ccAPI, "devstral", mistralChat},
		{"ollama ollama-cloud", rspAPI, "qwen3", "synth"},
		{fallbackProviders, ccAPI, "some-model", chatRecord},
		{fallbackProviders, ccAPI, "moonshotai/kimi-k2.6:free", chatKept},
		{fallbackProviders, antAPI, "claude-opus-4-6", anthropicRecord},
		{fallbackProviders, antAPI, "claude-3-7-sonnet", "full ids:strict preserve dropthinking A synth"},
		{fallbackProviders, brAPI, "x", anthropicRecord},
		{fallbackProviders, ggAPI, "x", googleRecord},
		{fallbackProviders, cliAPI, "x", googleRecord},
		{fallbackProviders, rspAPI, "x", "synth"},
		{fallbackProviders, rspAPI, "anthropic/claude-4", "A synth"},
		{fallbackProviders, "google-vertex", "x", ""},
		{fallbackProviders, "ollama", "x", ""},
		{fallbackProviders, "foo-api", "x", ""},
	}
	for _, tt := range tests {
		for _, provider := range strings.Fields(tt.providers) {
			got := digest(resolve(t, provider, tt.api, tt.model, Options{}).Policy)
			if got != tt.want {
				t.Errorf("%s %s %s:\n got %q\nwant %q", provider, tt.api, tt.model, got, tt.want)
			}
		}
	}
}

// fallbackProviders are the last two rows of the matrix.
const fallbackProviders = "lmstudio vllm litellm together nvidia cohere huggingface volcengine volcengine-plan byteplus byteplus-plan " +
	"microsoft-foundry copilot-proxy groq cerebras fireworks fireworks-ai qwen cloudflare-ai-gateway vercel-ai-gateway venice qianfan synthetic mybox"

// TestOwnerWithoutRecord_PB03: a family with no record for the API gives the
// fallback, not bare defaults (P-B03).
func TestOwnerWithoutRecord_PB03(t *testing.T) {
	for _, provider := range []string{"xai", "deepseek", "ollama", "clawrouter"} {
		api, want := antAPI, anthropicRecord
		if provider == "clawrouter" {
			api = brAPI
		}
		res := resolve(t, provider, api, "some-model", Options{})
		if got := digest(res.Policy); got != want || res.Family != fallbackFamily {
			t.Errorf("%s: %q from family %s, want %q from the fallback", provider, got, res.Family, want)
		}
	}
}

// TestWorkedExamples_S10 walks file 10 §10.
func TestWorkedExamples_S10(t *testing.T) {
	yes, no := true, false
	tests := []struct {
		n                    int
		provider, api, model string
		entry                Entry
		want                 string
	}{
		{1, "openai", rspAPI, "gpt-5", Entry{}, "synth"},
		{2, "openrouter", ccAPI, "google/gemini-3-pro", Entry{}, "base64"},
		{3, "openrouter", ccAPI, "openrouter/mistral-large", Entry{}, "ids:strict9"},
		{4, "minimax-cn", antAPI, "MiniMax-M2.7", Entry{}, anthropicRecord},
		{5, "mybox", ccAPI, "q", Entry{Reasoning: &yes}, chatKept},
		{6, "mybox", antAPI, "claude-opus-4-6", Entry{SupportsReasoningEffort: &no}, "full ids:strict preserve dropthinking A synth"},
		{7, "github-copilot", rspAPI, "claude-opus-4", Entry{}, "dropthinking dropall"}, // dropall: P-27
		{8, "", "", "", Entry{}, ""},
		{9, "litellm", ccAPI, "mistral-small", Entry{}, mistralChat}, // P-B05
	}
	for _, tt := range tests {
		p := resolve(t, tt.provider, tt.api, tt.model, Options{Entry: tt.entry}).Policy
		if got := digest(p); got != tt.want {
			t.Errorf("example %d: got %q, want %q", tt.n, got, tt.want)
		}
	}
	p := resolve(t, "openrouter", ccAPI, "google/gemini-3-pro", Options{}).Policy
	if f := p.SanitizeThoughtSignatures; !f.AllowBase64Only || !f.IncludeCamelCase {
		t.Errorf("example 2: filter %+v, want base64 only and camel case too", f)
	}
}

// TestDerived_P04 proves the predicates of P-01 and P-04.
func TestDerived_P04(t *testing.T) {
	type derived struct{ responses, anthropic, hygiene, owned bool }
	tests := []struct {
		provider, api, model string
		want                 derived
	}{
		{"anthropic", antAPI, "claude-opus-4-6", derived{anthropic: true, hygiene: true, owned: true}},
		{"anthropic", antAPI, "claude-3-7-sonnet", derived{anthropic: true, hygiene: true}},
		{"minimax", antAPI, "MiniMax-M2.7", derived{anthropic: true, hygiene: true, owned: true}},
		{"kimi", antAPI, "kimi-for-coding", derived{anthropic: true}},
		{"amazon-bedrock", brAPI, "amazon.nova-pro-v1:0", derived{anthropic: true, hygiene: true, owned: true}},
		{"openai", "openai-chatgpt-responses", "gpt-5", derived{responses: true}},
		{"azure-openai", "azure-openai-responses", "gpt-5", derived{responses: true}},
		{"mybox", "OpenAI-Responses", "gpt-5", derived{}}, // P-01: case-sensitive
		{"google", ggAPI, "gemini-3-pro", derived{}},
	}
	for _, tt := range tests {
		p := resolve(t, tt.provider, tt.api, tt.model, Options{}).Policy
		got := derived{p.Responses, p.AnthropicFamily, p.SignatureHygiene, p.ProviderOwnedThinking}
		if got != tt.want {
			t.Errorf("%s %s %s: got %+v, want %+v", tt.provider, tt.api, tt.model, got, tt.want)
		}
	}
	c := userCatalogue(t, `{"providers":[{"id":"anthropic","source":"test","verified":"2026-01-02","rules":[{"set":{"preserveSignatures":false}}]}]}`)
	if p := resolve(t, "anthropic", antAPI, "claude-opus-4-6", Options{Catalogue: c}).Policy; !p.SignatureHygiene {
		t.Error("a signed-thinking provider has signature hygiene without preserveSignatures too")
	}
}
