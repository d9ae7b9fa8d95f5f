package check

import (
	"slices"
	"strings"
	"testing"

	"hygeia/policy"
)

// TestOllama holds the rules of Ollama's own API: the bad body breaks the rule
// and no other, the good one none.
func TestOllama(t *testing.T) {
	call := `{"role":"assistant","content":"","tool_calls":[{"function":{"name":"read","arguments":{}}}]}`
	done := `{"role":"tool","content":"x","tool_name":"read"}`
	for _, c := range []struct{ rule, bad, good string }{
		{"LO-06", chatBodyOf(askM, strings.Replace(call, `{}`, `"{}"`, 1), done), chatBodyOf(askM, call, done)},
		{"LO-07", chatBodyOf(`{"role":"user","content":[{"type":"text","text":"x"}]}`), chatBodyOf(askM)},
		{"LO-03", chatBodyOf(askM, askM), chatBodyOf(`{"role":"system","content":"s"}`, askM, call, done, sayM, askM)},
		{"LO-10", chatBodyOf(askM, sayM, `{"role":"system","content":"s"}`, askM), chatBodyOf(`{"role":"system","content":"s"}`, askM)},
		{"LO-12", chatBodyOf(`{"role":"system","content":"s"}`), chatBodyOf(askM)},
	} {
		target := policy.Target{Provider: "ollama", API: "ollama", Model: "qwen3"}
		for i, text := range []string{c.bad, c.good} {
			found := rulesWith(t, text, target, c.rule)
			if want := []string{c.rule}; i == 0 && !slices.Equal(found, want) || i == 1 && len(found) > 0 {
				t.Errorf("%s: found %v in body %d\n%s", c.rule, found, i, text)
			}
		}
	}
	found, err := Payload([]byte(chatBodyOf(`{"role":"user","content":[]}`)), policy.Target{API: "ollama"}, Options{})
	want := "json: cannot unmarshal array into Go struct field ChatRequest.messages.content of type string"
	if err != nil || len(found) != 1 || found[0].Message != want || found[0].Path != "/messages/0/content" {
		t.Errorf("found %+v, %v", found, err)
	}
}
