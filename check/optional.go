package check

// chatOptional checks what only some hosts of Chat Completions demand, and is
// off unless it is asked for: strict alternation (LO-03, LO-04, CC-21, CC-23),
// string content (CC-09), Mistral's tokenizer (LO-09), no tools (LO-11).
func chatOptional(r *request) {
	messages := r.memo.chat
	for _, a := range alternations {
		if r.on(a.rule) && a.holds(r) {
			alternate(r, a.rule, messages, a.tools)
		}
	}
	if n := len(messages); n > 0 && messages[n-1].role == "assistant" {
		r.reportText("CC-23", pointer("messages", n-1), "Last message must have role 'user'")
	}
	for i := range messages {
		m := &messages[i]
		if m.content.isArray() {
			r.report("CC-09", pointer("messages", i, "content"))
		}
		if r.host().deepseek && m.get("reasoning_content").given() {
			r.reportText("CC-21", pointer("messages", i, "reasoning_content"), "The reasoning_content of earlier turns must not be sent")
		}
	}
	if r.root.get("tools").size() > 0 && !r.root.get("tool_choice").is("none") {
		r.report("LO-11", "/tools")
	}
	if r.on("LO-09") && r.target.Provider == "vllm" {
		mistralTokenizer(r)
	}
}

// alternations are the rules of hosts that want roles to alternate behind the
// system messages. With tools set, turns of calls and results stand outside.
var alternations = []struct {
	rule  string
	tools bool
	holds func(*request) bool
}{
	{"LO-03", false, func(*request) bool { return true }},
	{"LO-04", true, func(*request) bool { return true }},
	{"CC-21", false, func(r *request) bool { return r.host().deepseek }},
	{"CC-23", false, func(*request) bool { return true }},
}

func alternate(r *request, rule string, messages []chatMessage, tools bool) {
	before := "assistant"
	for i := range messages {
		m := &messages[i]
		role := m.role
		switch {
		case role == "system" || role == "developer", tools && (role == "tool" || m.calls > 0):
			continue
		case role == before && role != "tool":
			r.report(rule, pointer("messages", i))
		}
		before = role
	}
}

// mistralTokenizer holds any model to the rules of Mistral's tokenizer (LO-09).
func mistralTokenizer(r *request) {
	part := *r
	part.findings = nil
	mistralIDs(&part)
	mistralOrder(&part)
	for _, f := range part.findings {
		if f.Rule == "MI-01" || f.Rule == "MI-02" || f.Rule == "MI-03" {
			f.Rule = "LO-09"
			r.findings = append(r.findings, f)
		}
	}
}

// anthropicTools finds tool blocks in a request without tools (AN-34).
func anthropicTools(r *request) {
	if !r.on("AN-34") || r.root.get("tools").size() > 0 {
		return
	}
	for _, m := range r.memo.messages {
		for _, b := range m.blocks {
			if b.typ == "tool_use" || b.typ == "tool_result" {
				r.report("AN-34", b.path())
			}
		}
	}
}
