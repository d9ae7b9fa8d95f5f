package measure

import "strings"

// mutation breaks one rule of the rulebook in bodies for some targets.
type mutation struct {
	rule   string
	target string // what "provider api model" of the target must match
	do     breaking
}

var (
	more      = object{"type": "text", "text": "and more"}
	longText  = strings.Repeat("word ", 7<<20)
	results   = at("messages/*/content/*", is("type", "tool_result"))
	calls     = at("messages/*/content/*", is("type", "tool_use"))
	thoughts  = at("messages/*/content/*", is("type", "thinking"))
	pictures  = at("messages/*/content/*/source", has("media_type"))
	thinks    = where(at("thinking", is("type", "enabled")))
	noThink   = func(m *mutant) bool { return m.one(at("thinking")) == nil }
	userLists = at("messages/*/content", isList, parent(is("role", "user")))
)

const claudes = "anthropic-messages .*claude"

var anthropicMutations = []mutation{
	{"AN-02", claudes, drop(at("messages/0", func(s *spot) bool { n := s.next(); return n != nil && n.get("role") == "assistant" }))},
	{"AN-03", claudes, drop(results)},
	{"AN-04", claudes, insert(at("messages/*/content", isList, func(s *spot) bool { return hasBlock(s, "tool_result") }), 0, more)},
	{"AN-05", claudes, put(results, "tool_use_id", "toolu_nobody")},
	{"AN-06", claudes, same(at("messages/*/content/*/id", parent(is("type", "tool_use"))))},
	{"AN-07", claudes, twice(results)},
	{"AN-08", claudes, put(calls, "id", "a b")},
	{"AN-08", claudes, put(results, "tool_use_id", "a.b")},
	{"AN-09", claudes, put(calls, "name", "bad name")},
	{"AN-09", claudes, put(at("tools/*"), "name", strings.Repeat("n", 129))},
	{"AN-10", claudes, put(at("messages/0"), "role", "system")},
	{"AN-11", claudes, put(calls, "input", "a string")},
	{"AN-12", claudes, put(at("messages/*/content/*", is("type", "text")), "text", " \n")},
	{"AN-12", claudes, insert(at("system", isList), 0, object{"type": "text", "text": ""})},
	{"AN-12", claudes, put(results, "content", " ")},
	{"AN-13", claudes, put(at("messages/*", notLast), "content", []any{})},
	{"AN-14", "anthropic-messages .*claude-opus-4-6", insert(at("messages"), end, object{"role": "assistant", "content": "So"})},
	{"AN-14", claudes, both(thinks, insert(at("messages"), end, object{"role": "assistant", "content": "So"}))},
	{"AN-15", "anthropic-messages .*claude-3-7", func(m *mutant) bool { return thinks(m) && roundLosesThinking(m) }},
	{"AN-15", "anthropic-messages .*claude-sonnet-4-5", func(m *mutant) bool { return thinks(m) && roundLosesThinking(m) }},
	{"AN-16", "anthropic-messages .*claude-3-5", both(noThink, insert(at("messages"), end, object{"role": "assistant", "content": "So "}))},
	{"AN-17", claudes, drop(at("messages/*/content/*/signature"))},
	{"AN-17", claudes, set(at("messages/*/content/*/signature"), " ")},
	{"AN-19", claudes, put(at("messages/*/content/*", is("type", "redacted_thinking")), "data", "")},
	{"AN-20", claudes, put(thoughts, "signature", "reasoning_content")},
	{"AN-20", claudes, put(thoughts, "signature", `{"id":"rs_1","type":"reasoning"}`)},
	{"AN-21", claudes, both(thinks, put(at("thinking"), "budget_tokens", 1000))},
	{"AN-21", claudes, both(thinks, put(at("thinking"), "budget_tokens", 1<<24))},
	{"AN-22", claudes, both(thinks, root("temperature", 0.5))},
	{"AN-22", claudes, both(thinks, root("top_k", 5))},
	{"AN-23", claudes, both(thinks, root("tool_choice", object{"type": "any"}))},
	{"AN-24", claudes, drop(at("max_tokens"))},
	{"AN-24", claudes, root("max_tokens", 0)},
	{"AN-25", "anthropic-messages .*claude-opus-5-5", root("thinking", object{"type": "enabled", "budget_tokens": 1024})},
	{"AN-25", "anthropic-messages .*claude-3-7", root("thinking", object{"type": "adaptive"})},
	{"AN-26", "anthropic-messages .*claude-opus-5-5", root("top_p", 0.5)},
	{"AN-28", claudes, insert(userLists, end, marked, marked, marked, marked, marked)},
	{"AN-29", claudes, put(thoughts, "cache_control", ephemeral)},
	{"AN-29", claudes, insert(userLists, end, object{"type": "text", "text": "", "cache_control": ephemeral})},
	{"AN-31", claudes, set(at("messages"), []any{})},
	{"AN-32", claudes, insert(at("messages/*/content", isList, parent(is("role", "assistant"))), 0,
		object{"type": "server_tool_use", "id": "toolu_1", "name": "web_search", "input": object{}})},
	{"AN-33", claudes, same(at("tools/*/name"))},
	{"AN-35", claudes, put(at("messages/*/content/*", is("type", "text")), "phase", "commentary")},
	{"AN-35", claudes, put(calls, "caller_note", 1)},
	{"AN-35", claudes, put(at("messages/*"), "stopReason", "stop")},
	{"AN-36", claudes, insert(userLists, end, marked, object{"type": "text", "text": "x", "cache_control": object{"type": "ephemeral", "ttl": "1h"}})},
	{"AN-37", claudes, insert(userLists, end, object{"type": "tool_use", "id": "toolu_x", "name": "read", "input": object{}})},
	{"AN-37", claudes, insert(userLists, end, object{"type": "thinking", "thinking": "x", "signature": "QUJD"})},
	{"AN-40", claudes, put(pictures, "media_type", "image/bmp")},
	{"AN-41", claudes, put(pictures, "media_type", "image/gif")},
	{"AN-42", claudes, put(pictures, "data", "aGVsbG8=")},
	{"AN-42", claudes, put(pictures, "data", "")},
	{"AN-43", claudes, put(pictures, "data", widePNG)},
	{"AN-44", claudes, put(pictures, "data", strings.Repeat("QUJD", 3<<20))},
	{"AN-45", claudes, insert(userLists, end, manyPictures(101)...)},
	{"AN-46", claudes, insert(userLists, end, object{"type": "text", "text": longText})},
	{"AN-47", claudes, drop(at("messages/*/content/*/tool_use_id"))},
	{"AN-48", "anthropic-messages .*claude-sonnet-4-5", both(noThink, root("temperature", 0.5), root("top_p", 0.97))},
	{"AN-49", "anthropic-messages .*claude-3-7", both(noThink, insert(at("messages"), end,
		object{"role": "assistant", "content": []any{more, object{"type": "thinking", "thinking": "x", "signature": "QUJD"}}}))},
	{"AN-50", "anthropic-messages .*claude-3-7", both(lastHoldsThinking, root("thinking", object{"type": "disabled"}))},
	{"AN-50", "anthropic-messages .*claude-opus-4-6", both(lastHoldsThinking, drop(at("thinking")))},
	{"AN-51", claudes, both(thinks, insert(at("messages/*/content", isList, func(s *spot) bool { return hasBlock(s, "thinking") }), 0, more))},
	{"MM-02", "^minimax anthropic-messages", put(at("messages/*"), "role", "system")},
	{"MM-03", "^minimax openai-completions", insert(at("messages"), 0, object{"role": "system", "content": "a"}, object{"role": "system", "content": "b"})},
	{"MM-04", "^minimax anthropic-messages", put(at("tools/*"), "input_schema", object{})},
	{"MM-06", "MiniMax-M3", root("thinking", object{"type": "enabled", "budget_tokens": 1024})},
}

