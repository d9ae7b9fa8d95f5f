package policy

import (
	"strings"
	"testing"
)

// TestClaudeKeepsThinking_PB07 holds the table of P-20 as P-B07 corrects it.
func TestClaudeKeepsThinking_PB07(t *testing.T) {
	keeps := `claude-opus-4-6 claude-opus-4-5 claude-opus-4-5-20251101 claude-opus-4.8 claude-sonnet-4-6 anthropic/claude-sonnet-4.6
		us.anthropic.claude-opus-4-6-v1:0 claude-opus-5 claude-opus-5-5 claude-sonnet-5 claude-sonnet-5-5 claude-haiku-5-5
		claude-fable-5 claude-fable-5-1 claude-mythos-5 claude-mythos-preview claude-5-opus claude-10 claude_opus_4_6
		claude-x my-claude claude-latest MiniMax-M2.7 claude-opus-4-6@20260101`
	drops := `claude-3-7-sonnet claude-2.1 claude-instant-1.2 anthropic.claude-v2:1 claude-opus-4-1 claude-sonnet-4 claude-sonnet-4-20250514
		claude-sonnet-4-5 us.anthropic.claude-sonnet-4-5-v1:0 claude-haiku-4-5 claude-opus-4 claude-4-sonnet claude-opus-4-20250514 claude-sonnet-4-5@20250929`
	for want, list := range map[bool]string{false: keeps, true: drops} {
		for _, id := range strings.Fields(list) {
			for _, provider := range []string{"anthropic", "amazon-bedrock", "minimax", "clawrouter", "mybox"} {
				if got := resolve(t, provider, antAPI, id, Options{}).Policy.DropThinkingBlocks; got != want {
					t.Errorf("%s %s: dropThinkingBlocks %v, want %v", provider, id, got, want)
				}
			}
		}
	}
}

// TestCanonicalModelID_PB07: the canonical id of the entry replaces the id (P-B07).
func TestCanonicalModelID_PB07(t *testing.T) {
	arn := "arn:aws:bedrock:eu-west-1:1:application-inference-profile/abc"
	for id, want := range map[string]bool{"": false, "Anthropic/Claude-3.7-Sonnet": true, "claude-opus-4-6": false} {
		res := resolve(t, "amazon-bedrock", brAPI, arn, Options{Entry: Entry{CanonicalModelID: id}})
		if res.Policy.DropThinkingBlocks != want || res.Policy.Model.CanonicalModelID != id {
			t.Errorf("canonical id %q: dropThinkingBlocks %v, want %v", id, res.Policy.DropThinkingBlocks, want)
		}
	}
	res := resolve(t, "mybox", antAPI, "claude-2.1", Options{Entry: Entry{CanonicalModelID: "claude-opus-4-6"}})
	if res.Policy.DropThinkingBlocks {
		t.Error("the canonical id must stand in for the id, not beside it")
	}
}

// TestClaudeOnResponses_P21 proves the word test (P-21).
func TestClaudeOnResponses_P21(t *testing.T) {
	for id, want := range map[string]bool{
		"anthropic/claude-4": true, "claude": true, "x:claude_3": true, "Claude.4": true,
		"myclaude": false, "claudette": false, "gpt-5": false,
	} {
		if got := resolve(t, "mybox", rspAPI, id, Options{}).Policy.ValidateAnthropicTurns; got != want {
			t.Errorf("%s: validateAnthropicTurns %v, want %v", id, got, want)
		}
	}
}

// TestMistralByModel_PB05 covers P-22 as well (P-B05).
func TestMistralByModel_PB05(t *testing.T) {
	tests := []struct {
		providers, api, models string
		want                   bool
	}{
		{
			"openrouter litellm vllm together groq github-copilot deepseek kilocode mybox", ccAPI,
			"mistralai/x mistral/x openrouter/mistral-large mistral-large-latest codestral-latest devstral devstral:24b ministral-8b " +
				"mixtral-8x7b mixtral_8x7b pixtral-12b voxtral-small magistral-medium mathstral-7b mistralai/Mistral-7B-Instruct-v0.3 mistral7b a/b/mistral.v2",
			true,
		},
		{"openrouter vllm mybox", ccAPI, "qwen3 my-mistral x/notmistral mistralish gpt-5", false},
		{"openai azure-openai anthropic google amazon-bedrock", ccAPI, "mistral-large", false}, // native families
		{"mybox xai", "mistral-conversations", "whatever", true},
		{"mybox", rspAPI, "mistral-large", false}, // P-B04
	}
	for _, tt := range tests {
		for _, provider := range strings.Fields(tt.providers) {
			for _, model := range strings.Fields(tt.models) {
				p := resolve(t, provider, tt.api, model, Options{}).Policy
				if got := p.SanitizeToolCallIDs && p.ToolCallIDMode == IDStrict9; got != tt.want {
					t.Errorf("%s %s %s: strict9 %v, want %v", provider, tt.api, model, got, tt.want)
				}
				if tt.want && (!p.BridgeToolResults || p.Wire.Prefill != PrefillNever) {
					t.Errorf("%s %s %s: W-805 and W-807 ask for a bridge and no prefill", provider, tt.api, model)
				}
			}
		}
	}
}

