package check

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/png"
	"slices"
	"strings"

	"hygeia/policy"
)

var (
	claudeTarget = policy.Target{Provider: "anthropic", API: "anthropic-messages", Model: "claude-sonnet-4-5"}
	routedClaude = policy.Target{Provider: "openrouter", API: "openai-completions", Model: "anthropic/claude-sonnet-4.5"}
	routedGemini = policy.Target{Provider: "openrouter", API: "openai-completions", Model: "google/gemini-2.5-pro"}
	llamaServer  = policy.Target{Provider: "llama.cpp", API: "openai-completions", Model: "qwen3"}
	lmStudio     = policy.Target{Provider: "lmstudio", API: "openai-completions", Model: "qwen3"}
)

// hostPairs are those of rules of Anthropic about what stands behind something
// else, and of hosts of Chat Completions.
var hostPairs = []pair{
	{
		rule: "AN-20", target: claudeTarget,
		bad:  claudeBody(`"thinking":{"type":"enabled","budget_tokens":2048},`, `{"type":"thinking","thinking":"t","signature":"reasoning_content"}`),
		good: claudeBody(`"thinking":{"type":"enabled","budget_tokens":2048},`, `{"type":"thinking","thinking":"t","signature":"RXFzaWc="}`),
	},
	{
		rule: "AN-20", target: claudeTarget,
		bad:  claudeBody(`"thinking":{"type":"enabled","budget_tokens":2048},`, `{"type":"thinking","thinking":"t","signature":"{\"id\":\"rs_1\"}"}`),
		good: claudeBody("", `{"type":"text","text":"t"}`),
	},
	{rule: "AN-35", target: claudeTarget, bad: claudeBody("", `{"type":"text","text":"t","phase":"x"}`), good: claudeBody("", `{"type":"mystery","phase":"x"}`)},
	{
		rule: "AN-36", target: claudeTarget,
		bad:  claudeBody(`"system":[{"type":"text","text":"s","cache_control":{"type":"ephemeral"}}],`, `{"type":"text","text":"t","cache_control":{"type":"ephemeral","ttl":"1h"}}`),
		good: claudeBody(`"system":[{"type":"text","text":"s","cache_control":{"type":"ephemeral","ttl":"1h"}}],`, `{"type":"text","text":"t","cache_control":{"type":"ephemeral"}}`),
	},
	{rule: "AN-43", target: claudeTarget, bad: pictureBody(1, 8001), good: pictureBody(20, 8000)},
	{rule: "AN-43", target: claudeTarget, bad: pictureBody(21, 2001), good: pictureBody(21, 2000)},
	{rule: "OP-02", target: routedClaude, bad: routed(`"reasoning":"r"`), good: routed(`"reasoning":"r","reasoning_details":[{"type":"reasoning.text","text":"r","signature":"U2ln"}]`)},
	{rule: "OP-02", target: routedClaude, bad: routed(`"reasoning_details":[{"type":"reasoning.text","text":"r"}]`), good: routed(`"reasoning_details":[{"type":"reasoning.summary","summary":"r"}]`)},
	{
		rule: "OP-02", target: routedClaude,
		bad:  routed(`"reasoning_details":[{"type":"reasoning.encrypted","data":""}]`),
		good: routed(`"reasoning_details":[{"type":"reasoning.encrypted","data":"U2ln"}]`),
	},
	{
		rule: "OP-04", target: routedGemini,
		bad:  routed(`"reasoning_details":[{"type":"reasoning.encrypted","data":"not base64!"}]`),
		good: routed(`"reasoning_details":[{"type":"reasoning.encrypted","data":"U2ln"}]`),
	},
	{rule: "LO-01", target: llamaServer, bad: `{"chat_template_kwargs":{"enable_thinking":true},` + chatBodyOf(askM, sayM)[1:], good: chatBodyOf(askM, sayM)},
	{rule: "LO-05", target: lmStudio, bad: chatBodyOf(askM, strings.Replace(callM, `"tool_calls"`, `"content":null,"tool_calls"`, 1), doneM), good: chatBodyOf(askM, callM, doneM)},
	{rule: "LO-05", target: lmStudio, bad: chatBodyOf(`{"role":"user","content":["hi"]}`), good: chatBodyOf(`{"role":"user","content":[{"type":"text","text":"hi"}]}`)},
}

// claudeBody has an assistant turn with one block between two questions.
func claudeBody(head, block string) string {
	return `{"model":"m","max_tokens":4096,` + head + `"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[` + block + `]},{"role":"user","content":"r"}]}`
}

// pictureBody has n pictures that are so many pixels high.
func pictureBody(n, height int) string {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 1, height))); err != nil {
		panic(err) // into memory
	}
	block := `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` + base64.StdEncoding.EncodeToString(b.Bytes()) + `"}}`
	return `{"model":"m","max_tokens":1,"messages":[{"role":"user","content":[` + strings.Join(slices.Repeat([]string{block}, n), ",") + `]}]}`
}

// routed has an assistant turn with these members.
func routed(members string) string {
	return chatBodyOf(askM, `{"role":"assistant","content":"ok",`+members+`}`, askM)
}
