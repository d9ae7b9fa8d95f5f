package check

// ollamaRules are the rules of file 90 §4.4 that Ollama's own /api/chat has. It
// decodes the body into fixed types first, so that decides; what the template of
// the model demands comes after.
var ollamaRules = []func(*request){
	func(r *request) { r.surrogates("AN-27") },
	ollamaTypes, ollamaTemplate,
}

func ollamaTypes(r *request) {
	for i := range r.memo.chat {
		m := &r.memo.chat[i]
		if content := m.content; content.given() && !content.isString() {
			r.report("LO-07", pointer("messages", i, "content"), "array", content.kind().String())
		}
		for j, c := range m.toolCalls.elements() {
			if args := c.get("function").get("arguments"); args.given() && !args.isObject() {
				r.report("LO-06", pointer("messages", i, "tool_calls", j, "function", "arguments"), "unmarshal string", "unmarshal "+args.kind().String())
			}
		}
	}
}

// ollamaTemplate checks what chat templates of some models demand.
func ollamaTemplate(r *request) {
	before, asked := "", false
	messages := r.memo.chat
	for i := range messages {
		m := &messages[i]
		role := m.role
		switch {
		case role == "system" && i > 0:
			r.report("LO-10", pointer("messages", i))
		case role == before && role != "tool", role == "assistant" && before == "":
			r.report("LO-03", pointer("messages", i))
		}
		asked = asked || role == "user"
		if role != "system" {
			before = role
		}
	}
	if len(messages) > 0 && !asked {
		r.report("LO-12", "/messages")
	}
}
