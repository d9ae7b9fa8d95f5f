package check

import (
	"strconv"
	"strings"
	"testing"

	"hygeia/policy"
)

// TestLinear checks one turn of 20 000 calls and the turn of their results in
// every format (G-6): what compared each with each would take minutes.
func TestLinear(t *testing.T) {
	const n = 20_000
	many := func(form string) string {
		var b strings.Builder
		for i := range n {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(strings.ReplaceAll(form, "$n", strconv.Itoa(100_000_000+i)))
		}
		return b.String()
	}
	calls := many(`{"id":"$n","type":"function","function":{"name":"read","arguments":"{}"}}`)
	results := many(`{"role":"tool","tool_call_id":"$n","content":"x"}`)
	chat := chatBodyOf(askM, `{"role":"assistant","tool_calls":[`+calls+`]}`, results)
	for _, c := range []struct {
		target policy.Target
		body   string
	}{
		{claudeTarget, messagesBody("", askA, modelA(many(`{"type":"tool_use","id":"$n","name":"read","input":{}}`)), userA(many(`{"type":"tool_result","tool_use_id":"$n","content":"x"}`)))},
		{
			policy.Target{Provider: "amazon-bedrock", API: "bedrock-converse-stream", Model: sonnet45},
			converseBody(toolsC, askC, modelC(many(useC("$n", "read", "{}"))), userC(many(resultC("$n", textsC)))),
		},
		{openaiC, chat},
		{routedM, chat},
		{policy.Target{Provider: "mistral", API: "mistral-conversations"}, chat},
		{policy.Target{Provider: "openai", API: "openai-responses"}, responsesBody("", many(asCall("$n", "")), many(asOutput("$n", `"x"`)))},
		{geminiTarget, google(gUser, gParts("model", many(`{"functionCall":{"name":"read","args":{}}}`)), gParts("user", many(`{"functionResponse":{"name":"read","response":{}}}`)))},
		{
			policy.Target{Provider: "google-antigravity", API: "google-gemini-cli", Model: "claude-sonnet-4-5"},
			wrapped(gUser, gParts("model", many(`{"functionCall":{"id":"$n","name":"read","args":{}}}`)), gParts("user", many(`{"functionResponse":{"id":"$n","name":"read","response":{}}}`))),
		},
		{ollamaTarget, chatBodyOf(askM, `{"role":"assistant","content":"","tool_calls":[`+many(`{"function":{"name":"read","arguments":{}}}`)+`]}`, many(doneO))},
	} {
		found, err := Payload([]byte(c.body), c.target, Options{})
		if err != nil || len(found) > 0 {
			t.Errorf("%+v: %d findings, %v", c.target, len(found), err)
		}
	}
}
