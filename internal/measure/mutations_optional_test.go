package measure

// optionalMutations break rules that are off by default. They are on for their
// own mutations, and bodies that break them already are no place to break.
var optionalMutations = []mutation{
	{"AN-01", claudes, behind(at("messages/*", is("role", "user"), notLast), object{"role": "user", "content": "x"})},
	{"AN-34", claudes, both(where(calls), drop(at("tools")))},
	{"BR-08", converse, behind(at("messages/*", is("role", "user"), notLast), object{"role": "user", "content": []any{brText}})},
	{"BR-11", llama, behind(resBlocks, brText)},
	{"BR-23", converse, behind(useBlocks, brText)},
	{"BR-24", llama, put(at("messages/*/content/*/toolResult"), "status", "error")},
	{"CC-09", "nobody openai-completions", put(chatUsers, "content", []any{object{"type": "text", "text": "x"}})},
	{"CC-15", "vllm", put(at("messages/0", is("role", "system")), "role", "developer")},
	{"CC-21", "^deepseek", put(at("messages/*", is("role", "assistant")), "reasoning_content", "x")},
	{"CC-21", "^deepseek", behind(at("messages/*", is("role", "user"), notLast), object{"role": "user", "content": "x"})},
	{"CC-23", chats, behind(at("messages/*", is("role", "user"), notLast), object{"role": "user", "content": "x"})},
	{"CC-23", chats, insert(at("messages"), end, said)},
	{"GG-02", "google-generative-ai", behind(modelTurns, modelText)},
	{"GG-12", "google-generative-ai", insert(at("contents"), end, modelText)},
	{"GG-21", "google-generative-ai", insert(at("contents"), 0, modelText)},
	{"LO-03", native, behind(at("messages/*", is("role", "user"), notLast), object{"role": "user", "content": "x"})},
	{"LO-03", "vllm", behind(at("messages/*", is("role", "user"), notLast), object{"role": "user", "content": "x"})},
	{"LO-04", "vllm", insert(at("messages"), end, object{"role": "assistant", "content": "a"}, object{"role": "assistant", "content": "b"})},
	{"LO-09", "vllm .*qwen", put(chatCalls, "id", "call_12345")},
	{"LO-10", native, insert(at("messages"), end, object{"role": "system", "content": "x"})},
	{"LO-12", native, set(at("messages"), []any{object{"role": "system", "content": "x"}})},
	{"MI-07", mistrl, put(chatCalling, "content", "x")},
	{"MI-11", mistrl, insert(at("messages"), 0, said)},
}
