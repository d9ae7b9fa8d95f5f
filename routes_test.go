package hygeia

import (
	"strings"
	"testing"

	"hygeia/check"
	"hygeia/payload"
)

// What each route demands by its own rules, from the outside: the transcript or
// request goes through the whole engine with the profiles that the product has.
func TestRoutes(t *testing.T) {
	const (
		calls      = `[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"toolCall","id":"functions.read:0","name":"read","arguments":{}}]},{"role":"toolResult","toolCallId":"functions.read:0","toolName":"read","content":"ok"},{"role":"user","content":"r"}]`
		thought    = `[{"role":"user","content":"q"},{"role":"assistant","provider":"github-copilot","api":"anthropic-messages","model":"claude-sonnet-4-5","content":[{"type":"thinking","thinking":"t","thinkingSignature":"U2ln"}]},{"role":"user","content":"r"},{"role":"assistant","provider":"github-copilot","api":"anthropic-messages","model":"claude-sonnet-4-5","content":[{"type":"thinking","thinking":"t","thinkingSignature":"U2ln"},{"type":"text","text":"A"}]},{"role":"user","content":"s"}]`
		equals     = `[{"role":"user","content":"q"},{"role":"user","content":"r"}]`
		open       = `[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"toolCall","id":"a1","name":"read","arguments":{}}]},{"role":"user","content":"r"},{"role":"user","content":"s"},{"role":"assistant","content":[{"type":"text","text":"begun"}]}]`
		foreignIDs = `[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"toolCall","id":"call:x|fc:y","name":"read","arguments":{}}]},{"role":"toolResult","toolCallId":"call:x|fc:y","toolName":"read","content":"ok"},{"role":"user","content":"r"}]`
		failed     = `[{"role":"user","content":"q"},{"role":"assistant","content":[],"stopReason":"error","errorMessage":"x"},{"role":"user","content":"r"}]`
		cutOff     = `[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"thinking","thinking":"half a thought","thinkingSignature":"U2ln"}],"stopReason":"length"},{"role":"user","content":"r"}]`
		compacted  = `[{"role":"compactionSummary","summary":"earlier","tokensBefore":9,"timestamp":200},{"role":"user","content":"q","timestamp":90},{"role":"assistant","timestamp":100,"content":[{"type":"thinking","thinking":"an old thought","thinkingSignature":"b2xk"}]},{"role":"user","content":"r","timestamp":110},{"role":"assistant","timestamp":300,"content":[{"type":"thinking","thinking":"a new thought","thinkingSignature":"bmV3"},{"type":"text","text":"A"}]},{"role":"user","content":"s","timestamp":310}]`
		mirrored   = `[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"text","text":"the answer"}],"stopReason":"stop"},{"role":"assistant","provider":"openclaw","model":"delivery-mirror","content":[{"type":"text","text":"told elsewhere"}],"stopReason":"stop"},{"role":"user","content":"r"}]`
		tools      = `"tools":[{"type":"function","function":{"name":"f"}}],"messages":[{"role":"user","content":"q"}]}`
	)
	for _, c := range []struct {
		rule      string
		to        Target
		api       string // format of a request, "" for messages
		in        string
		level     payload.Level
		has, lack []string
	}{
		// Mistral's models are known by their names behind any server.
		{"W-020, W-543, W-804", Target{Provider: "openrouter", API: "openai-completions", Model: "mistralai/codestral-2508"}, "", calls, "", []string{`"id":"functions"`, `"I have processed the tool results."`}, nil},
		{"W-020, W-543, W-804", Target{Provider: "vllm", API: "openai-completions", Model: "mistral-large-latest"}, "", calls, "", []string{`"id":"functions"`, `"I have processed the tool results."`}, nil},
		{"W-020", Target{Provider: "vllm", API: "openai-completions", Model: "qwen3"}, "", calls, "", []string{`"id":"functionsread0"`}, []string{"I have processed"}},
		// Kimi's own ids stay for Kimi alone.
		{"W-173", Target{Provider: "moonshot", API: "openai-completions", Model: "kimi-k2.5"}, "", calls, "", []string{`"id":"functions.read:0"`}, nil},
		{"W-173", Target{Provider: "deepseek", API: "openai-completions", Model: "deepseek-chat"}, "", calls, "", nil, []string{`functions.read:0`}},
		// Copilot's Claude loses the thinking of all earlier turns.
		{"W-022, W-161", Target{Provider: "github-copilot", API: "anthropic-messages", Model: "claude-sonnet-4-5"}, "", thought, "medium", []string{"[assistant reasoning omitted]", `"A"`}, []string{"U2ln"}},
		// Claude over Responses gets the turns of Anthropic, others do not.
		{"W-023", Target{Provider: "mybox", API: "openai-responses", Model: "claude-sonnet-4-5"}, "", equals, "", []string{`"text":"q"},{"type":"input_text","text":"r"}`}, nil},
		{"W-023", Target{Provider: "openai", API: "openai-responses", Model: "gpt-5.1"}, "", equals, "", []string{`"text":"q"}]},{"type":"message"`}, nil},
		// MiniMax in Anthropic's format: pairs, joined turns, no prefill.
		{"W-251", Target{Provider: "minimax", Model: "MiniMax-M3"}, "", open, "", []string{`"tool_use_id":"a1"`, `{"type":"text","text":"r"},{"type":"text","text":"s"`}, []string{"begun"}},
		// Kimi: no forced tool while it thinks, no sampling parameters of new models.
		{"W-533", Target{Provider: "moonshot", API: "openai-completions", Model: "kimi-k2.7-code"}, "openai-completions", `{"model":"m","temperature":0.5,"tool_choice":"required",` + tools, "", []string{`"tool_choice":"auto"`}, []string{"temperature"}},
		{"W-533", Target{Provider: "moonshot", API: "openai-completions", Model: "kimi-k2.5"}, "openai-completions", `{"model":"m","temperature":0.5,"tool_choice":"required",` + tools, "", []string{`"tool_choice":"auto"`, `"temperature":0.5`}, nil},
		{"W-533", Target{Provider: "deepseek", API: "openai-completions", Model: "deepseek-chat"}, "openai-completions", `{"model":"m","tool_choice":"required",` + tools, "", []string{`"tool_choice":"required"`}, nil},
		// DeepSeek and Xiaomi want reasoning back as reasoning_content.
		{"W-424, W-425", Target{Provider: "xiaomi", API: "openai-completions", Model: "mimo-v2.5-pro"}, "openai-completions", reasoned("reasoning"), "", []string{`"reasoning_content":"because"`}, []string{`"reasoning":`}},
		{"W-424, W-425", Target{Provider: "deepseek", API: "openai-completions", Model: "deepseek-v4-pro"}, "openai-completions", reasoned("reasoning_text"), "", []string{`"reasoning_content":"because"`}, []string{`"reasoning_text":`}},
		// A router in front of Gemini passes on only signatures that are base64.
		{"W-511", Target{Provider: "openrouter", API: "openai-completions", Model: "google/gemini-3-pro"}, "openai-completions", signedCall("torn…"), "", nil, []string{"torn"}},
		{"W-511", Target{Provider: "openrouter", API: "openai-completions", Model: "google/gemini-3-pro"}, "openai-completions", signedCall("U2lnbmVk"), "", []string{"U2lnbmVk"}, nil},
		// Google's own endpoint of Chat Completions.
		{"W-431", Target{Provider: "google", API: "openai-completions", Model: "gemini-3-pro"}, "openai-completions", signedCall("U2lnbmVk"), "", []string{`"thought_signature":"U2lnbmVk"`}, nil},
		// Ids of each kind of route.
		{"W-170", Target{Provider: "groq", API: "openai-completions", Model: "openai/gpt-oss-120b"}, "", calls, "", []string{`"id":"functionsread0"`, `"tool_call_id":"functionsread0"`}, nil},
		{"W-171", Target{Provider: "mistral", API: "mistral-conversations", Model: "mistral-large-latest"}, "", calls, "", []string{`"id":"functions"`, `"tool_call_id":"functions"`}, nil},
		{"W-313, W-314", Target{Provider: "openai", Model: "gpt-5.1"}, "", foreignIDs, "", []string{`"call_id":"call_call_x_`}, []string{`call:x`, `fc_`}},
		// Turns that failed or were cut off in the middle of thinking.
		{"W-105, W-163, W-709", Target{Provider: "amazon-bedrock", Model: "anthropic.claude-sonnet-4-5-20250929-v1:0"}, "", failed, "", []string{"failed"}, []string{`"content":[]`}},
		{"W-106", Target{Provider: "anthropic", Model: "claude-sonnet-4-5"}, "", cutOff, "high", nil, []string{"half a thought"}},
		{"W-117, W-212", Target{Provider: "anthropic", Model: "claude-opus-4-6"}, "", compacted, "high", []string{"[assistant reasoning omitted]", "bmV3"}, []string{"b2xk", "an old thought"}},
		{"W-117, W-212", Target{Provider: "amazon-bedrock", Model: "anthropic.claude-opus-4-6-v1"}, "", compacted, "high", []string{"[assistant reasoning omitted]", "bmV3"}, []string{"b2xk", "an old thought"}},
		{"W-225", Target{Provider: "anthropic", Model: "claude-3-7-sonnet"}, "", open, "", nil, []string{"begun"}},
		{"W-708", Target{Provider: "amazon-bedrock", Model: "anthropic.claude-sonnet-4-5-20250929-v1:0"}, "", mirrored, "", []string{`"the answer"`}, []string{"told elsewhere"}},
		// A new id of its call leaves the response of a function as it is.
		{"W-604, W-609", Target{Provider: "google", Model: "gemini-3-pro"}, "google-generative-ai", `{"contents":[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[{"functionCall":{"id":"call_1","name":"f","args":{}},"thoughtSignature":"c2ln"}]},{"role":"user","parts":[{"functionResponse":{"id":"call_1","name":"f","response":{"lines":[1.0]},"scheduling":"SILENT"}}]}]}`, "", []string{`"functionCall":{"id":"call1"`, `{"functionResponse":{"id":"call1","name":"f","response":{"lines":[1.0]},"scheduling":"SILENT"}}`}, nil},
		// Flash-Lite thinks with 512 tokens or not at all.
		{"W-621", Target{Provider: "google", Model: "gemini-2.5-flash-lite"}, "google-generative-ai", `{"contents":[{"role":"user","parts":[{"text":"q"}]}],"generationConfig":{"thinkingConfig":{"thinkingBudget":1}}}`, "", []string{`"thinkingBudget":512`}, nil},
		// Azure and Codex: nothing of what the service did not store.
		{"W-352", Target{Provider: "azure-openai", Model: "gpt-5.1"}, "", calls, "", []string{`"store":false`}, nil},
		{"W-344, W-342", Target{Provider: "openai-codex", Model: "gpt-5.4"}, "", calls, "", []string{`"store":false`, `"stream":true`, `"instructions":"`}, nil},
	} {
		o := OpenOptions{Format: FormatMessages}
		if c.api != "" {
			o.Format = FormatRequest(c.api)
		}
		tr, err := Read(strings.NewReader(c.in), "in", o)
		if err != nil {
			t.Fatal(err)
		}
		r, err := tr.Replay(c.to, ReplayOptions{Payload: payload.Options{Thinking: c.level}})
		if err != nil {
			t.Errorf("%s %+v: %v", c.rule, c.to, err)
			continue
		}
		body := string(r.Body)
		for _, s := range c.has {
			if !strings.Contains(body, s) {
				t.Errorf("%s %+v: no %s in\n%s", c.rule, c.to, s, body)
			}
		}
		for _, s := range c.lack {
			if strings.Contains(body, s) {
				t.Errorf("%s %+v: %s in\n%s", c.rule, c.to, s, body)
			}
		}
		if found, err := check.Payload(r.Body, r.Resolution.Target, check.Options{}); err != nil || len(found) > 0 {
			t.Errorf("%s %+v: %v %+v", c.rule, c.to, err, found)
		}
	}
}

