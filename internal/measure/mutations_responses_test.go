package measure

import "strings"

const (
	respons = "responses"
	stated  = "^openai openai-responses gpt-5.1"
	codexes = "openai-chatgpt-responses"
	azures  = "azure-openai-responses gpt"
)

var (
	inCalls    = at("input/*", is("type", "function_call"))
	inOutputs  = at("input/*", is("type", "function_call_output"))
	inThoughts = at("input/*", is("type", "reasoning"))
	inMessages = at("input/*", is("type", "message"))
	reference  = object{"type": "item_reference", "id": "rs_1"}
)

var responsesMutations = []mutation{
	{"OR-01", respons, both(put(at("input/*", is("type", "reasoning"), func(s *spot) bool { n := s.next(); return n != nil && n.get("type") != "reasoning" }), "id", "rs_1"),
		behind(at("input/*", is("id", "rs_1")), object{"type": "message", "role": "user", "content": "x"}))},
	{"OR-02", respons, put(at("input/*", is("type", "function_call"), afterThought), "id", "fc_1")},
	{"OR-02", respons, put(at("input/*", is("type", "message"), is("role", "assistant"), afterThought), "id", "msg_1")},
	{"OR-03", respons, drop(inOutputs)},
	{"OR-04", respons, drop(inCalls)},
	{"OR-05", respons, both(put(at("input/*", is("type", "function_call"), func(s *spot) bool { return s.get("id") == nil }), "id", "fc_1"),
		put(at("input/*", is("type", "function_call"), func(s *spot) bool { return s.get("id") == nil }), "id", "fc_1"))},
	{"OR-06", respons, put(inCalls, "id", "call_1")},
	{"OR-07", respons, put(inCalls, "id", "fc_"+strings.Repeat("x", 62))},
	{"OR-07", respons, put(inCalls, "id", "fc_a.b")},
	{"OR-08", stated, insert(at("input"), 0, reference)},
	{"OR-08", stated, both(put(inThoughts, "id", "rs_1"), drop(at("input/*/encrypted_content", parent(is("id", "rs_1")))))},
	{"OR-09", respons, put(inThoughts, "encrypted_content", " ")},
	{"OR-10", respons, root("prompt_cache_key", strings.Repeat("k", 65))},
	{"OR-11", respons, put(inCalls, "call_id", "")},
	{"OR-11", respons, put(inOutputs, "call_id", strings.Repeat("c", 65))},
	{"OR-12", respons, root("messages", []any{})},
	{"OR-13", respons, put(inMessages, "role", "tool")},
	{"OR-14", respons, set(at("input/*/content/*/type"), "text")},
	{"OR-15", respons, drop(at("input/*/summary"))},
	{"OR-16", respons, put(inCalls, "name", "a.b")},
	{"OR-16", respons, put(inCalls, "arguments", object{})},
	{"OR-16", respons, put(at("tools/*"), "name", strings.Repeat("n", 129))},
	{"OR-17", respons, put(inOutputs, "output", []any{})},
	{"OR-17", respons, drop(at("input/*/output"))},
	{"OR-18", "^openai openai-responses gpt-4o", insert(at("input"), 0, object{"type": "reasoning", "summary": []any{}, "encrypted_content": "gAAA"})},
	{"OR-18", stated, root("temperature", 0.5)},
	{"OR-19", stated, root("reasoning", object{"effort": "minimal"})},
	{"OR-20", respons, set(at("input/*/content/*/image_url"), "data:image/bmp;base64,"+tinyPNG)},
	{"OR-20", respons, set(at("input/*/content/*/image_url"), "data:image/png;base64,aGVsbG8=")},
	{"OR-22", respons, set(at("input"), []any{})},
	{"OR-23", respons, insert(at("tools"), end, object{"type": "function", "function": object{"name": "x"}})},
	{"CX-01", codexes, drop(at("instructions"))},
	{"CX-03", codexes, drop(at("store"))},
	{"CX-04", codexes, set(at("stream"), false)},
	{"CX-05", codexes, root("max_output_tokens", 1000)},
	{"CX-05", codexes, root("service_tier", "flex")},
	{"CX-06", codexes, set(at("input"), "x")},
	{"CX-07", codexes, insert(at("input"), 0, object{"type": "message", "role": "system", "content": "x"})},
	{"CX-08", codexes, insert(at("input"), 0, reference)},
	{"AZ-01", azures, put(inCalls, "id", "fc_1")},
	{"AZ-03", azures, root("reasoning_effort", "high")},
}

// afterThought reports whether an item stands directly behind reasoning that
// has no id.
func afterThought(s *spot) bool {
	list := s.up.value.([]any)
	if s.index() == 0 {
		return false
	}
	before := list[s.index()-1].(object)
	return before["type"] == "reasoning" && before["id"] == nil
}
