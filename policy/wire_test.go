package policy

import (
	"slices"
	"strings"
	"testing"
)

// TestClaudeFacts holds what W-116, W-207, W-216, W-217 and W-222 say about
// each generation, in every spelling that hosts use.
func TestClaudeFacts(t *testing.T) {
	type facts struct {
		thinking ThinkingKind
		def      ThinkingDefault
		bound    bool
		sampling Sampling
		prefill  Prefill
		noForced bool
	}
	old := facts{"", ThinksOff, false, SamplingAny, PrefillThinking, false}
	manual := facts{ThinkingManual, ThinksOff, false, SamplingAny, PrefillThinking, false}
	manualOne := facts{ThinkingManual, ThinksOff, false, SamplingOne, PrefillThinking, false}
	tests := []struct {
		ids  string
		want facts
	}{
		{"claude-2.1 anthropic.claude-v2:1 claude-instant-1.2 claude-3-opus-20240229 claude-3-haiku claude-3-5-sonnet-20241022 claude-3.5-haiku anthropic.claude-3-5-sonnet-20241022-v2:0 claude-haiku-3.5", old},
		{"claude-3-7-sonnet claude-3.7-sonnet-thought us.anthropic.claude-3-7-sonnet-20250219-v1:0", manual},
		{"claude-opus-4 claude-sonnet-4 claude-sonnet-4-20250514 claude-opus-4-0 claude-sonnet-4@20250514 us.anthropic.claude-sonnet-4-20250514-v1:0", manual},
		{"claude-opus-4-1 claude-opus-4.1 claude-opus-4-1-20250805", manualOne},
		{"claude-opus-4-5 claude-sonnet-4.5 claude-haiku-4-5-20251001 global.anthropic.claude-sonnet-4-5-20250929-v1:0 anthropic/claude-4.5-sonnet", manualOne},
		{"claude-opus-4-6 claude-sonnet-4.6 eu.anthropic.claude-opus-4-6-v1:0", facts{ThinkingAdaptive, ThinksOff, false, SamplingOne, PrefillNever, false}},
		{"claude-opus-4-7 claude-opus-4.8 claude-sonnet-4-7", facts{ThinkingAdaptive, ThinksOff, false, SamplingDefaultOnly, PrefillNever, false}},
		{"claude-opus-5 claude-sonnet-5 claude-sonnet-5-20260801 claude-fable-5 claude-haiku-5 claude-mythos-5", facts{ThinkingAdaptive, ThinksOn, true, SamplingDefaultOnly, PrefillNever, false}},
		{"claude-sonnet-5-5 claude-sonnet-5.5", facts{ThinkingAdaptive, ThinksOn, true, SamplingDefaultOnly, PrefillNever, false}},
		// File 90 §9: what no list knows counts as the newest generation.
		{"claude-opus-5-5 claude-opus-5.5 claude-fable-5-1 claude-opus-6 claude-saga-7-2 claude-x claude-latest", facts{ThinkingAdaptive, ThinksAlways, true, SamplingDefaultOnly, PrefillNever, true}},
	}
	for _, tt := range tests {
		for _, id := range strings.Fields(tt.ids) {
			for provider, api := range map[string]string{"anthropic": antAPI, "amazon-bedrock": brAPI, "mybox": antAPI} {
				p := resolve(t, provider, api, id, Options{}).Policy
				got := facts{p.Model.Thinking, p.Model.ThinkingDefault, p.Model.BoundThinking, p.Wire.Sampling, p.Wire.Prefill, p.Wire.NoForcedToolChoice}
				if got != tt.want {
					t.Errorf("%s %s:\n got %+v\nwant %+v", provider, id, got, tt.want)
				}
				if p.Model.Reasoning != (tt.want.thinking != "") || !p.Model.Images {
					t.Errorf("%s %s: model %+v", provider, id, p.Model)
				}
			}
		}
	}
	for id, want := range map[string][2]bool{ // W-216, W-207
		"claude-sonnet-5-5": {true, true}, "claude-sonnet-5": {false, true}, "claude-opus-5": {false, false},
	} {
		w := resolve(t, "anthropic", "", id, Options{}).Policy.Wire
		if w.ThinkingBetweenTools != want[0] || w.NoServiceTier != want[1] {
			t.Errorf("%s: between tools %v, no service tier %v", id, w.ThinkingBetweenTools, w.NoServiceTier)
		}
	}
}

