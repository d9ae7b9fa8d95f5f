package policy

import (
	"strings"
	"testing"
)

// TestFallback_P13 walks file 10 §4 for a provider that nobody owns, with the
// facts of the model entry that P-13 names.
func TestFallback_P13(t *testing.T) {
	no := false
	for _, tt := range []struct {
		apis, model string
		entry       Entry
		want        string
	}{
		{"google-generative-ai google-gemini-cli", "x", Entry{}, googleRecord},
		{"anthropic-messages bedrock-converse-stream", "x", Entry{}, anthropicRecord},
		{"anthropic-messages bedrock-converse-stream", "claude-3-7-sonnet", Entry{}, "full ids:strict preserve dropthinking A synth"},
		{"anthropic-messages bedrock-converse-stream", "x", Entry{SupportsReasoningEffort: &no}, "full ids:strict preserve dropthinking A synth"},
		{"openai-completions", "qwen3", Entry{}, chatRecord},
		{"openai-completions", "kimi-k2.6", Entry{}, chatKept},
		{"openai-responses openai-chatgpt-responses azure-openai-responses", "qwen3", Entry{}, "synth"}, // P-B04
		{"openai-responses openai-chatgpt-responses azure-openai-responses", "claude-4", Entry{}, "A synth"},
		{"google-vertex ollama foo-api", "x", Entry{}, ""},
	} {
		for _, api := range strings.Fields(tt.apis) {
			res := resolve(t, "mybox", api, tt.model, Options{Entry: tt.entry})
			if got := digest(res.Policy); got != tt.want || res.Family != fallbackFamily {
				t.Errorf("%s %s %+v: %q of family %s, want %q", api, tt.model, tt.entry, got, res.Family, tt.want)
			}
		}
	}
}

// TestSourcesAreNotMixed_P09: where an owner has a record for the API, nothing of
// the fallback is laid over it, and where it has none, nothing of the owner is (P-09).
func TestSourcesAreNotMixed_P09(t *testing.T) {
	for target, want := range map[Target]string{
		{"openai", ccAPI, "gpt-4o"}:       "ids:strict", // not chatRecord
		{"openrouter", antAPI, "x"}:       "",           // not anthropicRecord
		{"mistral", ccAPI, "x"}:           "ids:strict9",
		{"moonshot", antAPI, "kimi-k2.5"}: anthropicRecord, // without dup:openai
	} {
		if got := digest(resolve(t, target.Provider, target.API, target.Model, Options{}).Policy); got != want {
			t.Errorf("%+v: %q, want %q", target, got, want)
		}
	}
}

// TestSameRecordForEveryModel_P16: on a route without a model hint (P-20…P-23,
// P-B05, P-B07) the model id changes no field of P-03 (P-16).
func TestSameRecordForEveryModel_P16(t *testing.T) {
	for _, p := range Profiles() {
		for _, api := range APIs() {
			want := digest(resolve(t, p.ID, api, "none", Options{}).Policy)
			for _, model := range strings.Fields("gpt-5.1 gpt-4o o3 grok-4 qwen3 deepseek-reasoner glm-4.6 MiniMax-M2.7 llama3.3 amazon.nova-pro-v1:0 x/y:free") {
				if got := digest(resolve(t, p.ID, api, model, Options{}).Policy); got != want {
					t.Errorf("%s %s: %q for %s, %q for none", p.ID, api, got, model, want)
				}
			}
		}
	}
}

// TestReasoningOptOut_P25: these routes keep reasoning of earlier turns whatever
// the model entry says, and no other provider on Chat Completions does (P-25).
func TestReasoningOptOut_P25(t *testing.T) {
	keeps := map[string]bool{}
	for _, id := range strings.Fields(`deepseek moonshot zai xiaomi xiaomi-token-plan novita sglang gmi longcat clawrouter openai azure-openai
		openrouter opencode opencode-go kilocode github-copilot mistral`) {
		keeps[id] = true
	}
	// Rows of file 10 §6 that never drop on Chat Completions for another reason:
	// their record is that of another API, whatever the API.
	for _, id := range strings.Fields("anthropic anthropic-vertex amazon-bedrock google google-antigravity google-vertex google-gemini-cli kimi") {
		keeps[id] = true
	}
	no := false
	for _, p := range Profiles() {
		for _, e := range []Entry{{}, {Reasoning: &no}} {
			if got := resolve(t, p.ID, ccAPI, "some-model", Options{Entry: e}).Policy.DropReasoningFromHistory; got == keeps[p.ID] {
				t.Errorf("%s %+v: dropReasoningFromHistory %v", p.ID, e, got)
			}
		}
	}
}
