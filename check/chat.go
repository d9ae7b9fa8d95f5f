package check

import (
	"fmt"
	"strings"

	"hygeia/internal/jsonline"
	"hygeia/policy"
)

// chatRules are the rules of file 90 §4 and, where the model is of Mistral's,
// §7.
var chatRules = []func(*request){
	func(r *request) { r.surrogates("AN-27") },
	chatSchema, mistralModel, chatLocal, chatTools, chatPairing, chatReasoning, chatRouter, chatOrder, chatOptional,
}

// chatHost is what the name of a provider or model says about the rules that
// hold there.
type chatHost struct {
	openai, strict, deepseek, kimi, mistral, openrouter, llama, minimax bool
}

func (r *request) host() chatHost {
	if r.memo.host == nil {
		h := hostOf(r.target)
		r.memo.host = &h
	}
	return *r.memo.host
}

func hostOf(t policy.Target) chatHost {
	p, m := t.Provider, strings.ToLower(t.Model)
	has := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(m, w) {
				return true
			}
		}
		return false
	}
	return chatHost{
		openai:     p == "openai" || p == "azure-openai",
		strict:     p == "openai" || p == "groq" || p == "cerebras" || p == "mistral",
		deepseek:   p == "deepseek",
		kimi:       p == "moonshot" || p == "kimi",
		mistral:    p == "mistral" || has("mistral", "mixtral", "codestral", "devstral", "ministral", "pixtral", "voxtral", "magistral"),
		openrouter: p == "openrouter",
		llama:      p == "llama.cpp" || p == "lmstudio" || p == "vllm",
		minimax:    p == "minimax" || p == "minimax-portal",
	}
}

// chatMessage is one message of Chat Completions, Mistral or Ollama.
type chatMessage struct {
	node
	role      string
	content   node
	toolCalls node
	answers   node // the id of the call that it answers
	calls     int  // how many
}

func readChat(r *request) {
	for _, n := range r.root.get("messages").elements() {
		m := chatMessage{node: n}
		for member := range n.members() {
			m.take(member)
		}
		m.calls = m.toolCalls.size()
		r.memo.chat = append(r.memo.chat, m)
	}
}

// take notes a member that rules ask every message for; the last one of a name
// counts.
func (m *chatMessage) take(member node) {
	switch string(member.name()) {
	case "role":
		m.role = member.word()
	case "content":
		m.content = member
	case "tool_calls":
		m.toolCalls = member
	case "tool_call_id":
		m.answers = member
	}
}

func chatSchema(r *request) {
	messages := r.memo.chat
	if len(messages) == 0 {
		r.report("CC-14", "/messages")
	}
	systems := 0
	for i := range messages {
		m := &messages[i]
		role := m.role
		switch role {
		case "system", "developer":
			systems++
		case "user", "assistant", "tool", "function":
		default:
			chatStranger(r, i, m)
			continue
		}
		if role == "developer" && !r.host().openai {
			r.report("CC-15", pointer("messages", i, "role"))
		}
		chatContent(r, i, role, m)
		if calls := m.toolCalls; calls.exists() && calls.size() == 0 {
			r.report("CC-08", pointer("messages", i, "tool_calls"), "N", fmt.Sprint(i))
		}
		if r.host().strict {
			chatKeys(r, i, m)
		}
	}
	if r.host().minimax && systems > 1 {
		r.report("MM-03", "/messages")
	}
	if r.root.get("max_tokens").given() && r.host().openai {
		r.report("CC-19", "/max_tokens")
	}
}

func chatContent(r *request, i int, role string, m *chatMessage) {
	content := m.content
	path := func(more ...any) string { return pointer(append([]any{"messages", i, "content"}, more...)...) }
	calls := m.calls > 0
	switch {
	case content.isNull() || !content.exists():
		if role != "assistant" || !calls && !m.get("audio").given() && !m.get("refusal").given() {
			r.report("CC-06", path())
		}
	case content.isArray() && content.size() == 0:
		r.report("CC-07", path(), "messages[N]", fmt.Sprintf("messages[%d]", i))
	case !content.isString() && !content.isArray():
		r.reportOther("CC-06", 1, path(), "messages[N]", fmt.Sprintf("messages[%d]", i), "X", content.kindName())
	}
	empty := !content.given() || content.empty()
	if role == "assistant" && empty && !calls {
		if r.host().kimi {
			r.report("CC-24", path(), "N", fmt.Sprint(i))
		}
	}
	for j, part := range content.elements() {
		if part.get("type").is("image_url") {
			if role != "user" {
				r.report("CC-20", path(j), "messages[N]", fmt.Sprintf("messages[%d]", i))
			}
			url := part.get("image_url").get("url").text()
			if _, data, ok := strings.Cut(url, ";base64,"); strings.HasPrefix(url, "data:") && (!ok || sniff(data) == "") {
				r.report("OR-20", path(j))
			}
		}
	}
}

