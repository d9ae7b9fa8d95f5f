package check

import (
	"strings"
	"testing"

	"hygeia/policy"
)

var ollamaTarget = policy.Target{Provider: "ollama", API: "ollama", Model: "qwen3"}

const (
	callO = `{"role":"assistant","content":"","tool_calls":[{"function":{"name":"read","arguments":{}}}]}`
	doneO = `{"role":"tool","content":"x","tool_name":"read"}`
)

// ollamaPairs are those of Ollama's own API.
var ollamaPairs = []pair{
	{rule: "LO-06", target: ollamaTarget, bad: chatBodyOf(askM, strings.Replace(callO, `{}`, `"{}"`, 1), doneO), good: chatBodyOf(askM, callO, doneO)},
	{rule: "LO-07", target: ollamaTarget, bad: chatBodyOf(`{"role":"user","content":[{"type":"text","text":"x"}]}`), good: chatBodyOf(askM)},
	{rule: "LO-03", target: ollamaTarget, bad: chatBodyOf(askM, askM), good: chatBodyOf(systemM, askM, callO, doneO, sayM, askM)},
	{rule: "LO-10", target: ollamaTarget, bad: chatBodyOf(askM, sayM, systemM, askM), good: chatBodyOf(systemM, askM)},
	{rule: "LO-12", target: ollamaTarget, bad: chatBodyOf(systemM), good: chatBodyOf(askM)},
}

// TestOllamaText holds that a finding carries the text of the server.
func TestOllamaText(t *testing.T) {
	found, err := Payload([]byte(chatBodyOf(`{"role":"user","content":[]}`)), policy.Target{API: "ollama"}, Options{})
	want := "json: cannot unmarshal array into Go struct field ChatRequest.messages.content of type string"
	if err != nil || len(found) != 1 || found[0].Message != want || found[0].Path != "/messages/0/content" {
		t.Errorf("found %+v, %v", found, err)
	}
}
