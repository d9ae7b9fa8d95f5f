package check

import (
	"fmt"
	"strings"
)

// anthropicThinking holds thinking blocks against the mode of the request.
func anthropicThinking(r *request) {
	messages := r.memo.messages
	mode := r.root.get("thinking").get("type").text()
	for _, m := range messages {
		for j := range m.blocks {
			b := &m.blocks[j]
			if !b.isThinking() {
				continue
			}
			switch data, signature := b.member(inData), b.member(inSignature); {
			case b.typ == "redacted_thinking":
				if data.text() == "" {
					r.report("AN-19", b.path()+"/data", b.where()...)
				}
			case !signature.isString() || signature.blank():
				r.report("AN-17", b.path()+"/signature", b.where()...)
			case !signs(signature) && !strings.HasPrefix(r.target.Provider, "xiaomi"): // that one signs with a name (W-213)
				r.report("AN-20", b.path()+"/signature", b.where()...)
			}
		}
		if mode == "enabled" && m.role == "assistant" && holdsThinking(m) && !m.blocks[0].isThinking() {
			r.report("AN-51", m.blocks[0].path(), "messages.N", fmt.Sprintf("messages.%d", m.index), "content.0", "content.0")
		}
	}
	round := roundStart(messages)
	if mode == "enabled" && r.claude.is && round >= 0 && !startsWithThinking(messages[round]) {
		r.report("AN-15", pointer("messages", round, "content", 0), "messages.N", fmt.Sprintf("messages.%d", round))
	}
	if thinkingOff(r, mode) {
		anthropicOff(r, messages, round)
	}
}

// thinkingOff reports whether the model does not think in this request (AN-50).
func thinkingOff(r *request, mode string) bool {
	if !r.claude.is {
		return false
	}
	return mode == "disabled" || mode == "" && !r.claude.byDefault() && !r.claude.always()
}

// anthropicOff finds thinking in the last assistant turn, the tool round in
// progress included, of a request that has thinking off (AN-50).
func anthropicOff(r *request, messages []message, round int) {
	from := round
	if from < 0 {
		from = len(messages) - 1
		for from >= 0 && messages[from].role != "assistant" {
			from--
		}
	}
	for i := max(from, 0); i < len(messages); i++ {
		for _, b := range messages[i].blocks {
			if b.isThinking() {
				r.report("AN-50", b.path(), "messages.N", fmt.Sprintf("messages.%d", b.msg), "content.M", fmt.Sprintf("content.%d", b.at))
			}
		}
	}
}

func holdsThinking(m message) bool {
	for _, b := range m.blocks {
		if b.isThinking() {
			return true
		}
	}
	return false
}

func startsWithThinking(m message) bool { return len(m.blocks) > 0 && m.blocks[0].isThinking() }

// roundStart returns the index of the first assistant message of the tool round
// in progress, -1 when the request does not end in tool results: walking back,
// a user message without tool results ends the round.
func roundStart(messages []message) int {
	n := len(messages)
	if n == 0 || messages[n-1].role != "user" || !holdsResult(messages[n-1]) {
		return -1
	}
	start := -1
	for i := n - 1; i >= 0; i-- {
		switch {
		case messages[i].role == "assistant":
			start = i
		case !holdsResult(messages[i]):
			return start
		}
	}
	return start
}

func holdsResult(m message) bool {
	for _, b := range m.blocks {
		if b.typ == "tool_result" {
			return true
		}
	}
	return false
}

func anthropicPrefill(r *request) {
	messages := r.memo.messages
	n := len(messages)
	if n == 0 || messages[n-1].role != "assistant" {
		return
	}
	last := messages[n-1]
	for _, b := range last.blocks {
		if b.typ == "tool_use" {
			return // AN-03
		}
	}
	if k := len(last.blocks); k > 0 && last.blocks[k-1].typ == "server_tool_use" {
		return // the service goes on where it paused
	}
	mode := r.root.get("thinking").get("type").text()
	if r.claude.noPrefill() || mode != "" && mode != "disabled" {
		r.report("AN-14", pointer("messages", n-1))
		return
	}
	text := last.content
	if k := len(last.blocks); k > 0 {
		text = last.blocks[k-1].member(inText)
		if last.blocks[k-1].isThinking() {
			r.report("AN-49", last.blocks[k-1].path(), "messages.N", fmt.Sprintf("messages.%d", n-1))
		}
	}
	if s := text.text(); s != strings.TrimRight(s, " \t\r\n") {
		r.report("AN-16", pointer("messages", n-1, "content"))
	}
}

func isM3(model string) bool { return strings.Contains(strings.ToLower(model), "minimax-m3") }
