package check

import (
	"fmt"
	"strings"
)

// chatPairing checks that each call has its tool message directly behind the
// turn, and each tool message its call.
func chatPairing(r *request) {
	var calls callSet // those of the newest turn that has some
	owner := -1
	settle := func() {
		if calls.waits() {
			for _, c := range r.memo.chat[owner].toolCalls.elements() {
				if id := c.get("id").text(); calls.answers[calls.find(id)] == 0 {
					r.report("CC-01", pointer("messages", owner), "ID", id)
				}
			}
		}
		calls.reset()
		owner = -1
	}
	for i := range r.memo.chat {
		m := &r.memo.chat[i]
		if m.role != "tool" {
			settle()
			if m.role != "assistant" {
				continue // calls of anybody else are none
			}
			for _, c := range m.toolCalls.elements() {
				owner = i
				calls.add(c.get("id").text())
			}
			continue
		}
		id := m.answers.text()
		k := calls.find(id)
		switch {
		case owner < 0:
			r.report("CC-02", pointer("messages", i))
		case id == "" || k < 0 || calls.answers[k] > 0:
			r.report("CC-03", pointer("messages", i, "tool_call_id"), "ID", id)
		}
		calls.answer(id)
	}
	settle()
}

// chatReasoning checks what hosts demand or refuse of reasoning.
func chatReasoning(r *request) {
	h := r.host()
	thinking := !r.root.get("thinking").get("type").is("disabled")
	for i := range r.memo.chat {
		m := &r.memo.chat[i]
		if m.role != "assistant" {
			continue
		}
		calls := m.calls > 0
		has := m.get("reasoning_content").isString()
		if h.deepseek && calls && !has && thinking {
			r.report("CC-11", pointer("messages", i))
		}
		if h.kimi && calls && !has && thinking && kimiThinks(r.target.Model) {
			r.report("CC-12", pointer("messages", i), "index N", fmt.Sprintf("index %d", i))
		}
	}
	if h.kimi && r.root.get("thinking").given() && r.root.get("reasoning_effort").given() {
		r.report("CC-13", "/reasoning_effort")
	}
	if reasoning := r.root.get("reasoning"); reasoning.get("effort").given() && reasoning.get("max_tokens").given() {
		r.report("OP-06", "/reasoning")
	}
}

func kimiThinks(model string) bool {
	m := strings.ToLower(model)
	return strings.Contains(m, "thinking") || strings.Contains(m, "k2.5") || strings.Contains(m, "k2.6") || strings.Contains(m, "k2.7") || strings.Contains(m, "kimi-for-coding")
}

// chatOrder checks the end of the list where a host or route has rules for it.
func chatOrder(r *request) {
	h := r.host()
	messages := r.memo.chat
	n := len(messages)
	if n == 0 {
		return
	}
	last := messages[n-1]
	if last.role != "assistant" || last.calls > 0 {
		return
	}
	if h.llama && n > 1 && messages[n-2].role == "assistant" {
		r.report("LO-02", pointer("messages", n-1))
	}
	if h.openrouter && strings.HasPrefix(strings.TrimPrefix(r.target.Model, "openrouter/"), "anthropic/") && asksReasoning(r.root) {
		r.report("OP-03", pointer("messages", n-1))
	}
}

// asksReasoning reports whether a body switches reasoning on (W-521).
func asksReasoning(root node) bool {
	on := func(n node) bool {
		s := strings.TrimSpace(strings.ToLower(n.text()))
		return n.isTrue() || n.isString() && s != "" && s != "off" && s != "none"
	}
	r := root.get("reasoning")
	if r.isObject() {
		e := r.get("effort")
		return !e.isString() || on(e)
	}
	return on(r) || on(root.get("reasoning_effort"))
}
