package mistral_test

import (
	"testing"

	"hygeia/payload/internal/buildtest"
	"hygeia/payload/mistral"
	"hygeia/policy"
)

// format is the converter with the policy of a model that reasons.
var format = buildtest.Format{
	Build:      mistral.Build,
	Rules:      mistral.Rules,
	Findings:   findings,
	Refuses:    buildtest.NothingToSend,
	Endpoints:  endpoints,
	Tools:      buildtest.Functions,
	Vocabulary: buildtest.Vocabulary{CallIDs: []string{"a$n"}, Said: buildtest.Thoughts},
	Target:     policy.Target{Provider: "mistral", API: "mistral-conversations", Model: "m1"},
	Policy: policy.Policy{
		BridgeToolResults: true, SanitizeToolCallIDs: true, ToolCallIDMode: policy.IDStrict9,
		Model: policy.Model{Reasoning: true, Images: true, ThinkingDefault: policy.ThinksOn},
		Wire:  policy.Wire{Prefill: policy.PrefillNever, ToolResultName: true, MaxTokensField: "max_tokens", ToolNameMax: 64, MaxImages: 8},
	},
}

func TestCases(t *testing.T) { buildtest.Run(t, format) }
