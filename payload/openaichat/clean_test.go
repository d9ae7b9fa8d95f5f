package openaichat_test

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"hygeia/payload"
	"hygeia/policy"
	"hygeia/transcript"
)

// endpoint is a target as the profiles describe such a one.
type endpoint struct {
	name   string
	target policy.Target
	policy policy.Policy
	id     string // format of call ids
}

var no = false

// endpoints are the kinds of hosts that the rulebook tells apart.
var endpoints = []endpoint{
	{
		name: "openai", target: policy.Target{Provider: "openai", Model: "gpt-5"}, id: "call%d",
		policy: policy.Policy{
			ToolCallIDForm: policy.IDForm{Max: 40},
			Model:          policy.Model{Reasoning: true, Images: true, ThinkingDefault: policy.ThinksOn, MaxOutputTokens: 128000},
			Wire: policy.Wire{
				Prefill: policy.PrefillAllowed, DeveloperRole: true, StrictKeys: true, MaxTokensField: "max_completion_tokens",
				StreamUsage: true, Store: true, ReasoningEffort: "reasoning_effort",
			},
		},
	},
	{
		name: "strict keys", target: policy.Target{Provider: "groq", Model: "openai/gpt-oss-120b"}, id: "call%d",
		policy: policy.Policy{
			ValidateAnthropicTurns: true, ValidateGeminiTurns: true, ApplyGoogleTurnOrdering: true,
			Model: policy.Model{Reasoning: true, SupportsReasoningEffort: &no},
			Wire: policy.Wire{
				Prefill: policy.PrefillNever, StrictKeys: true, ReasoningReplay: policy.ReasoningRecorded, ReasoningRequired: "all",
				ReasoningEffort: "reasoning_effort",
			},
		},
	},
	{
		name: "local server", target: policy.Target{Provider: "llama.cpp", Model: "qwen3"}, id: "call%d",
		policy: policy.Policy{
			ValidateAnthropicTurns: true, ValidateGeminiTurns: true, ApplyGoogleTurnOrdering: true,
			Model: policy.Model{Reasoning: true, Images: true, ThinkingDefault: policy.ThinksOn},
			Wire: policy.Wire{
				Prefill: policy.PrefillThinking, StringContent: true, NoNullContent: true, SingleSystem: true, StrictAlternation: true,
				ReasoningReplay: policy.ReasoningRound, ReasoningEffort: "chat_template_kwargs",
			},
		},
	},
	{
		name: "mistral", target: policy.Target{Provider: "mistral", Model: "mistral-large-latest"}, id: "a%08d",
		policy: policy.Policy{
			ToolCallIDMode: policy.IDStrict9, BridgeToolResults: true,
			Model: policy.Model{Images: true},
			Wire:  policy.Wire{Prefill: policy.PrefillNever, StrictKeys: true, ToolResultName: true, StrictAlternation: true},
		},
	},
	{
		name: "openrouter anthropic", target: policy.Target{Provider: "openrouter", Model: "anthropic/claude-sonnet-4.5"}, id: "toolu_%d|x",
		policy: policy.Policy{
			Model: policy.Model{Reasoning: true, Images: true},
			Wire: policy.Wire{
				Prefill: policy.PrefillThinking, CacheMarkers: true, ReasoningReplay: policy.ReasoningDetails, ReasoningEffort: "reasoning",
			},
		},
	},
	{
		name: "openrouter gemini", target: policy.Target{Provider: "openrouter", Model: "google/gemini-3-pro"}, id: "%d",
		policy: policy.Policy{
			Model: policy.Model{Reasoning: true, Images: true, ThinkingDefault: policy.ThinksAlways},
			Wire:  policy.Wire{Prefill: policy.PrefillAllowed, ReasoningReplay: policy.ReasoningOpenRouter, ReasoningEffort: "reasoning"},
		},
	},
	{
		name: "google", target: policy.Target{Provider: "google", Model: "gemini-3-pro"}, id: "call%d",
		policy: policy.Policy{
			ApplyGoogleTurnOrdering: true, ValidateGeminiTurns: true,
			Model: policy.Model{Reasoning: true, Images: true},
			Wire:  policy.Wire{GoogleExtraContent: true, SkipSignatureAllowed: true, ThinkingAsText: true},
		},
	},
	{
		name: "deepseek", target: policy.Target{Provider: "deepseek", Model: "deepseek-v4-pro"}, id: "call%d",
		policy: policy.Policy{
			ValidateAnthropicTurns: true, ValidateGeminiTurns: true, ApplyGoogleTurnOrdering: true,
			Model: policy.Model{Reasoning: true, ThinkingDefault: policy.ThinksOn},
			Wire: policy.Wire{
				Prefill: policy.PrefillThinking, ReasoningReplay: policy.ReasoningContent, ReasoningRequired: "all",
				ReasoningOffDrops: true, ReasoningEffort: "thinking",
			},
		},
	},
	{
		name: "kimi", target: policy.Target{Provider: "moonshot", Model: "kimi-k2.5"}, id: "functions.read:%d",
		policy: policy.Policy{
			ValidateAnthropicTurns: true, ValidateGeminiTurns: true, ApplyGoogleTurnOrdering: true,
			Model: policy.Model{Reasoning: true, Images: true, ThinkingDefault: policy.ThinksAlways},
			Wire: policy.Wire{
				Prefill: policy.PrefillThinking, ReasoningReplay: policy.ReasoningContent, ReasoningRequired: "calls",
				ReasoningEffort: "thinking", EmptyTools: false,
			},
		},
	},
}

