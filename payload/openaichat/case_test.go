package openaichat_test

import (
	"testing"

	"hygeia/payload/internal/buildtest"
	"hygeia/payload/openaichat"
	"hygeia/policy"
	wire "hygeia/wire/openaichat"
)

var format = buildtest.Format{
	Build: openaichat.Build, Rules: openaichat.Rules, Decode: wire.Decode,
	Findings: findings, Hostile: unordered, Refuses: buildtest.NothingToSend,
	Target: policy.Target{Provider: "mybox", API: api, Model: "m1"},
	Policy: policy.Policy{Model: policy.Model{Images: true}},

	Endpoints: endpoints,
	Tools:     buildtest.Functions,
	Vocabulary: buildtest.Vocabulary{
		CallIDs: []string{"call$n"},
		Said: append(buildtest.Signed(`{"type":"thinking","thinking":$text%s}`, "thinkingSignature", "reasoning", "reasoning_content", "reasoning_text",
			"reasoning_details", `{\"type\":\"reasoning\"}`, "EqQBCg=="),
			`{"type":"redacted_thinking","data":"AA=="}`, `{"type":"server_tool_use","id":"s1"}`),
		Calls: buildtest.Signed("%s", "thoughtSignature", "QUJD", "QU-D",
			`{\"type\":\"reasoning.text\",\"text\":\"t\",\"signature\":\"s\"}`, `{\"type\":\"reasoning.summary\"}`),
		User:     []string{`{"type":"document","source":{}}`, `{"type":"image_url","image_url":{"url":"https://example.org/x"}}`},
		UserTurn: []string{`,"runtimeContextCarrier":true`},
	},
	Marker:    `,"cache_control":{"type":"ephemeral"}`,
	Spelling:  unlisted,
	Loose:     true,
	Ambiguous: carries,
}

func TestCases(t *testing.T) { buildtest.Run(t, format) }