// chatStranger reports a message that is none (CC-25).
func chatStranger(r *request, i int, m *chatMessage) {
	if !m.isObject() {
		r.reportOther("CC-25", 1, pointer("messages", i), "messages[N]", fmt.Sprintf("messages[%d]", i), "X", m.kindName())
		return
	}
	r.report("CC-25", pointer("messages", i, "role"), "X", m.role)
}

// chatKeys finds members that a strict host does not know (CC-10).
func chatKeys(r *request, i int, m *chatMessage) {
	for member := range m.members() {
		switch string(member.name()) {
		case "role", "content", "tool_calls", "tool_call_id", "name", "prefix", "refusal", "audio":
		default:
			name := string(member.name())
			r.report("CC-10", pointer("messages", i, name), "messages.2", fmt.Sprintf("messages.%d", i), "reasoning_content", name)
		}
	}
}

func chatTools(r *request) {
	tools := r.root.get("tools")
	if tools.exists() && tools.size() == 0 {
		r.report("CC-16", "/tools")
	}
	if r.root.get("tool_choice").given() && tools.size() == 0 {
		r.report("CC-16", "/tool_choice")
	}
	for i, t := range tools.elements() {
		kind := "function"
		if t.get("type").is("custom") {
			kind = "custom"
		}
		if n := t.get(kind).get("name").text(); !chatName(n) {
			r.report("CC-17", pointer("tools", i, kind, "name"))
		}
		if f := t.get("function"); r.host().minimax && f.given() && f.get("parameters").size() == 0 {
			r.report("MM-04", pointer("tools", i, "function", "parameters"))
		}
	}
	var inTurn callSet
	for i := range r.memo.chat {
		inTurn.reset()
		for j, c := range r.memo.chat[i].toolCalls.elements() {
			chatCall(r, i, j, c, &inTurn)
		}
	}
}

func chatCall(r *request, i, j int, c node, inTurn *callSet) {
	path := func(member string) string { return pointer("messages", i, "tool_calls", j) + member }
	where := func(more ...string) []string {
		return append([]string{"messages[N]", fmt.Sprintf("messages[%d]", i), "tool_calls[M]", fmt.Sprintf("tool_calls[%d]", j)}, more...)
	}
	id := c.get("id").text()
	if inTurn.find(id) >= 0 {
		r.report("CC-04", path("/id"), where("ID", id)...)
	}
	inTurn.add(id)
	if r.host().openai && len(id) > 40 {
		r.report("CC-05", path("/id"), where("length L", fmt.Sprintf("length %d", len(id)))...)
	}
	f := c.get("function")
	custom := c.get("type").is("custom")
	if custom {
		f = c.get("custom")
	}
	if !chatName(f.get("name").text()) {
		r.report("CC-17", path("/function/name"), where()...)
	}
	args := f.get("arguments")
	if custom {
		return // it takes free text
	}
	if !args.isString() || !r.holdsObject(args) {
		r.report("CC-18", path("/function/arguments"))
	}
}

// holdsObject reports whether the text of a string is a JSON object.
func (r *request) holdsObject(text node) bool {
	r.text = text.value().AppendString(r.text[:0])
	err := r.inner.ScanAll(r.text, jsonline.Options{InvalidUTF8: true})
	return err == nil && r.inner.Nodes[0].Kind == jsonline.ObjectKind
}

// chatPairing checks that each call has its tool message directly behind the
// turn, and each tool message its call.
func chatPairing(r *request) {
	var calls callSet // those of the newest turn that has some
	owner := -1
	settle := func() {
		if owner >= 0 && calls.waits() {
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
	return strings.Contains(m, "thinking") || strings.Contains(m, "k2.5") || strings.Contains(m, "k2.6") || strings.Contains(m, "kimi-for-coding")
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