// reasoned is a request whose model reasoned, told in one of the members.
func reasoned(member string) string {
	return `{"model":"m","tools":[{"type":"function","function":{"name":"f"}}],"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"A","` + member + `":"because","tool_calls":[{"id":"call1","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"call1","content":"ok"},{"role":"assistant","content":"B","` + member + `":"because"},{"role":"user","content":"r"}]}`
}

// signedCall is a request with a signed call of Gemini.
func signedCall(signature string) string {
	return `{"model":"m","tools":[{"type":"function","function":{"name":"f"}}],"messages":[{"role":"user","content":"q"},{"role":"assistant","content":null,"tool_calls":[{"id":"call1","type":"function","function":{"name":"f","arguments":"{}"},"extra_content":{"google":{"thought_signature":"` + signature + `"}}}]},{"role":"tool","tool_call_id":"call1","content":"ok"}]}`
}

// W-244: a gateway in front of Anthropic passes on what that refuses, so its
// rules hold.
func TestGatewayRules(t *testing.T) {
	body := `{"model":"claude-sonnet-4-5","max_tokens":50,"messages":[{"role":"assistant","content":"x"}]}`
	for _, provider := range []string{"anthropic", "cloudflare-ai-gateway"} {
		found, err := check.Payload([]byte(body), Target{Provider: provider, API: "anthropic-messages", Model: "claude-sonnet-4-5"}, check.Options{})
		if err != nil || len(found) == 0 || found[0].Rule != "AN-02" {
			t.Errorf("%s: %v %+v", provider, err, found)
		}
	}
}