// TestIDForm_D47: W-206, W-408, W-606, W-706.
func TestIDForm_D47(t *testing.T) {
	for api, want := range map[string]int{antAPI: 64, brAPI: 64, ccAPI: 40, ggAPI: 64, cliAPI: 64, "google-vertex": 64, rspAPI: 0, "ollama": 0, "foo": 0} {
		if got := resolve(t, "mybox", api, "x", Options{}).Policy.ToolCallIDForm.Max; got != want {
			t.Errorf("%s: %d characters, want %d", api, got, want)
		}
	}
}

// TestBridge_D33: W-712, W-805.
func TestBridge_D33(t *testing.T) {
	for target, want := range map[Target]bool{
		{"mistral", "", "x"}:                                          true,
		{"mybox", "mistral-conversations", "x"}:                       true,
		{"vllm", "", "mistralai/Mistral-7B"}:                          true,
		{"amazon-bedrock", "", "amazon.nova-pro"}:                     true,
		{"amazon-bedrock", "", "eu.anthropic.claude-sonnet-4-5-v1:0"}: false,
		{"anthropic", "", "claude-opus-4-6"}:                          false,
		{"vllm", "", "qwen3"}:                                         false,
		{"google", "", "gemini-3-pro"}:                                false,
	} {
		if got := resolve(t, target.Provider, target.API, target.Model, Options{}).Policy.BridgeToolResults; got != want {
			t.Errorf("%+v: bridge %v", target, got)
		}
	}
}

// TestPrefill: W-220…W-222, W-521, W-541, W-710, W-807.
func TestPrefill(t *testing.T) {
	router := Entry{BaseURL: "https://openrouter.ai/api/v1"}
	custom := Entry{BaseURL: "https://proxy.example/v1"}
	fake := Entry{BaseURL: "https://notopenrouter.ai/v1"}
	tests := []struct {
		provider, api, model string
		entry                Entry
		want                 Prefill
	}{
		{"anthropic", "", "claude-sonnet-4-5", Entry{}, PrefillThinking},
		{"cloudflare-ai-gateway", "", "claude-sonnet-4-5", Entry{}, PrefillThinking},
		{"minimax", "", "MiniMax-M2.7", Entry{}, PrefillThinking},
		{"amazon-bedrock", "", "anthropic.claude-opus-4-1", Entry{}, PrefillThinking},
		{"amazon-bedrock", "", "meta.llama3-70b", Entry{}, PrefillNever}, // BR-15
		{"openrouter", "", "anthropic/claude-sonnet-4.5", Entry{}, PrefillThinking},
		{"openrouter", "", "openrouter/anthropic/claude-sonnet-4.5", router, PrefillThinking},
		{"openrouter", "", "anthropic/claude-sonnet-4.5", custom, PrefillAllowed},
		{"openrouter", "", "anthropic/claude-sonnet-4.5", fake, PrefillAllowed},
		{"openrouter", "", "openai/gpt-5", Entry{}, PrefillAllowed},
		{"mybox", ccAPI, "anthropic/claude-sonnet-4.5", router, PrefillThinking},
		{"mistral", "", "x", Entry{}, PrefillNever},
		{"openrouter", "", "mistralai/mistral-small", Entry{}, PrefillNever},
		{"vllm", "", "qwen3", Entry{}, PrefillThinking},
		{"lmstudio", "", "qwen3", Entry{}, PrefillThinking},
		{"llama.cpp", "", "qwen3", Entry{}, PrefillThinking},
		{"ollama", ccAPI, "qwen3", Entry{}, PrefillThinking},
		{"ollama-cloud", ccAPI, "qwen3", Entry{}, PrefillThinking},
		{"sglang", ccAPI, "qwen3", Entry{}, PrefillThinking},
		{"ollama", "", "qwen3", Entry{}, PrefillThinking},
		{"openai", ccAPI, "gpt-4o", Entry{}, PrefillAllowed},
		{"openai", rspAPI, "gpt-5", Entry{}, PrefillAllowed},
		{"google", "", "gemini-3-pro", Entry{}, PrefillAllowed},
		{"deepseek", "", "deepseek-chat", Entry{}, PrefillAllowed},
	}
	for _, tt := range tests {
		got := resolve(t, tt.provider, tt.api, tt.model, Options{Entry: tt.entry}).Policy.Wire.Prefill
		if got != tt.want {
			t.Errorf("%s %s %s: %s, want %s", tt.provider, tt.model, tt.entry.BaseURL, got, tt.want)
		}
	}
}

