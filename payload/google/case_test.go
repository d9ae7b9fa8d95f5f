package google_test

import (
	"bytes"
	"slices"
	"testing"

	"hygeia/payload"
	"hygeia/payload/google"
	"hygeia/payload/internal/buildtest"
	"hygeia/policy"
	"hygeia/wire"
	wiregoogle "hygeia/wire/google"
)

// signatures are those that a block may have: good ones, one of another alphabet,
// the value that skips validation, and the item of another format.
var signatures = []string{"QUJD", "QUJD", "QU-D", "skip_thought_signature_validator", `{\"id\":\"rs_1\"}`}

// format is the converter with the policy of a Gemini 3.
var format = buildtest.Format{
	Build:     google.Build,
	Decode:    decode,
	Asked:     payload.ThinkMedium,
	Rules:     google.Rules,
	Findings:  findings,
	Endpoints: endpoints,
	Tools:     []string{tools},
	Vocabulary: buildtest.Vocabulary{
		CallIDs: []string{"call$n"},
		Said: slices.Concat(
			buildtest.Signed(`{"type":"thinking","thinking":$text%s}`, "thinkingSignature", signatures...),
			buildtest.Signed(`{"type":"executableCode","executableCode":{"code":"1"}%s}`, "thoughtSignature", signatures...),
			[]string{`{"type":"redacted_thinking","data":"AA=="}`, `{"type":"server_tool_use","id":"s1"}`},
		),
		Texts: buildtest.Signed("%s", "textSignature", signatures...),
		Calls: buildtest.Signed("%s", "thoughtSignature", signatures...),
		User:  []string{`{"type":"audio"}`, `{"type":"fileData","fileData":{"fileUri":"gs://x"}}`},
	},
	Proof:   buildtest.Signature,
	Clean:   buildtest.Clean{Call: `,"thoughtSignature":"U2lnbmF0dXJl"`},
	Closing: "W-608",
	Target:  policy.Target{Provider: "google", API: "google-generative-ai", Model: "gemini-3-pro"},
	Policy: policy.Policy{
		ApplyGoogleTurnOrdering: true, ValidateGeminiTurns: true,
		Model: policy.Model{Reasoning: true, Images: true, ThinkingDefault: policy.ThinksAlways, MaxOutputTokens: 65536},
		Wire: policy.Wire{
			ToolNameMax: 64, FunctionCallIDs: true, FunctionResponseImages: true, SkipSignatureAllowed: true, ThinkingLevel: true,
			ImageTypes: []string{"image/png", "image/jpeg"},
		},
	},
}

func TestCases(t *testing.T) { buildtest.Run(t, format) }

// decode reads a body with or without an envelope.
func decode(body []byte) (*wire.Request, error) {
	if bytes.Contains(body, []byte(`,"request":{`)) {
		return wiregoogle.DecodeEnvelope(body)
	}
	return wiregoogle.Decode(body)
}
