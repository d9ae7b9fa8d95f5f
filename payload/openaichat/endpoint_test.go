package openaichat_test

import (
	"hygeia/payload/internal/buildtest"
	"hygeia/policy"
)

const api = "openai-completions"

var no = false

// endpoints are the kinds of hosts that the rulebook tells apart.
var endpoints = []buildtest.Endpoint{
	{
		Name: "openai", Target: policy.Target{Provider: "openai", API: api, Model: "gpt-5"},
		Policy: policy.Policy{
			ToolCallIDForm: policy.IDForm{Max: 40},
			Model:          policy.Model{Reasoning: true, Images: true, ThinkingDefault: policy.ThinksOn, MaxOutputTokens: 128000},
			Wire: policy.Wire{
				Prefill: policy.PrefillAllowed, DeveloperRole: true, StrictKeys: true, MaxTokensField: "max_completion_tokens",
				StreamUsage: true, Store: true, ReasoningEffort: "reasoning_effort",
			},
		},
	},
	{
		Name: "strict keys", Target: policy.Target{Provider: "groq", API: api, Model: "openai/gpt-oss-120b"},
		Policy: policy.Policy{
			ValidateAnthropicTurns: true, ValidateGeminiTurns: true, ApplyGoogleTurnOrdering: true,
			Model: policy.Model{Reasoning: true, SupportsReasoningEffort: &no},
			Wire: policy.Wire{
				Prefill: policy.PrefillNever, StrictKeys: true, ReasoningReplay: policy.ReasoningRecorded, ReasoningRequired: "all",
				ReasoningEffort: "reasoning_effort",
			},
		},
	},
	{
		Name: "local server", Target: policy.Target{Provider: "llama.cpp", API: api, Model: "qwen3"},
		Policy: policy.Policy{
			ValidateAnthropicTurns: true, ValidateGeminiTurns: true, ApplyGoogleTurnOrdering: true,
			Model: policy.Model{Reasoning: true, Images: true, ThinkingDefault: policy.ThinksOn},
			Wire: policy.Wire{
				Prefill: policy.PrefillThinking, StringContent: true, NoNullContent: true, SingleSystem: true, StrictAlternation: true,
				ReasoningReplay: policy.ReasoningRound, ReasoningEffort: "chat_template_kwargs",
			},
		},
	},
	{
		Name: "mistral", Target: policy.Target{Provider: "mistral", API: api, Model: "mistral-large-latest"}, CallID: "a$n",
		Policy: policy.Policy{
			SanitizeToolCallIDs: true, ToolCallIDMode: policy.IDStrict9, BridgeToolResults: true,
			Model: policy.Model{Images: true},
			Wire:  policy.Wire{Prefill: policy.PrefillNever, StrictKeys: true, ToolResultName: true, StrictAlternation: true, MaxImages: 8},
		},
	},
	{
		Name: "openrouter anthropic", Target: policy.Target{Provider: "openrouter", API: api, Model: "anthropic/claude-sonnet-4.5"}, CallID: "toolu_$n|x",
		Policy: policy.Policy{
			Model: policy.Model{Reasoning: true, Images: true},
			Wire: policy.Wire{
				Prefill: policy.PrefillThinking, CacheMarkers: true, ReasoningReplay: policy.ReasoningDetails, ReasoningEffort: "reasoning",
			},
		},
	},
	{
		Name: "openrouter gemini", Target: policy.Target{Provider: "openrouter", API: api, Model: "google/gemini-3-pro"}, CallID: "$n",
		Policy: policy.Policy{
			Model: policy.Model{Reasoning: true, Images: true, ThinkingDefault: policy.ThinksAlways},
			Wire:  policy.Wire{Prefill: policy.PrefillAllowed, ReasoningReplay: policy.ReasoningOpenRouter, ReasoningEffort: "reasoning"},
		},
	},
	{
		Name: "google", Target: policy.Target{Provider: "google", API: api, Model: "gemini-3-pro"},
		Policy: policy.Policy{
			ApplyGoogleTurnOrdering: true, ValidateGeminiTurns: true,
			Model: policy.Model{Reasoning: true, Images: true},
			Wire:  policy.Wire{GoogleExtraContent: true, SkipSignatureAllowed: true, ThinkingAsText: true},
		},
	},
	{
		Name: "deepseek", Target: policy.Target{Provider: "deepseek", API: api, Model: "deepseek-v4-pro"},
		Policy: policy.Policy{
			ValidateAnthropicTurns: true, ValidateGeminiTurns: true, ApplyGoogleTurnOrdering: true,
			Model: policy.Model{Reasoning: true, ThinkingDefault: policy.ThinksOn},
			Wire: policy.Wire{
				Prefill: policy.PrefillThinking, ReasoningReplay: policy.ReasoningContent, ReasoningRequired: "all",
				ReasoningOffDrops: true, ReasoningEffort: "thinking",
			},
		},
	},
	{
		Name: "kimi", Target: policy.Target{Provider: "moonshot", API: api, Model: "kimi-k2.5"}, CallID: "functions.read:$n",
		Policy: policy.Policy{
			ValidateAnthropicTurns: true, ValidateGeminiTurns: true, ApplyGoogleTurnOrdering: true,
			Model: policy.Model{Reasoning: true, Images: true, ThinkingDefault: policy.ThinksAlways},
			Wire: policy.Wire{
				Prefill: policy.PrefillThinking, ReasoningReplay: policy.ReasoningContent, ReasoningRequired: "calls",
				ReasoningEffort: "thinking", EmptyTools: false,
			},
		},
	},
}
