package bedrock_test

import (
	"errors"
	"testing"

	"hygeia/payload"
	"hygeia/payload/bedrock"
	"hygeia/payload/internal/buildtest"
	"hygeia/policy"
	wire "hygeia/wire/bedrock"
)

// format is the converter with the policy of a Claude that thinks on request,
// with a budget.
var format = buildtest.Format{
	Build:    bedrock.Build,
	Rules:    bedrock.Rules,
	Findings: findings,
	Decode:   wire.Decode,
	Refuses: func(in *payload.Input, err error) bool {
		return errors.Is(err, payload.ErrNothingToSend) && !in.Policy.Wire.SignedReasoning
	},
	Endpoints: endpoints,
	Tools: []string{
		`[{"toolSpec":{"name":"read","inputSchema":{"json":{"type":"object"}}}}]`, `[{"toolSpec":{"name":"a b"}},{"toolSpec":{"name":"read"}}]`,
	},
	Vocabulary: buildtest.Vocabulary{CallIDs: []string{"c$n"}, Said: buildtest.ClaudeThoughts},
	Clean:      buildtest.Clean{Block: `{"type":"thinking","thinking":"step","thinkingSignature":"U2lnbmF0dXJl"}`},
	Marker:     `,{"cachePoint":{"type":"default"}}`,
	Grows:      true,
	Proof:      buildtest.Signature,
	Closing:    "W-006",
	Asked:      payload.ThinkMedium,
	Target:     policy.Target{Provider: "amazon-bedrock", API: "bedrock-converse-stream", Model: "m1"},
	Policy: policy.Policy{
		ValidateAnthropicTurns: true, PreserveSignatures: true, SignatureHygiene: true, AnthropicFamily: true,
		Model: policy.Model{
			Reasoning: true, Thinking: policy.ThinkingManual, ThinkingDefault: policy.ThinksOff, Images: true, MaxOutputTokens: 64000,
		},
		Wire: policy.Wire{Prefill: policy.PrefillThinking, ToolNameMax: 64, SignedReasoning: true, ToolResultStatus: true},
	},
}

func TestCases(t *testing.T) { buildtest.Run(t, format) }
