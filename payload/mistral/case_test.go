package mistral_test

import (
	"slices"
	"testing"

	"hygeia/payload"
	"hygeia/payload/internal/buildtest"
	"hygeia/payload/mistral"
	"hygeia/policy"
	"hygeia/transcript"
	wire "hygeia/wire/mistral"
)

// format is the converter with the policy of a model that reasons.
var format = buildtest.Format{
	Build:      mistral.Build,
	Rules:      mistral.Rules,
	Decode:     wire.Decode,
	Ambiguous:  thinks,
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

// thinks reports whether a body does not tell whose thinking it holds: that of a
// model which does not reason is trusted only where the turn says so (D-10).
func thinks(in *payload.Input) bool {
	return !in.Policy.Model.Reasoning && slices.ContainsFunc(in.Messages, (*transcript.Message).HasThinking)
}
