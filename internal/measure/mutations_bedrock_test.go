package measure

import "strings"

const (
	converse = "bedrock-converse-stream"
	claudeBR = "bedrock-converse-stream .*claude"
	llama    = "bedrock-converse-stream meta"
)

var (
	uses      = at("messages/*/content/*/toolUse")
	useBlocks = at("messages/*/content/*", has("toolUse"))
	resBlocks = at("messages/*/content/*", has("toolResult"))
	reasoned  = at("messages/*/content/*/reasoningContent/reasoningText")
	brText    = object{"text": "So"}
)

var bedrockMutations = []mutation{
	{"BR-01", converse, put(at("messages/*/content/*", has("text")), "text", " ")},
	{"BR-01", converse, insert(at("system"), end, object{"text": ""})},
	{"BR-02", converse, put(at("messages/*"), "content", []any{})},
	{"BR-03", converse, drop(resBlocks)},
	{"BR-04", converse, both(where(uses), drop(at("toolConfig")))},
	{"BR-05", converse, drop(useBlocks)},
	{"BR-05", converse, twice(resBlocks)},
	{"BR-06", claudeBR, put(at("messages/*/content/*/toolResult", is("status", "error")), "content", []any{})},
	{"BR-07", converse, twice(useBlocks)},
	{"BR-09", converse, drop(at("messages/0", func(s *spot) bool { n := s.next(); return n != nil && n.get("role") == "assistant" }))},
	{"BR-10", converse, put(uses, "toolUseId", "a.b")},
	{"BR-10", converse, put(uses, "name", strings.Repeat("n", 65))},
	{"BR-10", converse, put(at("messages/*/content/*/toolResult"), "toolUseId", "")},
	{"BR-12", converse, put(at("messages/*"), "content", nil)},
	{"BR-12", converse, drop(at("messages/*/content/*/toolUse/input"))},
	{"BR-13", converse, insert(at("messages/*/content", isList, parent(is("role", "user"))), end,
		object{"reasoningContent": object{"reasoningText": object{"text": "x", "signature": "QUJD"}}})},
	{"BR-13", llama, insert(at("messages/*/content", isList, parent(is("role", "assistant"))), 0, object{"reasoningContent": object{"reasoningText": object{"text": "x"}}})},
	{"BR-14", llama, insert(at("messages/*/content", isList, parent(is("role", "assistant"))), 0,
		object{"reasoningContent": object{"reasoningText": object{"text": "x", "signature": "QUJD"}}})},
	{"BR-15", llama, insert(at("messages"), end, object{"role": "assistant", "content": []any{brText}})},
	{"BR-15", "bedrock-converse-stream .*claude-opus-4-6", insert(at("messages"), end, object{"role": "assistant", "content": []any{brText}})},
	{"BR-16", converse, put(at("messages/*/content/*/image"), "format", "bmp")},
	{"BR-16", converse, put(at("messages/*/content/*/image/source"), "bytes", "aGVsbG8=")},
	{"BR-16", converse, put(at("messages/*/content/*/image/source"), "bytes", widePNG)},
	{"BR-16", converse, insert(at("messages/*/content", isList, parent(is("role", "user"))), end, converseImages(21)...)},
	{"BR-17", converse, insert(at("messages/*/content", isList, parent(is("role", "user"))), end,
		object{"document": object{"format": "pdf", "name": "a.b", "source": object{"bytes": "QUJD"}}})},
	{"BR-18", converse, put(at("toolConfig"), "tools", []any{})},
	{"BR-19", llama, insert(at("messages/*/content", isList), end, object{"cachePoint": object{"type": "default"}})},
	{"BR-20", claudeBR, drop(at("messages/*/content/*/reasoningContent/reasoningText/signature"))},
	{"BR-20", claudeBR, put(reasoned, "signature", "reasoning_content")},
	{"BR-20", claudeBR, put(at("additionalModelRequestFields/thinking", is("type", "enabled")), "budget_tokens", 10)},
	{"BR-20", claudeBR, both(where(at("additionalModelRequestFields/thinking", is("type", "enabled"))), put(at("inferenceConfig"), "temperature", 0.5))},
	{"BR-21", converse, put(uses, "input", "x")},
	{"BR-22", converse, set(at("messages"), []any{})},
	{"AN-27", converse, set(at("messages/*/content/*/text"), loneHalf)},
}
