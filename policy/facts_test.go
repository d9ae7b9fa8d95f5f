package policy

import (
	"strings"
	"testing"
)

// TestModelFacts_D29 pins what the profiles know of each model.
func TestModelFacts_D29(t *testing.T) {
	type facts struct {
		reasoning       bool
		thinking        ThinkingKind
		def             ThinkingDefault
		context, output int
	}
	tests := []struct {
		targets string // provider|api|model
		want    facts
	}{
		{"minimax||MiniMax-M2.7", facts{true, ThinkingManual, ThinksOn, 204800, 131072}},
		{"minimax||MiniMax-M3", facts{true, ThinkingAdaptive, ThinksOn, 0, 0}},
		{"kimi-coding||kimi-for-coding", facts{true, ThinkingManual, ThinksOn, 262144, 0}},
		{"moonshot||kimi-k2.5 groq||moonshotai/kimi-k2-thinking", facts{true, "", ThinksOn, 262144, 0}},
		{"moonshot||kimi-k2-0905-preview", facts{false, "", "", 262144, 0}},
		{"openai||gpt-5.1 github-copilot||gpt-5.1 openrouter||openai/gpt-5-mini", facts{true, "", ThinksOn, 400000, 128000}},
		{"openai||gpt-5-chat-latest", facts{false, "", "", 400000, 128000}},
		{"openai||gpt-4o openai||gpt-4o-mini", facts{false, "", "", 128000, 16384}},
		{"openai||gpt-4.1-mini", facts{false, "", "", 1047576, 32768}},
		{"openai||o3 openai||o4-mini openai||o1-preview", facts{true, "", ThinksOn, 200000, 100000}},
		{"groq||openai/gpt-oss-120b", facts{true, "", ThinksOn, 0, 0}},
		{"google||gemini-3-pro-preview google||gemini-flash-latest google||gemini-2.5-pro", facts{true, "", ThinksAlways, 1048576, 65536}},
		{"google||gemini-2.5-flash", facts{true, "", ThinksOn, 1048576, 65536}},
		{"google||gemini-2.5-flash-lite", facts{true, "", ThinksOff, 1048576, 65536}},
		{"google||gemini-2.0-flash google||gemini-1.5-pro", facts{false, "", "", 1048576, 8192}},
		{"deepseek||deepseek-chat", facts{false, "", "", 128000, 8192}},
		{"deepseek||deepseek-reasoner", facts{true, "", ThinksAlways, 128000, 64000}},
		{"xai||grok-4", facts{true, "", ThinksOn, 256000, 0}},
		{"xai||grok-4-fast-non-reasoning xai||grok-3", facts{}},
		{"vllm||qwen3 vllm||qwq-32b mistral||magistral-medium zai||glm-4.6 xiaomi||mimo-v2-pro", facts{true, "", ThinksOn, 0, 0}},
		{"vllm||qwen3-coder vllm||qwen2.5 mistral||mistral-large-latest nobody||none", facts{}},
		{"anthropic||claude-3-opus", facts{false, "", ThinksOff, 200000, 4096}},
		{"anthropic||claude-3-5-sonnet anthropic||claude-haiku-3-5", facts{false, "", ThinksOff, 200000, 8192}},
		{"anthropic||claude-3-7-sonnet anthropic||claude-sonnet-4-5", facts{true, ThinkingManual, ThinksOff, 200000, 64000}},
		{"anthropic||claude-opus-4-1 anthropic||claude-opus-4", facts{true, ThinkingManual, ThinksOff, 200000, 32000}},
	}
	for _, tt := range tests {
		for _, s := range strings.Fields(tt.targets) {
			part := strings.SplitN(s, "|", 3)
			m := resolve(t, part[0], part[1], part[2], Options{}).Policy.Model
			if got := (facts{m.Reasoning, m.Thinking, m.ThinkingDefault, m.ContextWindow, m.MaxOutputTokens}); got != tt.want {
				t.Errorf("%s:\n got %+v\nwant %+v", s, got, tt.want)
			}
		}
	}
	if f := resolve(t, "google", "", "gemini-2.5-pro", Options{}).Policy.Wire.ThinkingFloor; f != 128 {
		t.Errorf("W-621: 2.5 Pro cannot think less than 128, got %d", f)
	}
	if f := resolve(t, "google", "", "gemini-2.5-flash-lite", Options{}).Policy.Wire.ThinkingLeast; f != 512 {
		t.Errorf("GG-19: 2.5 Flash-Lite thinks with no less than 512, got %d", f)
	}
	if f := resolve(t, "google", "", "gemini-2.5-flash", Options{}).Policy.Wire.ThinkingFloor; f != 0 {
		t.Errorf("W-621: 2.5 Flash can be switched off, got %d", f)
	}
}

// TestDefaults_P03 pins the record that says nothing of a provider (P-03).
func TestDefaults_P03(t *testing.T) {
	got := *resolve(t, "", "", "", Options{}).Policy
	want := Policy{
		SanitizeMode: SanitizeImagesOnly, RepairToolUseResultPairing: true, ForeignThinking: ForeignDrop,
		Model: Model{Images: true}, Wire: Wire{Prefill: PrefillAllowed, ToolNameMax: 64},
	}
	if string(rawOf(got)) != string(rawOf(want)) {
		t.Errorf("got %s", rawOf(got))
	}
}