// TestReasoningKept_P23 holds the examples of P-23 and P-24.
func TestReasoningKept_P23(t *testing.T) {
	yes, no := true, false
	tests := []struct {
		provider, model string
		reasoning       *bool
		written         bool
		drops           bool
	}{
		{"mybox", "moonshotai/kimi-k2.6:free", nil, false, false},
		{"mybox", "acme:kimi-k2.5", nil, false, false},
		{"mybox", "a/b:kimi-k2.5", nil, false, false},
		{"mybox", "KIMI-K3", nil, false, false},
		{"mybox", "mimo-v2.6-pro-ultraspeed", nil, false, false},
		{"mybox", "kimi-k2.6-preview", nil, false, true},
		{"mybox", "kimi-k2.5/other", nil, false, true},
		{"mybox", "qwen3", &yes, false, false},
		{"mybox", "qwen3", &no, false, true},
		{"mybox", "qwen3", nil, false, true},
		{"mybox", "kimi-k2.6", &no, false, false},
		{"xai", "grok-4", &yes, false, true}, // P-24: an owner's builder wins over a catalogue entry
		{"xai", "grok-4", &yes, true, false}, // P-B06: not over an entry that the user wrote
		{"xai", "grok-4", &no, true, true},
		{"xai", "grok-4", nil, true, true},
	}
	for _, tt := range tests {
		e := Entry{Reasoning: tt.reasoning, UserWritten: tt.written}
		if got := resolve(t, tt.provider, ccAPI, tt.model, Options{Entry: e}).Policy.DropReasoningFromHistory; got != tt.drops {
			t.Errorf("%+v: dropReasoningFromHistory %v", tt, got)
		}
	}
	if digest(resolve(t, "mybox", antAPI, "x", Options{Entry: Entry{Reasoning: &yes}}).Policy) != anthropicRecord {
		t.Error("P-24: reasoning has no effect on other APIs")
	}
}

// TestAntigravityClaude_PB01 proves the flag and its limits (P-B01).
func TestAntigravityClaude_PB01(t *testing.T) {
	for target, want := range map[Target]bool{
		{"google-antigravity", "", "claude-sonnet-4-5"}: true,
		{"Antigravity", cliAPI, "claude-opus-4-6"}:      true,
		{"google-antigravity", "", "gemini-3-pro"}:      false,
		{"google-antigravity", "", "myclaude"}:          false,
		{"google-gemini-cli", "", "claude-sonnet-4-5"}:  false,
	} {
		p := resolve(t, target.Provider, target.API, target.Model, Options{}).Policy
		if p.SanitizeThinkingSignatures != want {
			t.Errorf("%+v: sanitizeThinkingSignatures %v", target, !want)
		}
	}
}

// TestNoIDRewritingOnResponses_PB04: not even a user's profile switches it on,
// and the trace says why (P-B04).
func TestNoIDRewritingOnResponses_PB04(t *testing.T) {
	c := userCatalogue(t, `{"providers":[{"id":"xai","source":"test","verified":"2026-01-02","rules":[{"set":{"sanitizeToolCallIds":true,"toolCallIdMode":"strict"}}]}]}`)
	res := resolve(t, "xai", rspAPI, "grok-4", Options{Catalogue: c})
	if res.Policy.SanitizeToolCallIDs || res.Policy.ToolCallIDMode != "" {
		t.Error("ids are rewritten on a Responses route")
	}
	e := traceOf(res, "sanitizeToolCallIds")
	if e == nil || !strings.Contains(e.Source, "P-B04") || string(e.Value) != "false" {
		t.Errorf("trace %+v does not name P-B04", e)
	}
}