func init() {
	for i := range endpoints {
		endpoints[i].target.API = "openai-completions"
	}
}

// history draws messages as the passes leave them for an endpoint: roles in
// order, every call answered at once, ids of the right form and unique.
type history struct {
	t     *rapid.T
	e     *endpoint
	lines []string
	calls int
}

func (e *endpoint) messages(t *rapid.T) []*transcript.Message {
	h := &history{t: t, e: e}
	p := &e.policy
	last := "user"
	if !p.ApplyGoogleTurnOrdering && h.chance(4) {
		last = "assistant"
	}
	for i := range rapid.IntRange(1, 8).Draw(t, "turns") {
		if i > 0 {
			last = h.next(last)
		}
		switch last {
		case "user":
			h.user()
		case "assistant":
			h.assistant()
		case "round":
			h.round()
		}
	}
	var r transcript.Reader
	list, err := r.Messages([]byte("[" + strings.Join(h.lines, ",") + "]"))
	if err != nil {
		t.Fatalf("history is no message list: %v\n%s", err, h.lines)
	}
	return list
}

// next draws what may follow a turn.
func (h *history) next(last string) string {
	p := &h.e.policy
	var may []string
	for _, kind := range []string{"user", "assistant", "round"} {
		same := kind == last || kind == "round" && last == "assistant"
		joined := p.ValidateAnthropicTurns || p.Wire.StrictAlternation || p.ValidateGeminiTurns && kind != "user"
		if !same || !joined || last == "round" {
			may = append(may, kind)
		}
	}
	return rapid.SampledFrom(may).Draw(h.t, "next")
}

func (h *history) chance(n int) bool { return rapid.IntRange(1, n).Draw(h.t, "chance") == n }

func (h *history) pick(list ...string) string { return rapid.SampledFrom(list).Draw(h.t, "pick") }

func (h *history) text() string {
	return h.pick(`"plain"`, `"two\nlines"`, `"caf\u00e9 ☕ \ud83d\ude00"`, `"quote \" and \\ back"`, `" padded "`, `"{\"json\":1}"`, `"[empty content omitted]"`)
}

const picture = `{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"}`

func (h *history) blocks(of func() string) string {
	list := []string{of()}
	for h.chance(2) && len(list) < 4 {
		list = append(list, of())
	}
	return "[" + strings.Join(list, ",") + "]"
}