// TestReasoningReplay: W-421…W-425, W-501, W-409 with D-30.
func TestReasoningReplay(t *testing.T) {
	yes := true
	tests := []struct {
		provider, model string
		reasoning       *bool
		want            ReasoningReplay
		required        string
	}{
		{"vllm", "qwen3", nil, ReasoningRound, ""},
		{"nobody", "x", nil, ReasoningRound, ""},
		{"vllm", "qwen3", &yes, ReasoningRecorded, ""},
		{"vllm", "kimi-k2.5", &yes, ReasoningContent, "calls"},
		{"nobody", "acme/kimi-k2.6-free:fast", nil, ReasoningContent, "calls"},
		{"nobody", "deepseek-v4-pro", nil, ReasoningContent, "calls"},
		{"nobody", "mimo-v2-pro", nil, ReasoningContent, ""},
		{"deepseek", "deepseek-chat", nil, ReasoningContent, "calls"},
		{"deepseek", "deepseek-reasoner", &yes, ReasoningContent, "calls"},
		{"moonshot", "kimi-k2.5", nil, ReasoningContent, "calls"},
		{"kimi", "kimi-for-coding", nil, ReasoningContent, "calls"},
		{"kimi", "x", nil, ReasoningContent, "calls"},
		{"moonshot", "x", nil, ReasoningContent, "calls"},
		{"xiaomi", "x", nil, ReasoningContent, ""},
		{"xiaomi-token-plan", "x", nil, ReasoningContent, ""},
		{"novita", "x", nil, ReasoningRecorded, ""},
		{"gmi", "x", nil, ReasoningRecorded, ""},
		{"longcat", "x", nil, ReasoningRecorded, ""},
		{"clawrouter", "x", nil, ReasoningRecorded, ""},
		{"xiaomi", "mimo-v2-pro", nil, ReasoningContent, ""},
		{"zai", "glm-4.6", nil, ReasoningContent, ""},
		{"sglang", "x", nil, ReasoningRecorded, ""},
		{"openrouter", "google/gemini-3-pro", nil, ReasoningOpenRouter, ""},
		{"openrouter", "moonshotai/kimi-k2.5", &yes, ReasoningOpenRouter, ""},
		{"openrouter", "deepseek/deepseek-v4-pro", nil, ReasoningContent, "all"}, // W-523
		{"openrouter", "anthropic/claude-sonnet-4.5", nil, ReasoningDetails, ""},
		{"openrouter", "openrouter/x-ai/grok-4", nil, ReasoningDetails, ""},
		{"openai", "gpt-4o-mini", nil, ReasoningNone, ""},
		{"azure-openai", "gpt-4o-mini", nil, ReasoningNone, ""},
		{"groq", "openai/gpt-oss-120b", nil, ReasoningNone, ""},
		{"groq", "moonshotai/kimi-k2.5", &yes, ReasoningNone, ""},
		{"cerebras", "gpt-oss-120b", nil, ReasoningNone, ""},
		{"mistral", "mistral-large-latest", &yes, ReasoningNone, ""},
	}
	for _, tt := range tests {
		w := resolve(t, tt.provider, ccAPI, tt.model, Options{Entry: Entry{Reasoning: tt.reasoning}}).Policy.Wire
		if w.ReasoningReplay != tt.want || w.ReasoningRequired != tt.required {
			t.Errorf("%s %s: %q required %q, want %q required %q", tt.provider, tt.model, w.ReasoningReplay, w.ReasoningRequired, tt.want, tt.required)
		}
		if w.StrictKeys && w.ReasoningReplay != ReasoningNone {
			t.Errorf("%s: strict keys with reasoning (D-30)", tt.provider)
		}
	}
}

