package conformance_test

import (
	"fmt"
	"strings"
	"testing"

	"hygeia/policy"
)

// mistakes are bodies with one mistake each, and what must be said about it.
var mistakes = []struct{ api, body, says string }{
	{"anthropic-messages", `{"model":"m","max_tokens":1,"messages":[{"role":"user","content":[{"type":"text","text":"a","cacheControl":{"type":"ephemeral"}}]}],"stream":true}`, "lost messages[].content[].cacheControl"},
	{"anthropic-messages", `{"model":"m","max_tokens":1,"messages":[{"role":"user","content":[{"type":"tool_result","toolUseId":"a","content":"b"}]}],"stream":true}`, "added messages[].content[].tool_use_id"},
	{"anthropic-messages", `{"model":"m","max_tokens":"1","messages":[{"role":"user","content":[{"type":"text","text":"a"}]}],"stream":true}`, "changed max_tokens"},
	{"anthropic-messages", `{"model":"m","max_tokens":1,"messages":[{"role":"tool","content":[{"type":"text","text":"a"}]}],"stream":true}`, `"tool"`},
	{"openai-completions", `{"model":"m","messages":[{"role":"assistant","toolCalls":[]},{"role":"user","content":"a"}],"stream":true}`, "lost messages[].toolCalls"},
	{"openai-completions", `{"model":"m","messages":[{"role":"user","content":[{"type":"image_url","image_url":"data:"}]}],"stream":true}`, "lost messages[].content[].image_url"},
	{"openai-responses", `{"model":"m","input":[{"type":"functionCall","call_id":"a","name":"b","arguments":"{}"}],"stream":true}`, "keeps raw JSON"},
	{"openai-responses", `{"model":"m","input":[{"type":"function_call","id":"a","name":"b","arguments":"{}"}],"stream":true}`, "added input[].call_id"},
	{"openai-responses", `{"model":"m","input":[{"type":"message","role":"user","content":[{"type":"output_text","text":"a"}]}],"stream":true}`, "keeps raw JSON"},
	{"google-generative-ai", `{"contents":[{"role":"user","parts":[{"inline_data":{"mimeType":"image/png","data":"AAAA"}}]}]}`, "lost contents[].parts[].inline_data"},
	{"google-generative-ai", `{"contents":[{"role":"user","parts":[{"text":"a"}]}],"generationConfig":{"max_output_tokens":1}}`, "lost generationConfig"},
	{"bedrock-converse-stream", `{"messages":[{"role":"user","content":[{"text":"a","type":"text"}]}]}`, "lost messages[].content[].type"},
	{"bedrock-converse-stream", `{"messages":[{"role":"user","content":[{"image":{"format":"jpg","source":{"bytes":"AAAA"}}}]}]}`, `"jpg"`},
	{"bedrock-converse-stream", `{"messages":[{"role":"tool","content":[{"text":"a"}]}]}`, `"tool"`},
}

// TestMistakesAreSeen shows that each check of this module can fail.
func TestMistakesAreSeen(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	for _, m := range mistakes {
		b := body{"mistake", policy.Target{Provider: "any", API: m.api, Model: "m"}, []byte(m.body)}
		var r notes
		j.body(&r, b)
		if text := strings.Join(r, "\n"); !strings.Contains(text, m.says) {
			t.Errorf("%s\nwant %q among:\n%s", m.body, m.says, text)
		}
	}
}

// notes takes down what is reported.
type notes []string

func (n *notes) Helper()                           {}
func (n *notes) Fatalf(format string, args ...any) { n.Errorf(format, args...) }
func (n *notes) Errorf(format string, args ...any) { *n = append(*n, fmt.Sprintf(format, args...)) }
