package check

import "strings"

// chatRouter holds the reasoning that goes through OpenRouter against what the
// service behind it takes (OP-02, OP-04). Whether it is genuine that one knows
// alone.
func chatRouter(r *request) {
	model := strings.TrimPrefix(strings.ToLower(r.target.Model), "openrouter/")
	sealed := strings.HasPrefix(model, "anthropic/") || strings.HasPrefix(model, "x-ai/")
	if !r.host().openrouter || !sealed && !strings.Contains(model, "gemini") {
		return
	}
	for i := range r.memo.chat {
		m := &r.memo.chat[i]
		bare := sealed && m.role == "assistant" && m.get("reasoning_details").size() == 0
		for _, name := range []string{"reasoning", "reasoning_content", "reasoning_text"} {
			if bare && m.get(name).given() {
				r.report("OP-02", pointer("messages", i, name))
			}
		}
		for j, d := range m.get("reasoning_details").elements() {
			path := pointer("messages", i, "reasoning_details", j)
			data, crypt := strings.TrimSpace(d.get("data").text()), d.get("type").is("reasoning.encrypted")
			switch {
			case sealed && (crypt && data == "" || d.get("type").is("reasoning.text") && !signs(d.get("signature"))):
				r.report("OP-02", path)
			case !sealed && crypt && (data == "" || !decodes(data)):
				r.report("OP-04", path+"/data")
			}
		}
	}
}

// signs reports whether a value can be a signature at all: whole items and the
// names of members are what other formats keep in its place.
func signs(v node) bool {
	s := strings.TrimSpace(v.text())
	switch s {
	case "", "reasoning", "reasoning_content", "reasoning_text", "reasoning_details":
		return false
	}
	return s[0] != '{'
}

// chatLocal checks what local servers demand of messages (LO-01, LO-05).
func chatLocal(r *request) {
	messages := r.memo.chat
	thinks := r.root.get("chat_template_kwargs").get("enable_thinking").isTrue()
	if n := len(messages); n > 0 && r.target.Provider == "llama.cpp" && thinks {
		if last := messages[n-1]; last.role == "assistant" && last.calls == 0 {
			r.report("LO-01", pointer("messages", n-1))
		}
	}
	if r.target.Provider != "lmstudio" {
		return
	}
	for i := range messages {
		m := &messages[i]
		content := m.content
		if content.isNull() {
			r.report("LO-05", pointer("messages", i, "content"))
		}
		for j, part := range content.elements() {
			if !part.isObject() {
				r.report("LO-05", pointer("messages", i, "content", j))
			}
		}
	}
}