func (h *history) user() {
	content := h.text()
	if h.chance(2) {
		content = h.blocks(func() string {
			return h.pick(`{"type":"text","text":`+h.text()+`}`, picture, `{"type":"document","source":{}}`, `{"type":"image_url","image_url":{"url":"https://example.org/x"}}`)
		})
	}
	extra := ""
	if h.chance(6) {
		extra = `,"runtimeContextCarrier":true`
	}
	h.lines = append(h.lines, `{"role":"user","content":`+content+extra+`}`)
}

func (h *history) thinking() string {
	sig := h.pick("", `,"thinkingSignature":"reasoning"`, `,"thinkingSignature":"reasoning_content"`, `,"thinkingSignature":"reasoning_text"`,
		`,"thinkingSignature":"reasoning_details"`, `,"thinkingSignature":"{\"type\":\"reasoning\"}"`, `,"thinkingSignature":"EqQBCg=="`)
	return h.pick(`{"type":"thinking","thinking":`+h.text()+sig+`}`, `{"type":"redacted_thinking","data":"AA=="}`)
}

// route is who wrote an assistant turn.
func (h *history) route() string {
	t := h.e.target
	if h.chance(4) {
		t = policy.Target{Provider: "anthropic", API: "anthropic-messages", Model: "claude-opus-4-6"}
	}
	if h.chance(6) {
		return ""
	}
	return fmt.Sprintf(`,"provider":%q,"api":%q,"model":%q`, t.Provider, t.API, t.Model)
}

func (h *history) assistantBlock() string {
	switch rapid.IntRange(0, 9).Draw(h.t, "block") {
	case 0, 1, 2:
		return h.thinking()
	case 3:
		return `{"type":"server_tool_use","id":"s1"}`
	}
	return `{"type":"text","text":` + h.text() + `}`
}

func (h *history) assistant() {
	content := "[]"
	if !h.chance(8) {
		content = h.blocks(h.assistantBlock)
	}
	h.lines = append(h.lines, `{"role":"assistant","content":`+content+h.route()+`}`)
}

func (h *history) round() {
	var ids, blocks []string
	for h.chance(3) {
		blocks = append(blocks, h.assistantBlock())
	}
	for len(ids) == 0 || h.chance(3) {
		h.calls++
		ids = append(ids, fmt.Sprintf(h.e.id, h.calls))
		sig := h.pick("", `,"thoughtSignature":"QUJD"`, `,"thoughtSignature":"QU-D"`,
			`,"thoughtSignature":"{\"type\":\"reasoning.text\",\"text\":\"t\",\"signature\":\"s\"}"`, `,"thoughtSignature":"{\"type\":\"reasoning.summary\"}"`)
		blocks = append(blocks, fmt.Sprintf(`{"type":"toolCall","id":%q,"name":%q,"arguments":%s%s}`,
			ids[len(ids)-1], h.pick("read", "fs.read", "mcp__x__y"), h.pick(`{}`, `{"a": 1.0, "s":"x\"\\y"}`, `{"deep":{"l":[1,{"é":null}]}}`), sig))
	}
	h.lines = append(h.lines, `{"role":"assistant","content":[`+strings.Join(blocks, ",")+`]`+h.route()+`}`)
	for _, id := range ids {
		content := h.blocks(func() string {
			return h.pick(`{"type":"text","text":`+h.text()+`}`, picture, `{"type":"json","value":1}`)
		})
		h.lines = append(h.lines, fmt.Sprintf(`{"role":"toolResult","toolCallId":%q,"toolName":"read","content":%s}`, id, content))
	}
}

func (e *endpoint) options(t *rapid.T) payload.Options {
	return payload.Options{
		System:   rapid.SampledFrom([]string{"", "You are.", "A\n<!-- OPENCLAW_CACHE_BOUNDARY -->\nB"}).Draw(t, "system"),
		Thinking: rapid.SampledFrom([]payload.Level{"", "off", "minimal", "high", "max"}).Draw(t, "level"),
	}
}
