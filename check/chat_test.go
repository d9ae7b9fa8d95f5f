package check

import (
	"strings"

	"hygeia/policy"
)

func chatAt(provider, model string) policy.Target {
	return policy.Target{Provider: provider, API: "openai-completions", Model: model}
}

// Hosts of Chat Completions that differ in what they take.
var (
	openaiC   = chatAt("openai", "gpt-4o")
	proxiedC  = chatAt("litellm", "claude-sonnet-4-5")
	groqC     = chatAt("groq", "openai/gpt-oss-120b")
	deepseekC = chatAt("deepseek", "deepseek-reasoner")
	kimiC     = chatAt("moonshot", "kimi-k2.5")
	vllmC     = chatAt("vllm", "qwen3")
	qwenC     = chatAt("qwen", "qwen3-max")
	minimaxC  = chatAt("minimax", "MiniMax-M2.7")
	routedM   = chatAt("openrouter", "mistralai/mistral-large")
	nobodyC   = chatAt("nobody", "nothing")
)

const (
	systemM    = `{"role":"system","content":"s"}`
	reasonedM  = `{"role":"assistant","content":"ok","reasoning_content":"r"}`
	chatToolsM = `"tools":[{"type":"function","function":{"name":"read","parameters":{"type":"object"}}}],`
)

// chatWith is a chat body with members in front of the messages.
func chatWith(head string, messages ...string) string {
	return with(chatBodyOf(messages...), `"messages"`, head+`"messages"`)
}

func calledM(part, other string) string { return with(callM, part, other) }

