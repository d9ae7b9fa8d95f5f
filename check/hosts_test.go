package check

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/png"
	"slices"
	"strings"
	"testing"

	"hygeia/policy"
)

var (
	claudeTarget = policy.Target{Provider: "anthropic", API: "anthropic-messages", Model: "claude-sonnet-4-5"}
	routedClaude = policy.Target{Provider: "openrouter", API: "openai-completions", Model: "anthropic/claude-sonnet-4.5"}
	routedGemini = policy.Target{Provider: "openrouter", API: "openai-completions", Model: "google/gemini-2.5-pro"}
	llamaServer  = policy.Target{Provider: "llama.cpp", API: "openai-completions", Model: "qwen3"}
	lmStudio     = policy.Target{Provider: "lmstudio", API: "openai-completions", Model: "qwen3"}
)

// hostTable has, for rules of Anthropic and of hosts of Chat Completions, a body
// that breaks nothing else and the nearest one that breaks nothing.
var hostTable = []struct {
	rule      string
	target    policy.Target
	bad, good string
}{
	{
		"AN-20", claudeTarget,
		claudeBody(`"thinking":{"type":"enabled","budget_tokens":2048},`, `{"type":"thinking","thinking":"t","signature":"reasoning_content"}`),
		claudeBody(`"thinking":{"type":"enabled","budget_tokens":2048},`, `{"type":"thinking","thinking":"t","signature":"RXFzaWc="}`),
	},
	{
		"AN-20", claudeTarget,
		claudeBody(`"thinking":{"type":"enabled","budget_tokens":2048},`, `{"type":"thinking","thinking":"t","signature":"{\"id\":\"rs_1\"}"}`),
		claudeBody("", `{"type":"text","text":"t"}`),
	},
	{"AN-35", claudeTarget, claudeBody("", `{"type":"text","text":"t","phase":"x"}`), claudeBody("", `{"type":"mystery","phase":"x"}`)},
	{
		"AN-36", claudeTarget,
		claudeBody(`"system":[{"type":"text","text":"s","cache_control":{"type":"ephemeral"}}],`, `{"type":"text","text":"t","cache_control":{"type":"ephemeral","ttl":"1h"}}`),
		claudeBody(`"system":[{"type":"text","text":"s","cache_control":{"type":"ephemeral","ttl":"1h"}}],`, `{"type":"text","text":"t","cache_control":{"type":"ephemeral"}}`),
	},
	{"AN-43", claudeTarget, pictureBody(1, 8001), pictureBody(20, 8000)},
	{"AN-43", claudeTarget, pictureBody(21, 2001), pictureBody(21, 2000)},
	{"OP-02", routedClaude, routed(`"reasoning":"r"`), routed(`"reasoning":"r","reasoning_details":[{"type":"reasoning.text","text":"r","signature":"U2ln"}]`)},
	{"OP-02", routedClaude, routed(`"reasoning_details":[{"type":"reasoning.text","text":"r"}]`), routed(`"reasoning_details":[{"type":"reasoning.summary","summary":"r"}]`)},
	{
		"OP-02", routedClaude,
		routed(`"reasoning_details":[{"type":"reasoning.encrypted","data":""}]`), routed(`"reasoning_details":[{"type":"reasoning.encrypted","data":"U2ln"}]`),
	},
	{
		"OP-04", routedGemini,
		routed(`"reasoning_details":[{"type":"reasoning.encrypted","data":"not base64!"}]`), routed(`"reasoning_details":[{"type":"reasoning.encrypted","data":"U2ln"}]`),
	},
	{"LO-01", llamaServer, `{"chat_template_kwargs":{"enable_thinking":true},` + chatBodyOf(askM, sayM)[1:], chatBodyOf(askM, sayM)},
	{"LO-05", lmStudio, chatBodyOf(askM, strings.Replace(callM, `"tool_calls"`, `"content":null,"tool_calls"`, 1), doneM), chatBodyOf(askM, callM, doneM)},
	{"LO-05", lmStudio, chatBodyOf(`{"role":"user","content":["hi"]}`), chatBodyOf(`{"role":"user","content":[{"type":"text","text":"hi"}]}`)},
}

func TestHosts(t *testing.T) {
	for _, c := range hostTable {
		for body, want := range map[string][]string{c.bad: {c.rule}, c.good: nil} {
			found, err := Payload([]byte(body), c.target, Options{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range found {
				got = append(got, f.Rule)
			}
			if got = slices.Compact(got); !slices.Equal(got, want) {
				t.Errorf("%s: found %v, want %v in %.300s", c.rule, got, want, body)
			}
		}
	}
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