var (
	ephemeral = object{"type": "ephemeral"}
	marked    = object{"type": "text", "text": "x", "cache_control": ephemeral}
)

func hasBlock(s *spot, typ string) bool {
	list, _ := s.value.([]any)
	for _, b := range list {
		if o, ok := b.(object); ok && o["type"] == typ {
			return true
		}
	}
	return false
}

// roundLosesThinking takes the thinking out of the first turn of a tool round in
// progress.
func roundLosesThinking(m *mutant) bool {
	list := m.all(at("messages/*"))
	start := -1
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].get("role") == "assistant" {
			start = i
			continue
		}
		if content := (&spot{value: list[i].get("content")}); !hasBlock(content, "tool_result") {
			break
		}
	}
	if start < 0 || start == len(list)-1 {
		return false
	}
	content, _ := list[start].get("content").([]any)
	var rest []any
	for _, b := range content {
		if t := b.(object)["type"]; t != "thinking" && t != "redacted_thinking" {
			rest = append(rest, b)
		}
	}
	list[start].value.(object)["content"] = rest
	return len(rest) > 0 && len(rest) < len(content)
}

// lastHoldsThinking has a place where the last assistant turn thinks.
func lastHoldsThinking(m *mutant) bool {
	list := m.all(at("messages/*", is("role", "assistant")))
	return len(list) > 0 && hasBlock(&spot{value: list[len(list)-1].get("content")}, "thinking")
}
