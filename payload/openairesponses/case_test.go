package openairesponses_test

import (
	"testing"

	"hygeia/payload/internal/buildtest"
	"hygeia/payload/openairesponses"
	"hygeia/policy"
)

// format is the converter with the policy of OpenAI's own endpoint.
var format = buildtest.Format{
	Build:    openairesponses.Build,
	Rules:    openairesponses.Rules,
	Findings: findings,
	Target:   policy.Target{Provider: "openai", API: "openai-responses", Model: "gpt-5.1"},
	Policy: policy.Policy{
		Responses: true,
		Model:     policy.Model{Reasoning: true, Images: true, ThinkingDefault: policy.ThinksOn, MaxOutputTokens: 128000},
		Wire:      policy.Wire{EffortNone: true, Efforts: map[string]string{"minimal": "low"}},
	},
}

func TestCases(t *testing.T) { buildtest.Run(t, format) }