// chatPairs are those of file 90 §4 and of MiniMax behind the same format.
var chatPairs = []pair{
	{rule: "MM-03", target: minimaxC, bad: chatBodyOf(systemM, systemM, askM), good: chatBodyOf(systemM, askM)},
	{rule: "MM-04", target: minimaxC, bad: chatWith(strings.Replace(chatToolsM, `,"parameters":{"type":"object"}`, "", 1), askM), good: chatWith(chatToolsM, askM)},
	{rule: "MM-05", finds: "CC-18", target: minimaxC, bad: chatBodyOf(askM, calledM(`"{}"`, `"{"`), doneM), good: chatBodyOf(askM, callM, doneM)},
	{rule: "CC-01", target: openaiC, bad: chatBodyOf(askM, callM, askM), good: chatBodyOf(askM, callM, doneM, askM)},
	{rule: "CC-01", target: openaiC, bad: chatBodyOf(askM, callM), good: chatBodyOf(askM, callM, doneM)},
	{rule: "CC-02", target: openaiC, bad: chatBodyOf(askM, doneM), good: chatBodyOf(askM, callM, doneM)},
	{rule: "CC-02", target: openaiC, bad: chatBodyOf(askM, callM, doneM, askM, doneM), good: chatBodyOf(askM, callM, doneM, askM)},
	{rule: "CC-03", target: openaiC, bad: chatBodyOf(askM, callM, doneM, doneM), good: chatBodyOf(askM, callM, doneM)},
	{
		rule: "CC-04", target: openaiC,
		bad:  chatBodyOf(askM, twoCalls("a", "a"), withID(doneM, "a")),
		good: chatBodyOf(askM, twoCalls("a", "b"), withID(doneM, "a"), withID(doneM, "b")),
	},
	{
		rule: "CC-05", target: openaiC,
		bad:  chatBodyOf(askM, withID(callM, pad("", 41)), withID(doneM, pad("", 41))),
		good: chatBodyOf(askM, withID(callM, pad("", 40)), withID(doneM, pad("", 40))),
	},
	{rule: "CC-06", target: openaiC, bad: chatBodyOf(`{"role":"user","content":null}`), good: chatBodyOf(askM, with(callM, `"tool_calls"`, `"content":null,"tool_calls"`), doneM)},
	{rule: "CC-06", target: openaiC, bad: chatBodyOf(`{"role":"user","content":7}`), good: chatBodyOf(askM)},
	{rule: "CC-07", target: openaiC, bad: chatBodyOf(`{"role":"user","content":[]}`), good: chatBodyOf(`{"role":"user","content":[{"type":"text","text":"x"}]}`)},
	{rule: "CC-08", target: openaiC, bad: chatBodyOf(askM, with(sayM, `"ok"`, `"ok","tool_calls":[]`), askM), good: chatBodyOf(askM, sayM, askM)},
	{rule: "CC-09", target: nobodyC, bad: chatBodyOf(`{"role":"user","content":[{"type":"text","text":"x"}]}`), good: chatBodyOf(askM)},
	{rule: "CC-10", target: groqC, bad: chatBodyOf(askM, reasonedM, askM), good: chatBodyOf(askM, sayM, askM)},
	{
		rule: "CC-11", target: deepseekC,
		bad:  chatBodyOf(askM, callM, doneM, sayM, askM),
		good: chatBodyOf(askM, calledM(`"tool_calls"`, `"reasoning_content":"r","tool_calls"`), doneM, sayM, askM),
	},
	{rule: "CC-11", target: deepseekC, bad: chatBodyOf(askM, callM, doneM), good: chatWith(`"thinking":{"type":"disabled"},`, askM, callM, doneM)},
	{
		rule: "CC-12", target: kimiC,
		bad:  chatBodyOf(askM, callM, doneM),
		good: chatBodyOf(askM, calledM(`"tool_calls"`, `"reasoning_content":"r","tool_calls"`), doneM),
	},
	{rule: "CC-13", target: kimiC, bad: chatWith(`"thinking":{"type":"enabled"},"reasoning_effort":"high",`, askM), good: chatWith(`"thinking":{"type":"enabled"},`, askM)},
	{rule: "CC-14", target: openaiC, bad: chatBodyOf(), good: chatBodyOf(askM)},
	{rule: "CC-15", target: vllmC, bad: chatBodyOf(with(systemM, "system", "developer"), askM), good: chatBodyOf(systemM, askM)},
	{rule: "CC-16", target: openaiC, bad: chatWith(`"tools":[],`, askM), good: chatWith(chatToolsM, askM)},
	{rule: "CC-16", target: proxiedC, bad: chatWith(`"tools":[],`, askM), good: chatWith(`"tools":[],`, askM, callM, doneM)}, // W-412
	{rule: "CC-16", target: openaiC, bad: chatWith(`"tools":[],`, askM, callM, doneM), good: chatBodyOf(askM, callM, doneM)},
	{rule: "CC-16", target: openaiC, bad: chatWith(`"tool_choice":"auto",`, askM), good: chatWith(chatToolsM+`"tool_choice":"auto",`, askM)},
	{rule: "CC-17", target: openaiC, bad: chatBodyOf(askM, calledM("read", "a.b"), doneM), good: chatBodyOf(askM, calledM("read", "a-b"), doneM)},
	{rule: "CC-17", target: openaiC, bad: chatWith(with(chatToolsM, "read", pad("", 65)), askM), good: chatWith(with(chatToolsM, "read", pad("", 64)), askM)},
	{rule: "CC-18", target: openaiC, bad: chatBodyOf(askM, calledM(`"{}"`, `{}`), doneM), good: chatBodyOf(askM, callM, doneM)},
	{rule: "CC-19", target: openaiC, bad: chatWith(`"max_tokens":9,`, askM), good: chatWith(`"max_completion_tokens":9,`, askM)},
	{rule: "CC-20", target: openaiC, bad: chatBodyOf(askM, callM, with(doneM, `"x"`, `[{"type":"image_url","image_url":{"url":"https://x"}}]`)), good: chatBodyOf(imagesM(`{"url":"https://x"}`))},
	{rule: "CC-21", target: deepseekC, bad: chatBodyOf(askM, reasonedM, askM), good: chatBodyOf(askM, sayM, askM)},
	{rule: "CC-21", target: deepseekC, bad: chatBodyOf(askM, askM), good: chatBodyOf(systemM, askM, sayM, askM)},
	{rule: "CC-22", finds: "CC-08", target: qwenC, bad: chatBodyOf(askM, with(sayM, `"ok"`, `"ok","tool_calls":[]`), askM), good: chatBodyOf(askM, sayM, askM)},
	{rule: "CC-23", target: nobodyC, bad: chatBodyOf(systemM, sayM, askM), good: chatBodyOf(systemM, systemM, askM, sayM, askM)},
	{rule: "CC-23", target: nobodyC, bad: chatBodyOf(askM, sayM), good: chatBodyOf(askM)},
	{rule: "CC-06", target: vllmC, bad: chatBodyOf(`{"role":"user","content":7}`), good: chatBodyOf(askM)},
	{rule: "CC-25", target: vllmC, bad: chatBodyOf(with(askM, "user", "wizard")), good: chatBodyOf(askM)},
	{
		rule: "CC-17", target: vllmC,
		bad:  strings.Replace(chatBodyOf(askM), `{`, `{"tools":[{"type":"custom","custom":{"name":"a b"}}],`, 1),
		good: strings.Replace(chatBodyOf(askM), `{`, `{"tools":[{"type":"custom","custom":{"name":"a_b"}}],`, 1),
	},
	{rule: "CC-25", target: vllmC, bad: chatBodyOf(askM, `7`), good: chatBodyOf(askM)},
	{rule: "CC-24", target: kimiC, bad: chatBodyOf(askM, with(sayM, "ok", ""), askM), good: chatBodyOf(askM, sayM, askM)},
	{rule: "OP-01", finds: "MI-02", target: routedM, bad: chatBodyOf(askM, callM, doneM, askM), good: chatBodyOf(askM, callM, doneM, sayM, askM)},
	{rule: "OP-03", target: routedClaude, bad: chatWith(`"reasoning":{"effort":"high"},`, askM, sayM), good: chatWith(`"reasoning":{"effort":"none"},`, askM, sayM)},
	{rule: "OP-06", target: routedClaude, bad: chatWith(`"reasoning":{"effort":"high","max_tokens":9},`, askM), good: chatWith(`"reasoning":{"max_tokens":9},`, askM)},
	{rule: "OP-07", finds: "MI-01", target: routedM, bad: chatBodyOf(askM, withID(callM, "a"), withID(doneM, "a")), good: chatBodyOf(askM, callM, doneM)},
	{rule: "LO-02", target: llamaServer, bad: chatBodyOf(askM, sayM, sayM), good: chatBodyOf(askM, sayM)},
	{rule: "LO-03", target: vllmC, bad: chatBodyOf(askM, askM), good: chatBodyOf(systemM, askM, sayM, askM)},
	{rule: "LO-04", target: vllmC, bad: chatBodyOf(askM, callM, doneM, sayM, sayM, askM), good: chatBodyOf(askM, callM, doneM, sayM, askM)},
	{rule: "LO-08", finds: "CC-18", target: chatAt("ollama", "qwen3"), bad: chatBodyOf(askM, calledM(`"{}"`, `"{\"a\":"`), doneM), good: chatBodyOf(askM, callM, doneM)},
	{rule: "LO-09", target: vllmC, bad: chatBodyOf(askM, withID(callM, "a"), withID(doneM, "a")), good: chatBodyOf(askM, callM, doneM)},
	{rule: "LO-09", target: vllmC, bad: chatBodyOf(askM, callM, doneM, askM), good: chatBodyOf(askM, callM, doneM, sayM, askM)},
	{rule: "LO-11", target: vllmC, bad: chatWith(chatToolsM, askM), good: chatWith(strings.Replace(chatToolsM, `"tools"`, `"tool_choice":"none","tools"`, 1), askM)},
}
