package check

import (
	"fmt"
	"strings"

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
	emptyTools                                                          bool // wanted beside old calls, by what stands in front of Claude
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
		minimax:    strings.HasPrefix(p, "minimax"), // each door of it, in each country
		emptyTools: p == "litellm" && has("claude"),
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
