package google_test

import (
	"testing"

	"hygeia/payload/google"
	"hygeia/payload/internal/buildtest"
	"hygeia/policy"
)

// format is the converter with the policy of a Gemini 3.
var format = buildtest.Format{
	Build:    google.Build,
	Rules:    google.Rules,
	Findings: findings,
	Target:   policy.Target{Provider: "google", API: "google-generative-ai", Model: "gemini-3-pro"},
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
