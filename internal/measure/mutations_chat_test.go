package measure

import "strings"

const (
	chats  = "openai-completions"
	mistrl = "mistral-conversations"
	native = "^ollama ollama"
)

var (
	chatCalls    = at("messages/*/tool_calls/*")
	chatResults  = at("messages/*", is("role", "tool"))
	chatUsers    = at("messages/*", is("role", "user"))
	chatCalling  = at("messages/*", is("role", "assistant"), has("tool_calls"))
	chatPictures = at("messages/*/content/*/image_url")
	said         = object{"role": "assistant", "content": "So"}
)

// behindRole asks for an element whose neighbour in front has that role.
func behindRole(role string) func(*spot) bool {
	return func(s *spot) bool {
		list, ok := s.up.value.([]any)
		return ok && s.index() > 0 && list[s.index()-1].(object)["role"] == role
	}
}

var chatMutations = []mutation{
	{"CC-01", chats, drop(chatResults)},
	{"CC-02", chats, drop(at("messages/*", is("role", "assistant"), has("tool_calls"), behindRole("user")))},
	{"CC-03", chats, put(chatResults, "tool_call_id", "nobody")},
	{"CC-03", chats, drop(at("messages/*/tool_call_id"))},
	{"CC-03", chats, twice(chatResults)},
	{"CC-04", chats, twice(chatCalls)},
	{"CC-05", "^openai openai-completions gpt", put(chatCalls, "id", strings.Repeat("x", 41))},
	{"CC-06", chats, put(chatUsers, "content", nil)},
	{"CC-06", chats, put(chatUsers, "content", 7)},
	{"CC-07", chats, put(chatUsers, "content", []any{})},
	{"CC-08", chats, put(at("messages/*", is("role", "assistant"), func(s *spot) bool { return s.get("tool_calls") == nil }), "tool_calls", []any{})},
	{"CC-10", "groq", put(at("messages/*", is("role", "assistant")), "reasoning_content", "x")},
	{"CC-10", "cerebras", put(at("messages/*"), "annotations", []any{})},
	{"CC-10", "^mistral openai-completions", put(at("messages/*"), "refusal2", "")},
	{"CC-11", "^deepseek .*v4", drop(at("messages/*/reasoning_content", parent(has("tool_calls"))))},
	{"CC-12", "^kimi openai-completions", drop(at("messages/*/reasoning_content", parent(has("tool_calls"))))},
	{"CC-12", "moonshot", drop(at("messages/*/reasoning_content", parent(has("tool_calls"))))},
	{"CC-13", "moonshot", both(root("thinking", object{"type": "enabled"}), root("reasoning_effort", "high"))},
	{"CC-14", chats, set(at("messages"), []any{})},
	{"CC-16", chats, root("tools", []any{})},
	{"CC-16", chats, both(drop(at("tools")), root("tool_choice", "auto"))},
	{"CC-17", chats, put(at("messages/*/tool_calls/*/function"), "name", "a.b")},
	{"CC-17", chats, put(at("tools/*/function"), "name", "")},
	{"CC-18", chats, put(at("messages/*/tool_calls/*/function"), "arguments", object{})},
	{"CC-18", chats, put(at("messages/*/tool_calls/*/function"), "arguments", `{"a":`)},
	{"CC-19", "^openai openai-completions gpt", root("max_tokens", 100)},
	{"CC-20", chats, put(chatResults, "content", []any{object{"type": "image_url", "image_url": object{"url": "data:image/png;base64," + tinyPNG}}})},
	{"CC-24", "moonshot", behind(at("messages/*", is("role", "user"), notLast), object{"role": "assistant", "content": ""})},
	{"CC-25", chats, put(chatUsers, "role", "wizard")},
	{"OP-02", "openrouter .*anthropic/", put(at("messages/*", is("role", "assistant"), func(s *spot) bool { return s.get("reasoning_details") == nil }), "reasoning", "because")},
	{"OP-02", "openrouter .*anthropic/", drop(at("messages/*/reasoning_details/*/signature"))},
	{"OP-02", "openrouter .*x-ai/", put(at("messages/*", is("role", "assistant")), "reasoning_details", []any{object{"type": "reasoning.text", "text": "x"}})},
	{"OP-03", "openrouter .*anthropic/", both(root("reasoning", object{"effort": "high"}), insert(at("messages"), end, said))},
	{"OP-04", "openrouter .*google/", put(at("messages/*", is("role", "assistant")), "reasoning_details", []any{object{"type": "reasoning.encrypted", "data": "not base64!"}})},
	{"OP-06", "openrouter", root("reasoning", object{"effort": "high", "max_tokens": 2000})},
	{"MI-01", "openrouter .*mistralai/", put(chatCalls, "id", "call_1")},
	{"LO-01", "^llama", both(root("chat_template_kwargs", object{"enable_thinking": true}), insert(at("messages"), end, said))},
	{"LO-02", "^(llama|vllm|lmstudio)", insert(at("messages"), end, said, said)},
	{"LO-05", "lmstudio", put(chatCalling, "content", nil)},
	{"LO-05", "lmstudio", put(chatUsers, "content", []any{"a string"})},
	{"OR-20", chats, put(chatPictures, "url", "data:image/png;base64,aGVsbG8=")},
	{"LO-06", native, put(at("messages/*/tool_calls/*/function"), "arguments", "{}")},
	{"LO-07", native, put(at("messages/*"), "content", []any{object{"type": "text", "text": "x"}})},
	{"MI-01", mistrl, put(chatCalls, "id", "call_12345")},
	{"MI-01", mistrl, put(chatResults, "tool_call_id", "12345678-")},
	{"MI-01", "vllm .*mistral", put(chatCalls, "id", "call_12345")},
	{"MI-02", mistrl, behind(chatResults, object{"role": "user", "content": "x"})},
	{"MI-03", mistrl, drop(at("messages/*", is("role", "assistant"), has("tool_calls"), behindRole("user")))},
	{"MI-03", mistrl, behind(at("messages/*", is("role", "assistant")), object{"role": "system", "content": "x"})},
	{"MI-04", mistrl, insert(at("messages"), end, said)},
	{"MI-05", mistrl, drop(chatResults)},
	{"MI-06", mistrl, behind(at("messages/*", is("role", "user"), notLast), object{"role": "assistant", "content": ""})},
	{"MI-08", mistrl, put(at("messages/*"), "reasoning_content", "x")},
	{"MI-08", mistrl, put(at("messages/*/content/*"), "type", "text2")},
	{"MI-09", mistrl, put(chatResults, "tool_call_id", "abcdefgh9")},
	{"MI-10", mistrl, same(at("messages/*/tool_calls/*/id"))},
	{"MI-12", mistrl, insert(at("messages/*/content", isList, parent(is("role", "user"))), end, chatImages(9)...)},
	{"MI-12", mistrl, set(chatPictures, "data:image/bmp;base64,"+tinyPNG)},
}