// TestDefaultAPI_PB09 holds the list of P-B09.
func TestDefaultAPI_PB09(t *testing.T) {
	tests := []struct{ providers, model, api string }{
		{"anthropic claude-cli anthropic-vertex minimax minimax-cn minimax-portal minimax-portal-cn kimi kimi-coding", "x", antAPI},
		{"cloudflare-ai-gateway vercel-ai-gateway clawrouter", "anthropic/claude-sonnet-4-5", antAPI},
		{"cloudflare-ai-gateway vercel-ai-gateway clawrouter", "gpt-5", ccAPI},
		{"amazon-bedrock bedrock", "x", brAPI},
		{"openai chatgpt codex", "gpt-5.1", rspAPI},
		{"openai-codex OpenAI-Codex", "gpt-5.1", "openai-chatgpt-responses"},
		{"azure-openai azure azure-openai-responses", "x", "azure-openai-responses"},
		{"google", "x", ggAPI},
		{"google-vertex vertex", "x", "google-vertex"},
		{"google-gemini-cli google-antigravity antigravity", "x", cliAPI},
		{"ollama ollama-cloud", "x", "ollama"},
		{"mistral openrouter deepseek github-copilot vllm nobody", "x", ccAPI},
	}
	for _, tt := range tests {
		for _, provider := range strings.Fields(tt.providers) {
			res := resolve(t, provider, "", tt.model, Options{})
			if res.Target.API != tt.api || res.DefaultedAPI != tt.api {
				t.Errorf("%s: api %q, defaulted %q, want %q", provider, res.Target.API, res.DefaultedAPI, tt.api)
			}
			if e := traceOf(res, "target.api"); e == nil || e.Source != "P-B09" {
				t.Errorf("%s: the trace does not name the default API: %+v", provider, e)
			}
		}
	}
	if res := resolve(t, "nobody", "", "none", Options{}); res.UnknownProvider != "nobody" || res.Family != fallbackFamily {
		t.Errorf("unknown provider %q, family %q", res.UnknownProvider, res.Family)
	}
	if res := resolve(t, "openai", ccAPI, "gpt-5", Options{}); res.DefaultedAPI != "" || res.UnknownProvider != "" {
		t.Errorf("nothing was defaulted here: %+v", res)
	}
}

// TestAPIOwnerHint_P08: an entry's api can name the owner (P-08).
func TestAPIOwnerHint_P08(t *testing.T) {
	tests := []struct{ provider, hint, api, want string }{
		{"mybox", "ollama", "", "dropreasoning AF G A"},
		{"mybox", "openrouter", "", ""},
		{"mybox", "xai", antAPI, anthropicRecord},
		{"mybox", antAPI, "", anthropicRecord},
		{"mybox", "google-vertex", "", ""},                     // an API here, not the provider of that name
		{"mybox", "azure-openai-responses", ccAPI, chatRecord}, // likewise
		{"xai", "ollama", ccAPI, chatRecord},                   // a provider literally called so exists
		{"mybox", "openai-codex-responses", "", "synth"},
	}
	for _, tt := range tests {
		res := resolve(t, tt.provider, tt.api, "q", Options{Entry: Entry{API: tt.hint}})
		if got := digest(res.Policy); got != tt.want {
			t.Errorf("%+v: got %q (%+v)", tt, got, res.Target)
		}
	}
}

// TestKimiIDs_D24: only Kimi targets keep the native form, and only in the
// format that takes it (AN-08).
func TestKimiIDs_D24(t *testing.T) {
	for target, want := range map[Target]bool{
		{"moonshot", ccAPI, "anything"}:                true,
		{"kimi-coding", ccAPI, "anything"}:             true,
		{"kimi-coding", antAPI, "anything"}:            false,
		{"groq", ccAPI, "moonshotai/Kimi-K2-Instruct"}: true,
		{"vllm", ccAPI, "kimi-k2"}:                     true,
		{"vllm", ccAPI, "my-kimi-k2"}:                  false,
		{"anthropic", antAPI, "claude-opus-4-6"}:       false,
	} {
		if got := resolve(t, target.Provider, target.API, target.Model, Options{}).Policy.KeepKimiToolCallIDs; got != want {
			t.Errorf("%+v: keepKimiToolCallIds %v", target, got)
		}
	}
}

func traceOf(res *Resolution, field string) *TraceEntry {
	for i := range res.Trace {
		if res.Trace[i].Field == field {
			return &res.Trace[i]
		}
	}
	return nil
}