// TestStrictKeys_W409 lists the strict hosts, and W-401, W-411 on OpenAI's own.
func TestStrictKeys_W409(t *testing.T) {
	for provider, want := range map[string]bool{
		"openai": true, "groq": true, "cerebras": true, "mistral": true, "azure-openai": true, "vllm": false, "deepseek": false, "nobody": false,
	} {
		w := resolve(t, provider, ccAPI, "x", Options{}).Policy.Wire
		if w.StrictKeys != want {
			t.Errorf("%s: strict keys %v", provider, w.StrictKeys)
		}
		if own := provider == "openai" || provider == "azure-openai"; own != (w.MaxTokensField == "max_completion_tokens") || own != w.StreamUsage || own != w.DeveloperRole {
			t.Errorf("%s: %+v", provider, w)
		}
		if w.Store != (provider == "openai") || w.StringContent {
			t.Errorf("%s: %+v", provider, w)
		}
	}
	w := resolve(t, "openai", ccAPI, "x", Options{Entry: Entry{BaseURL: "http://localhost:8000/v1"}}).Policy.Wire
	if w.StrictKeys || w.DeveloperRole || w.Store || w.MaxTokensField != "max_tokens" {
		t.Errorf("another server under OpenAI's name: %+v", w)
	}
}

// TestImages: W-101 for models, W-104 and file 90 for limits.
func TestImages(t *testing.T) {
	takes := `anthropic/claude-opus-4-6 openai/gpt-4o openai/gpt-4.1 openai/gpt-5.1 google/gemini-3-pro-preview xai/grok-4 moonshot/kimi-k2.5 mistral/pixtral-12b
		mistral/mistral-large-latest mistral/mistral-medium-latest vllm/qwen2.5-vl-7b lmstudio/qwen3-vl-8b ollama/llava kimi-coding/kimi-for-coding nobody/none
		zai/glm-4.5v ollama/llama3.2-vision:11b vllm/qwen3 ollama/gemma3:4b vllm/deepseek-vl2`
	text := `deepseek/deepseek-chat deepseek/deepseek-reasoner groq/openai/gpt-oss-120b xai/grok-3-mini mistral/codestral-latest vllm/moonshotai/kimi-k2
		openai/gpt-3.5-turbo minimax/MiniMax-M2.7 zai/glm-4.6 vllm/qwen3-coder ollama/llama3.1:8b ollama/deepseek-r1:7b openai/o3-mini`
	for want, list := range map[bool]string{true: takes, false: text} {
		for _, s := range strings.Fields(list) {
			target, err := ParseTarget(s)
			if err != nil {
				t.Fatal(err)
			}
			if got := resolve(t, target.Provider, "", target.Model, Options{}).Policy.Model.Images; got != want {
				t.Errorf("%s: images %v, want %v", s, got, want)
			}
		}
	}
	limits := []struct {
		provider, api, model string
		count, text          int
		side, body           int
		types                string
	}{
		{"anthropic", antAPI, "claude-opus-4-6", 100, 5242880, 2000, 32000000, "image/png image/jpeg image/gif image/webp"}, // AN-40, AN-43…AN-46
		{"kimi-coding", antAPI, "kimi-for-coding", 100, 5242880, 2000, 32000000, "image/png image/jpeg"},
		{"amazon-bedrock", brAPI, "x", 20, 5242880, 8000, 0, "image/png image/jpeg image/gif image/webp"},         // BR-16
		{"google", ggAPI, "gemini-3", 0, 0, 0, 20000000, "image/png image/jpeg image/webp image/heic image/heif"}, // GG-16, GG-17
		{"mistral", ccAPI, "x", 8, 13333333, 0, 0, "image/png image/jpeg image/webp image/gif"},                   // MI-12
		{"nobody", "mistral-conversations", "x", 8, 13333333, 0, 0, "image/png image/jpeg image/webp image/gif"},  // MI-12
		{"xai", ccAPI, "grok-4", 0, 0, 0, 0, "image/png image/jpeg"},
		{"lmstudio", ccAPI, "x", 0, 0, 0, 0, "image/png image/jpeg image/webp"},
		{"openai", ccAPI, "gpt-4o", 0, 0, 0, 0, "image/png image/jpeg image/webp image/gif"},
		{"azure-openai", ccAPI, "gpt-4o", 0, 0, 0, 0, "image/png image/jpeg image/webp image/gif"},
		{"azure-openai", "azure-openai-responses", "gpt-5", 0, 0, 0, 0, "image/png image/jpeg image/webp image/gif"},
		{"openai", "openai-chatgpt-responses", "gpt-5", 0, 0, 0, 0, "image/png image/jpeg image/webp image/gif"},
		{"google-gemini-cli", cliAPI, "gemini-3", 0, 0, 0, 20000000, "image/png image/jpeg image/webp image/heic image/heif"},
		{"google-vertex", "google-vertex", "gemini-3", 0, 0, 0, 20000000, "image/png image/jpeg image/webp image/heic image/heif"},
		{"openai", rspAPI, "gpt-5", 0, 0, 0, 0, "image/png image/jpeg image/webp image/gif"}, // OR-20
		{"nobody", ccAPI, "x", 0, 0, 0, 0, ""},
	}
	for _, tt := range limits {
		w := resolve(t, tt.provider, tt.api, tt.model, Options{}).Policy.Wire
		if w.MaxImages != tt.count || w.MaxImageText != tt.text || w.MaxImageSide != tt.side || w.MaxBodyBytes != tt.body || !slices.Equal(w.ImageTypes, strings.Fields(tt.types)) {
			t.Errorf("%s: %d images of %d, %d px, body %d, types %q", tt.provider, w.MaxImages, w.MaxImageText, w.MaxImageSide, w.MaxBodyBytes, w.ImageTypes)
		}
	}
}

