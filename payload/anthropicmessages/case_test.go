package anthropicmessages_test

import (
	"testing"

	"hygeia/payload"
	"hygeia/payload/anthropicmessages"
	"hygeia/payload/internal/buildtest"
	"hygeia/policy"
	wire "hygeia/wire/anthropicmessages"
)

// format is the converter with the policy of an older Claude: it thinks on
// request, with a budget.
var format = buildtest.Format{
	Build:     anthropicmessages.Build,
	Rules:     anthropicmessages.Rules,
	Decode:    wire.Decode,
	Findings:  findings,
	Endpoints: endpoints,
	Tools: []string{
		`[{"name":"read"}]`, `[{"name":"a b","input_schema":{}},{"name":"read","input_schema":{},"cache_control":{"type":"ephemeral"}}]`,
	},
	Vocabulary: buildtest.Vocabulary{CallIDs: []string{"c$n"}, Said: buildtest.ClaudeThoughts},
	Clean:      buildtest.Clean{Block: `{"type":"thinking","thinking":"step","thinkingSignature":"U2lnbmF0dXJl"}`},
	Marker:     `,"cache_control":{"type":"ephemeral"}`,
	Spelling:   listed,
	Grows:      true,
	Proof:      buildtest.Signature,
	Closing:    "W-006",
	Asked:      payload.ThinkMedium,
	Target:     policy.Target{Provider: "anthropic", API: "anthropic-messages", Model: "m1"},
	Policy: policy.Policy{
		ValidateAnthropicTurns: true, PreserveSignatures: true, SignatureHygiene: true, AnthropicFamily: true,
		Model: policy.Model{
			Reasoning: true, Thinking: policy.ThinkingManual, ThinkingDefault: policy.ThinksOff, Images: true, MaxOutputTokens: 64000,
		},
		Wire: policy.Wire{Prefill: policy.PrefillThinking, ToolNameMax: 128},
	},
}

func TestCases(t *testing.T) { buildtest.Run(t, format) }
