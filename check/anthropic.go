package check

import (
	"fmt"
	"regexp"
)

// anthropicRules are the rules of file 90 §1 and §2 in Anthropic's order: schema,
// parameters, emptiness, roles, pairing, thinking, prefill, cache markers, images.
var anthropicRules = []func(*request){
	func(r *request) { r.surrogates("AN-27") },
	anthropicSchema, anthropicUnknown, anthropicParameters, anthropicTools, anthropicEmptiness, anthropicOrder, anthropicPairing,
	anthropicThinking, anthropicPrefill, anthropicCache, anthropicImages,
}

var (
	anthropicID   = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)
	anthropicName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,128}$`)
	serverToolID  = regexp.MustCompile(`^srvtoolu_[a-zA-Z0-9_]+$`)
)

// block is one content block of an Anthropic message and where it stands.
type block struct {
	node
	msg, at int
}

func (b block) typ() string  { return b.get("type").text() }
func (b block) path() string { return pointer("messages", b.msg, "content", b.at) }

func (b block) isThinking() bool {
	return b.get("type").is("thinking") || b.get("type").is("redacted_thinking")
}

// message is one Anthropic message; a string content counts as one text block
// without an object behind it.
type message struct {
	node
	index  int
	blocks []block
}

func (m message) role() string { return m.get("role").text() }

func (r *request) anthropicMessages() []message {
	if r.memo.messages != nil {
		return r.memo.messages
	}
	var list []message
	for i, n := range r.root.get("messages").elements() {
		m := message{node: n, index: i}
		for j, b := range n.get("content").elements() {
			m.blocks = append(m.blocks, block{b, i, j})
		}
		list = append(list, m)
	}
	r.memo.messages = list
	return list
}

// assistantOnly and userOnly are the block types that one role alone may hold
// (AN-37).
var (
	assistantOnly = map[string]bool{"thinking": true, "redacted_thinking": true, "tool_use": true, "server_tool_use": true}
	userOnly      = map[string]bool{"tool_result": true, "image": true, "document": true}
)

func anthropicSchema(r *request) {
	for _, m := range r.anthropicMessages() {
		switch role := m.role(); {
		case role != "user" && role != "assistant" && r.target.Provider == "minimax":
			r.report("MM-02", pointer("messages", m.index))
		case role == "system" && r.claude.from(5, 0) && m.index > 0:
		case role != "user" && role != "assistant":
			r.report("AN-10", pointer("messages", m.index))
		}
		for _, b := range m.blocks {
			anthropicBlock(r, m, b)
		}
	}
	names := map[string]bool{}
	for i, tool := range r.root.get("tools").elements() {
		name := tool.get("name").text()
		if tool.get("type").given() && !tool.get("type").is("custom") {
			continue // server tools have names of their own
		}
		if !anthropicName.MatchString(name) {
			r.report("AN-09", pointer("tools", i, "name"), "tools.N", fmt.Sprintf("tools.%d", i))
		}
		if names[name] {
			r.report("AN-33", pointer("tools", i, "name"))
		}
		names[name] = true
		if schema := tool.get("input_schema"); r.target.Provider == "minimax" && schema.size() == 0 {
			r.report("MM-04", pointer("tools", i, "input_schema"))
		}
	}
}

func anthropicBlock(r *request, m message, b block) {
	typ := b.typ()
	at := func(id, member string) {
		r.report(id, b.path()+member, "messages.N", fmt.Sprintf("messages.%d", b.msg), "content.M", fmt.Sprintf("content.%d", b.at))
	}
	if assistantOnly[typ] && m.role() != "assistant" || userOnly[typ] && m.role() != "user" {
		at("AN-37", "")
	}
	switch typ {
	case "tool_use":
		if !anthropicID.MatchString(b.get("id").text()) {
			at("AN-08", "/id")
		}
		if !anthropicName.MatchString(b.get("name").text()) {
			at("AN-09", "/name")
		}
		if !b.get("input").isObject() {
			at("AN-11", "/input")
		}
	case "server_tool_use":
		if !serverToolID.MatchString(b.get("id").text()) {
			at("AN-32", "/id")
		}
	case "tool_result":
		switch id := b.get("tool_use_id"); {
		case !id.isString() || id.text() == "":
			at("AN-47", "/tool_use_id")
		case !anthropicID.MatchString(id.text()):
			at("AN-08", "/tool_use_id")
		}
	}
}

func anthropicParameters(r *request) {
	tokens, ok := r.root.get("max_tokens").number()
	if !ok || tokens < 1 {
		r.report("AN-24", "/max_tokens")
	}
	thinking := r.root.get("thinking")
	mode := thinking.get("type").text()
	if mode == "enabled" {
		if budget, ok := thinking.get("budget_tokens").number(); !ok || budget < 1024 || budget >= tokens {
			r.report("AN-21", "/thinking/budget_tokens")
		}
	}
	anthropicMode(r, mode)
	temperature, topP, topK := r.root.get("temperature"), r.root.get("top_p"), r.root.get("top_k")
	if mode == "enabled" || mode == "adaptive" {
		t, _ := temperature.number()
		p, _ := topP.number()
		if temperature.given() && t != 1 || topP.given() && (p < 0.95 || p > 1) || topK.given() {
			r.report("AN-22", "/temperature")
		}
	}
	if r.claude.defaultSampling() && (temperature.given() || topP.given() || topK.given()) {
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
	switch {
	case r.target.Provider == "minimax":
		if mode == "enabled" && isM3(r.target.Model) {
			r.report("MM-06", "/thinking/type")
		}
	case !r.claude.is:
	case mode == "enabled" && r.claude.adaptiveOnly(),
		mode == "disabled" && r.claude.always(),
		mode == "disabled" && r.claude.familyFrom("opus", 5, 0) && (effort == "xhigh" || effort == "max"),
		mode == "adaptive" && !r.claude.adaptive():
		r.report("AN-25", "/thinking/type")
	}
}

func anthropicEmptiness(r *request) {
	messages := r.anthropicMessages()
	if len(messages) == 0 {
		r.report("AN-31", "/messages")
	}
	if s := r.root.get("system"); s.isArray() {
		for i, b := range s.elements() {
			blankBlock(r, b, func() string { return pointer("system", i) })
		}
	}
	for _, m := range messages {
		content := m.get("content")
		last := m.index == len(messages)-1 && m.role() == "assistant"
		switch {
		case content.empty() && !last, content.isArray() && len(m.blocks) == 0 && !last, !content.given():
			r.report("AN-13", pointer("messages", m.index), "messages.N", fmt.Sprintf("messages.%d", m.index))
		case content.isString() && content.blank():
			r.report("AN-12", pointer("messages", m.index, "content"))
		}
		for _, b := range m.blocks {
			blankBlock(r, b.node, b.path)
			if b.get("type").is("tool_result") {
				if c := b.get("content"); !c.empty() && c.blank() {
					r.report("AN-12", b.path()+"/content")
				}
				for k, inner := range b.get("content").elements() {
					blankBlock(r, inner, func() string { return b.path() + pointer("content", k) })
				}
			}
		}
	}
}

func blankBlock(r *request, b node, path func() string) {
	if t := b.get("text"); b.get("type").is("text") && (!t.isString() || t.blank()) {
		r.report("AN-12", path()+"/text")
		if b.get("cache_control").given() {
			r.report("AN-29", path()+"/cache_control")
		}
	}
}

func anthropicOrder(r *request) {
	before := ""
	for i, m := range r.anthropicMessages() {
		role := m.role()
		if i == 0 && role == "assistant" {
			r.report("AN-02", "/messages/0")
		}
		if role == before {
			r.report("AN-01", pointer("messages", i))
		}
		before = role
	}
}

func anthropicPairing(r *request) {
	messages := r.anthropicMessages()
	seen := map[string]bool{}
	for i, m := range messages {
		calls := map[string]bool{}
		if i > 0 {
			for _, b := range messages[i-1].blocks {
				if b.get("type").is("tool_use") {
					calls[b.get("id").text()] = true
				}
			}
		}
		answered := map[string]bool{}
		other := false
		for _, b := range m.blocks {
			if b.get("type").is("tool_use") {
				id := b.get("id").text()
				if seen[id] {
					r.report("AN-06", b.path()+"/id", b.where()...)
				}
				seen[id] = true
			}
			if !b.get("type").is("tool_result") {
				other = true
				continue
			}
			id := b.get("tool_use_id").text()
			if id == "" {
				continue // AN-47
			}
			switch {
			case !calls[id]:
				r.report("AN-05", b.path()+"/tool_use_id", b.where("ID", id)...)
			case answered[id]:
				r.report("AN-07", b.path(), b.where("ID", id)...)
			case other:
				r.report("AN-04", b.path(), b.where("ID", id)...)
			}
			answered[id] = true
		}
		for id := range calls {
			if !answered[id] {
				r.report("AN-03", pointer("messages", i-1), "messages.N", fmt.Sprintf("messages.%d", i-1), "ID", id)
			}
		}
	}
	if n := len(messages); n > 0 {
		for _, b := range messages[n-1].blocks {
			if b.get("type").is("tool_use") {
				r.report("AN-03", b.path(), "messages.N", fmt.Sprintf("messages.%d", n-1), "ID", b.get("id").text())
			}
		}
	}
}

func anthropicCache(r *request) {
	markers, short := 0, false
	count := func(n node, path func() string) {
		if marker := n.get("cache_control"); marker.given() {
			markers++
			hour := marker.get("ttl").is("1h")
			if short = short || !hour; short && hour {
				r.report("AN-36", path()+"/cache_control")
			}
			if t := n.get("type"); t.is("thinking") || t.is("redacted_thinking") {
				r.report("AN-29", path()+"/cache_control")
			}
		}
	}
	for i, t := range r.root.get("tools").elements() {
		count(t, func() string { return pointer("tools", i) })
	}
	for i, s := range r.root.get("system").elements() {
		count(s, func() string { return pointer("system", i) })
	}
	for _, m := range r.anthropicMessages() {
		for _, b := range m.blocks {
			count(b.node, b.path)
			for k, inner := range b.get("content").elements() {
				count(inner, func() string { return b.path() + pointer("content", k) })
			}
		}
	}
	if markers > 4 {
		r.report("AN-28", "", "Found N", fmt.Sprintf("Found %d", markers))
	}
}
