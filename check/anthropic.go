package check

import "fmt"

// anthropicRules are the rules of file 90 §1 and §2 in Anthropic's order: schema,
// parameters, emptiness, roles, pairing, thinking, prefill, cache markers, images.
var anthropicRules = []func(*request){
	func(r *request) { r.surrogates("AN-27") },
	anthropicSchema, anthropicUnknown, anthropicParameters, anthropicTools, anthropicEmptiness, anthropicOrder, anthropicPairing,
	anthropicThinking, anthropicPrefill, anthropicCache, anthropicImages,
}

// roleOf returns which role alone may hold a block of that type, "" for either
// (AN-37).
func roleOf(typ string) string {
	switch typ {
	case "thinking", "redacted_thinking", "tool_use", "server_tool_use":
		return "assistant"
	case "tool_result", "image", "document":
		return "user"
	}
	return ""
}

func anthropicSchema(r *request) {
	for _, m := range r.memo.messages {
		switch role := m.role; {
		case !m.isObject():
			r.reportText("AN-10", pointer("messages", m.index), "messages.N: Input should be a valid dictionary", m.where()...)
		case role != "user" && role != "assistant" && r.host().minimax:
			r.report("MM-02", pointer("messages", m.index))
		case role == "system" && r.claude.from(5, 0) && m.index > 0:
		case role == "system":
			r.report("AN-10", pointer("messages", m.index))
		case role != "user" && role != "assistant":
			r.reportOther("AN-10", 1, pointer("messages", m.index), m.where()...)
		}
		for i := range m.blocks {
			anthropicBlock(r, m.role, &m.blocks[i])
		}
	}
	names := map[string]bool{}
	for i, tool := range r.root.get("tools").elements() {
		name := tool.get("name").text()
		if tool.get("type").given() && !tool.get("type").is("custom") {
			continue // server tools have names of their own
		}
		if !anthropicName(name) {
			r.report("AN-09", pointer("tools", i, "name"), "tools.N", fmt.Sprintf("tools.%d", i))
		}
		if names[name] {
			r.report("AN-33", pointer("tools", i, "name"))
		}
		names[name] = true
		if schema := tool.get("input_schema"); r.host().minimax && schema.size() == 0 {
			r.report("MM-04", pointer("tools", i, "input_schema"))
		}
	}
}

func anthropicBlock(r *request, role string, b *block) {
	at := func(id, member string) { r.report(id, b.path()+member, b.where()...) }
	if only := roleOf(b.typ); only != "" && role != only {
		at("AN-37", "")
	}
	switch b.typ {
	case "tool_use":
		if !anthropicID(b.member(inID).text()) {
			at("AN-08", "/id")
		}
		if !anthropicName(b.member(inName).text()) {
			at("AN-09", "/name")
		}
		if !b.member(inInput).isObject() {
			at("AN-11", "/input")
		}
	case "server_tool_use":
		if !serverToolID(b.member(inID).text()) {
			at("AN-32", "/id")
		}
	case "tool_result":
		switch id := b.member(inUse); {
		case id.text() == "":
			at("AN-47", "/tool_use_id")
		case !anthropicID(id.text()):
			r.reportOther("AN-08", 1, b.path()+"/tool_use_id", b.where()...)
		}
	}
}

func anthropicParameters(r *request) {
	tokens, _ := r.root.get("max_tokens").number()
	if tokens < 1 {
		r.report("AN-24", "/max_tokens")
	}
	thinking := r.root.get("thinking")
	mode := thinking.get("type").text()
	if mode == "enabled" {
		if budget, _ := thinking.get("budget_tokens").number(); budget < 1024 || budget >= tokens {
			r.report("AN-21", "/thinking/budget_tokens")
		}
	}
	anthropicMode(r, mode)
	temperature, topP, topK := r.root.get("temperature"), r.root.get("top_p"), r.root.get("top_k")
	t, _ := temperature.number()
	p, _ := topP.number()
	if mode == "enabled" || mode == "adaptive" {
		if temperature.given() && t != 1 || topP.given() && (p < 0.95 || p > 1) || topK.given() {
			r.report("AN-22", "/temperature")
		}
	}
	if r.claude.defaultSampling() && (temperature.given() && t != 1 || topP.given() && p != 1 || topK.given()) {
		r.report("AN-26", "/temperature")
	}
	if r.claude.oneSampling() && temperature.given() && topP.given() {
		r.report("AN-48", "/top_p")
	}
	if c := r.root.get("tool_choice").get("type"); (c.is("any") || c.is("tool")) && (mode == "enabled" || r.claude.always()) {
		r.report("AN-23", "/tool_choice")
	}
}

// anthropicMode holds the mode of thinking against what the model knows.
func anthropicMode(r *request, mode string) {
	effort := r.root.get("output_config").get("effort").text()
	if r.host().minimax && mode == "enabled" && isM3(r.target.Model) {
		r.report("MM-06", "/thinking/type")
	}
	if r.claude.is && r.claude.refuses(mode, effort) {
		r.report("AN-25", "/thinking/type")
	}
}

func anthropicEmptiness(r *request) {
	messages := r.memo.messages
	if len(messages) == 0 {
		r.report("AN-31", "/messages")
	}
	if s := r.root.get("system"); s.isArray() {
		for i, n := range s.elements() {
			b := anthropicBlockOf(n)
			if b.isBlank() {
				blankBlock(r, &b, pointer("system", i))
			}
		}
	}
	for i := range messages {
		m := &messages[i]
		content := m.content
		last := m.index == len(messages)-1 && m.role == "assistant"
		switch {
		case !m.isObject():
		case content.empty() && !last, content.isArray() && len(m.blocks) == 0 && !last, !content.given():
			r.report("AN-13", pointer("messages", m.index), m.where()...)
		case !content.isString() && !content.isArray():
			r.reportOther("AN-13", 1, pointer("messages", m.index, "content"), m.where()...)
		case content.isString() && content.blank() && !content.empty():
			r.report("AN-12", pointer("messages", m.index, "content"))
		}
		for j := range m.blocks {
			b := &m.blocks[j]
			if b.isBlank() {
				blankBlock(r, b, b.path())
			}
			if b.typ != "tool_result" {
				continue
			}
			if c := b.member(inContent); !c.empty() && c.blank() {
				r.report("AN-12", b.path()+"/content")
			}
			for k := range b.inner {
				if b.inner[k].isBlank() {
					blankBlock(r, &b.inner[k], b.path()+pointer("content", k))
				}
			}
		}
	}
}

// isBlank reports whether a text block says nothing (AN-12).
func (b *block) isBlank() bool {
	if b.typ != "text" {
		return false
	}
	text := b.member(inText)
	return !text.isString() || text.blank()
}

func blankBlock(r *request, b *block, path string) {
	r.report("AN-12", path+"/text")
	if b.member(inCache).given() {
		r.report("AN-29", path+"/cache_control")
	}
}
