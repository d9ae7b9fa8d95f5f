package ollama_test

import (
	"testing"

	"hygeia/payload/internal/buildtest"
	"hygeia/payload/ollama"
	"hygeia/policy"
	wire "hygeia/wire/ollama"
)

// format is the converter with the policy of a model that thinks unless it is
// told not to.
var format = buildtest.Format{
	Build:      ollama.Build,
	Rules:      ollama.Rules,
	Decode:     wire.Decode,
	Findings:   findings,
	Refuses:    buildtest.NothingToSend,
	Endpoints:  endpoints,
	Tools:      buildtest.Functions,
	Vocabulary: buildtest.Vocabulary{CallIDs: []string{"c$n"}, Said: buildtest.Thoughts},
	Target:     policy.Target{Provider: "ollama", API: "ollama", Model: "m1"},
	Policy: policy.Policy{
		ApplyGoogleTurnOrdering: true, ValidateGeminiTurns: true, ValidateAnthropicTurns: true, DropReasoningFromHistory: true,
		Model: policy.Model{Reasoning: true, Images: true, ThinkingDefault: policy.ThinksOn},
		Wire:  policy.Wire{Prefill: policy.PrefillThinking, StringContent: true, ToolNameMax: 64},
	},
}

func TestCases(t *testing.T) { buildtest.Run(t, format) }
