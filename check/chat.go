package check

import (
	"fmt"
	"regexp"
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

var chatName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

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

func (r *request) chatMessages() []node {
	if r.memo.chat == nil {
		for _, m := range r.root.get("messages").elements() {
			r.memo.chat = append(r.memo.chat, m)
		}
	}
	return r.memo.chat
}

func chatSchema(r *request) {
	messages := r.chatMessages()
	if len(messages) == 0 {
		r.report("CC-14", "/messages")
	}
	systems := 0
	for i, m := range messages {
		role := m.get("role").text()
		if role == "system" || role == "developer" {
			systems++
		}
		if role == "developer" && !r.host().openai {
			r.report("CC-15", pointer("messages", i, "role"))
		}
		chatContent(r, i, role, m)
		if calls := m.get("tool_calls"); calls.exists() && calls.size() == 0 {
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

func chatContent(r *request, i int, role string, m node) {
	content := m.get("content")
	path := func(more ...any) string { return pointer(append([]any{"messages", i, "content"}, more...)...) }
	calls := m.get("tool_calls").size() > 0
	switch {
	case content.isNull() || !content.exists():
		if role != "assistant" || !calls && !m.get("audio").given() && !m.get("refusal").given() {
			r.report("CC-06", path())
		}
	case content.isArray() && content.size() == 0:
		r.report("CC-07", path(), "messages[N]", fmt.Sprintf("messages[%d]", i))
	case !content.isString() && !content.isArray():
		r.report("CC-06", path())
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

// chatKeys finds members that a strict host does not know (CC-10).
func chatKeys(r *request, i int, m node) {
	for name := range m.members() {
		switch name {
		case "role", "content", "tool_calls", "tool_call_id", "name", "prefix", "refusal", "audio":
		default:
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
		if n := t.get("function").get("name").text(); !chatName.MatchString(n) {
			r.report("CC-17", pointer("tools", i, "function", "name"))
		}
	}
	for i, m := range r.chatMessages() {
		var inTurn map[string]bool
		for j, c := range m.get("tool_calls").elements() {
			if inTurn == nil {
				inTurn = map[string]bool{}
			}
			chatCall(r, i, j, c, inTurn)
		}
	}
}

func chatCall(r *request, i, j int, c node, inTurn map[string]bool) {
	path := func(member string) string { return pointer("messages", i, "tool_calls", j) + member }
	where := func(more ...string) []string {
		return append([]string{"messages[N]", fmt.Sprintf("messages[%d]", i), "tool_calls[M]", fmt.Sprintf("tool_calls[%d]", j)}, more...)
	}
	id := c.get("id").text()
	if inTurn[id] {
		r.report("CC-04", path("/id"), where("ID", id)...)
	}
	inTurn[id] = true
	if r.host().openai && len(id) > 40 {
		r.report("CC-05", path("/id"), where("length L", fmt.Sprintf("length %d", len(id)))...)
	}
	f := c.get("function")
	custom := c.get("type").is("custom")
	if custom {
		f = c.get("custom")
	}
	if !chatName.MatchString(f.get("name").text()) {
		r.report("CC-17", path("/function/name"), where()...)
	}
	args := f.get("arguments")
	if custom {
		return // it takes free text
	}
	if !args.isString() || jsonline.Parse([]byte(args.text())).Kind != jsonline.ObjectKind {
		r.report("CC-18", path("/function/arguments"))
	}
}

// chatPairing checks that each call has its tool message directly behind the
// turn, and each tool message its call.
func chatPairing(r *request) {
	var open []string           // the calls of the newest turn that has some
	var answered map[string]int // how often each of them was answered
	owner := -1
	settle := func() {
		for _, id := range open {
			if answered[id] == 0 {
				r.report("CC-01", pointer("messages", owner), "ID", id)
			}
		}
		open, answered, owner = nil, nil, -1
	}
	for i, m := range r.chatMessages() {
		if !m.get("role").is("tool") {
			settle()
			for _, c := range m.get("tool_calls").elements() {
				if !m.get("role").is("assistant") {
					continue // calls of anybody else are none
				}
				if answered == nil {
					answered = map[string]int{}
				}
				open, owner = append(open, c.get("id").text()), i
				answered[open[len(open)-1]] = 0
			}
			continue
		}
		id := m.get("tool_call_id").text()
		n, known := answered[id]
		switch {
		case owner < 0:
			r.report("CC-02", pointer("messages", i))
		case id == "" || !known || n > 0:
			r.report("CC-03", pointer("messages", i, "tool_call_id"), "ID", id)
		}
		if known {
			answered[id] = n + 1
		}
	}
	settle()
}

// chatReasoning checks what hosts demand or refuse of reasoning.
func chatReasoning(r *request) {
	h := r.host()
	thinking := !r.root.get("thinking").get("type").is("disabled")
	for i, m := range r.chatMessages() {
		if !m.get("role").is("assistant") {
			continue
		}
		calls := m.get("tool_calls").size() > 0
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
	messages := r.chatMessages()
	n := len(messages)
	if n == 0 {
		return
	}
	last := messages[n-1]
	if !last.get("role").is("assistant") || last.get("tool_calls").size() > 0 {
		return
	}
	if h.llama && n > 1 && messages[n-2].get("role").is("assistant") {
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