// TestWireFlags covers the flags of single endpoints and models: the named
// field must be true for the first list of targets and false for the second.
func TestWireFlags(t *testing.T) {
	tests := []struct {
		rule    string
		flag    func(*Policy) bool
		on, off string // provider|api|model
	}{
		{
			"W-230 W-522 W-711", func(p *Policy) bool { return p.Wire.CacheMarkers },
			"anthropic||claude-opus-4-6 openrouter||anthropic/claude-x amazon-bedrock||anthropic.claude-sonnet-4-5",
			"openrouter||google/gemini amazon-bedrock||meta.llama3 amazon-bedrock||anthropic.claude-3-haiku openai||gpt-5",
		},
		{"W-252 M2", func(p *Policy) bool { return p.Wire.ThinkingDisabledDefault }, "minimax||MiniMax-M2.7 minimax||MiniMax-M2", "minimax||MiniMax-M3 anthropic||claude-x"},
		{"W-252 M3", func(p *Policy) bool { return p.Wire.EnabledAsAdaptive }, "minimax||MiniMax-M3 minimax-cn||MiniMax-M3.1", "minimax||MiniMax-M2.7 anthropic||claude-x"},
		{"W-213", func(p *Policy) bool { return p.Wire.ReasoningContentSigned }, "xiaomi|anthropic-messages|mimo-v2-pro", "anthropic||claude-x"},
		{"W-253 LO-10", func(p *Policy) bool { return p.Wire.SingleSystem }, "minimax|openai-completions|MiniMax-M2.7 minimax-portal|openai-completions|x vllm||x lmstudio||x ollama|openai-completions|x", "openai|openai-completions|x"},
		{"W-403 LO-05", func(p *Policy) bool { return p.Wire.NoNullContent }, "lmstudio||x", "vllm||x openai|openai-completions|x"},
		{"W-406 W-803", func(p *Policy) bool { return p.Wire.ToolResultName }, "mistral||x mybox|mistral-conversations|x", "openai|openai-completions|x"},
		{"W-412", func(p *Policy) bool { return p.Wire.EmptyTools }, "litellm||claude-opus-4-6", "litellm||gpt-5 openai|openai-completions|x"},
		{"W-431", func(p *Policy) bool { return p.Wire.GoogleExtraContent }, "google|openai-completions|gemini-2.5-pro", "google||gemini-3 openrouter||google/gemini-3"},
		{
			"W-612 W-431", func(p *Policy) bool { return p.Wire.SkipSignatureAllowed }, "google||gemini-3-pro google|openai-completions|gemini-3-pro google||gemini-flash-latest google-vertex||gemini-3.1-pro",
			"google||gemini-2.5-flash google-antigravity||claude-sonnet-4-5 openrouter||google/gemini-3",
		},
		{"W-606", func(p *Policy) bool { return p.Wire.FunctionCallIDs }, "google||gemini-3-pro google-antigravity||claude-x google-antigravity||anthropic.claude-x google-antigravity||gpt-oss-120b", "google||gemini-2.5-flash"},
		{"W-605", func(p *Policy) bool { return p.Wire.FunctionResponseImages }, "google||gemini-3-pro google-antigravity||claude-x", "google||gemini-2.5-flash google||gemini-2.0-flash"},
		{"W-621", func(p *Policy) bool { return p.Wire.ThinkingLevel }, "google||gemini-3-pro", "google||gemini-2.5-pro"},
		{"W-622", func(p *Policy) bool { return p.Wire.LegacyToolParameters }, "google-antigravity||claude-x google-gemini-cli||claude-x", "google-antigravity||gemini-3 google||claude-x"},
		{"W-704", func(p *Policy) bool { return p.Wire.SignedReasoning }, "amazon-bedrock||anthropic.claude-sonnet-4-5", "amazon-bedrock||deepseek.r1-v1:0"},
		{"W-705 BR-24", func(p *Policy) bool { return p.Wire.ToolResultStatus }, "amazon-bedrock||anthropic.claude-x amazon-bedrock||us.amazon.nova-pro-v1:0", "amazon-bedrock||meta.llama3"},
		{"W-333", func(p *Policy) bool { return p.Wire.NoItemStatus }, "mybox|openai-responses|x xai|openai-responses|x", "openai||x azure-openai||x azure-openai|openai-responses|x github-copilot|openai-responses|x openai-codex||x"},
		{"W-332", func(p *Policy) bool { return p.Wire.NoPromptCacheKey }, "mybox|openai-responses|x github-copilot|openai-responses|x", "openai||x azure-openai||x openai-codex||x"},
		{"W-331", func(p *Policy) bool { return p.Wire.EffortNone }, "openai||gpt-5.1", "openai||gpt-5 openai||gpt-4o openai||o3"},
		{"D-40", func(p *Policy) bool { return !p.Wire.StoreItems }, "openai||gpt-5 azure-openai||gpt-5", ""},
		{"W-101", func(p *Policy) bool { return p.Model.Images }, "vllm||mistralai/Mistral-7B-Instruct-v0.3 ollama|openai-completions|llava-v1.6-mistral-7b", "vllm||mixtral-8x7b deepseek||deepseek-chat"},
		{"LO-03 CC-23", func(p *Policy) bool { return p.Wire.StrictAlternation }, "vllm||mistralai/Mistral-7B-Instruct-v0.3 perplexity||sonar ollama|openai-completions|gemma3:4b", "vllm||qwen3 openai|openai-completions|x"},
		{"W-176", func(p *Policy) bool { return p.Wire.ToolNameMax == 128 }, "anthropic||claude-x", "openai||x google||x amazon-bedrock||x nobody||x"},
		{"W-542", func(p *Policy) bool { return p.Wire.ReasoningEffort == "chat_template_kwargs" }, "vllm||qwen3 vllm||nvidia/nemotron", "vllm||x"},
		{"W-502", func(p *Policy) bool { return p.Wire.ReasoningEffort == "reasoning" }, "openrouter||openai/gpt-5", "openai|openai-completions|gpt-5"},
		{"W-532", func(p *Policy) bool { return p.Wire.ReasoningEffort == "thinking" }, "moonshot||kimi-k2.5 deepseek||deepseek-chat zai||glm-4.6 kimi|openai-completions|x", "xai||grok-4"},
		{"W-243", func(p *Policy) bool {
			return p.Wire.MaxTokensField == "max_tokens" && p.Wire.ReasoningEffort == "" && !p.Wire.Store
		}, "cloudflare-ai-gateway|openai-completions|gpt-5", ""},
		{"W-207", func(p *Policy) bool { return p.Wire.Sampling == SamplingAny }, "minimax||MiniMax-M2.7 kimi||x amazon-bedrock||anthropic.claude-3-7-sonnet", "anthropic||claude-opus-4-6"},
		{"W-411", func(p *Policy) bool { return p.Wire.MaxTokensField == "max_tokens" }, "mistral||x mybox|mistral-conversations|x nobody||x", "openai|openai-completions|x"},
		{"W-523", func(p *Policy) bool { return p.Wire.ReasoningOffDrops && p.Wire.Efforts["max"] == "xhigh" }, "openrouter||deepseek/deepseek-v4-flash", "openrouter||deepseek/deepseek-r1 deepseek||deepseek-v4-pro"},
		{"W-542 Nemotron", func(p *Policy) bool { return p.Wire.NonemptyContent }, "vllm||nvidia/nemotron-nano", "vllm||qwen3"},
		{"W-243 strict", func(p *Policy) bool { return p.Wire.NoStrictTools }, "cloudflare-ai-gateway||gpt-5", "cloudflare-ai-gateway||claude-x openai|openai-completions|gpt-5"},
		{"OR-19 minimal", func(p *Policy) bool { return p.Wire.Efforts["minimal"] == "low" }, "openai||gpt-5.1 openai||o3 openai||gpt-5.2 groq||openai/gpt-oss-120b xai||grok-3-mini", "openai||gpt-5 openai||gpt-5-mini"},
		{"OR-19 xhigh", func(p *Policy) bool { return p.Wire.Efforts["max"] == "xhigh" }, "openai||gpt-5.2", "openai||gpt-5.1 openai||gpt-5"},
		{
			"reasoning_effort", func(p *Policy) bool { return p.Wire.ReasoningEffort == "reasoning_effort" },
			"openai|openai-completions|gpt-5 azure-openai|openai-completions|gpt-5 github-copilot||gpt-5.1 groq||openai/gpt-oss-120b cerebras||gpt-oss-120b xai||grok-3-mini", "xai||grok-4 groq||llama-3.3 nobody||x cloudflare-ai-gateway||gpt-5",
		},
		{"W-551", func(p *Policy) bool { return p.Wire.StringContent }, "ollama||x", "ollama|openai-completions|x"},
	}
	for _, tt := range tests {
		for want, list := range map[bool]string{true: tt.on, false: tt.off} {
			for _, s := range strings.Fields(list) {
				part := strings.SplitN(s, "|", 3)
				if got := tt.flag(resolve(t, part[0], part[1], part[2], Options{}).Policy); got != want {
					t.Errorf("%s: %s is %v", tt.rule, s, got)
				}
			}
		}
	}
}
