package wire_test

import (
	"testing"

	"hygeia/wire"
)

// TestDetectList knows lists by what only one API writes, and leaves alone what may
// as well be stored.
func TestDetectList(t *testing.T) {
	for text, want := range map[string]string{
		`[{"role":"user","content":"a"},{"role":"tool","tool_call_id":"1","content":"b"}]`:                           "openai-completions",
		`[{"role":"developer","content":"a"}]`:                                                                       "openai-completions",
		`[{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":{}}}]}]`:                             "ollama",
		`[{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"b"}]}]`:                       "anthropic-messages",
		`[{"role":"user","content":[{"toolResult":{"toolUseId":"1","content":[]}}]}]`:                                "bedrock-converse-stream",
		`[{"role":"user","parts":[{"text":"a"}]}]`:                                                                   "google-generative-ai",
		`[{"role":"user","content":"a"},{"type":"function_call_output","call_id":"1","output":"b"}]`:                 "openai-responses",
		"{\"role\":\"system\",\"content\":\"a\"}\n\n{\"role\":\"user\",\"content\":\"b\"}\n":                         "openai-completions",
		`[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"f"}]}]`:   "",
		`[{"role":"tool","content":"a"},{"role":"toolResult","toolCallId":"1","content":"b"}]`:                       "",
		`[{"role":"system","content":"a"},{"role":"assistant","content":[{"type":"toolCall","id":"1","name":"f"}]}]`: "",
		`[{"role":"system","content":"a","timestamp":7}]`:                                                            "",
		`[{"role":"user","content":[{"type":"image","data":"AAAA","mimeType":"image/png"}]}]`:                        "",
		`[{"role":"assistant","content":[{"type":"thinking","thinking":"a"}]}]`:                                      "",
		`[{"role":"assistant","content":[{"type":"tool_result","tool_use_id":"1","content":"b"}]}]`:                  "",
		"{\"role\":\"user\",\"content\":\"a\"}\n{\"type\":\"reasoning\",\"summary\":[]}":                             "openai-responses",
		"{\"type\":\"message\",\"content\":\"a\"}\n{\"role\":\"tool\"}":                                              "",
		`[1,null,{"role":7}]`: "",
		`[]`:                  "",
		`{}`:                  "",
		``:                    "",
	} {
		if got := wire.DetectList([]byte(text)); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestBody puts lists where the format has its messages and leaves bodies as they are.
func TestBody(t *testing.T) {
	for _, test := range []struct{ text, format, want string }{
		{`[{"role":"user"}]`, "openai-completions", `{"messages":[{"role":"user"}]}`},
		{`[{"role":"user"}]`, "openai-responses", `{"input":[{"role":"user"}]}`},
		{"{\"role\":\"user\"}\n{\"role\":\"model\"}", "google-generative-ai", `{"contents":[{"role":"user"},{"role":"model"}]}`},
	} {
		if got, listed := wire.Body([]byte(test.text), test.format); string(got) != test.want || !listed {
			t.Errorf("%s: %s %v", test.text, got, listed)
		}
	}
	for _, text := range []string{`{"messages":[{"role":"user"}]}`, "{\n\"messages\":[]}", `{"role":"user"`, "", "null", "x"} {
		if got, listed := wire.Body([]byte(text), "openai-completions"); string(got) != text || listed {
			t.Errorf("%s: %s %v", text, got, listed)
		}
	}
}
