package transcript

import "hygeia/internal/texts"

// SpeaksAsUser reports whether the message is a user turn or a row that goes
// out as one (F-72). Runtime context is none.
func (m *Message) SpeaksAsUser() bool {
	switch m.role {
	case User:
		return !m.obj.Get("runtimeContextCarrier").Bool()
	case Custom:
		return m.obj.Get("customType").String() != "openclaw.runtime-context"
	case BashExecution:
		return !m.obj.Get("excludeFromContext").Bool()
	case BranchSummary, CompactionSummary:
		return true
	}
	return false
}

// endsRound reports whether a message is a user turn in the sense of R-B05:
// one that holds nothing but embedded tool results does not count.
func (m *Message) endsRound() bool { return m.SpeaksAsUser() && !m.onlyResults() }

// onlyResults reports whether the content is made of embedded tool results and
// what stands for them.
func (m *Message) onlyResults() bool {
	for _, b := range m.blocks {
		switch b.typ {
		case "toolResult", "tool":
		case TypeText:
			if b.Text() != texts.OmittedToolResults {
				return false
			}
		default:
			return false
		}
	}
	return len(m.blocks) > 0
}

// RoundStart returns the index of the first message of the tool round in
// progress on the Anthropic family and Antigravity Claude (D-31), and the
// length of the list if there is none. The round is what stands behind the
// last user turn that does not directly follow a tool result. It is in progress
// if the list ends in tool results or in user turns directly behind them, whose
// text belongs to the same turn on the wire.
func RoundStart(messages []*Message) int {
	i := len(messages) - 1
	for ; i >= 0 && !messages[i].Is(ToolResult); i-- {
		if messages[i].Is(Assistant) {
			return len(messages)
		}
	}
	if i < 0 {
		return len(messages)
	}
	for ; i >= 0; i-- {
		if !messages[i].endsRound() {
			continue
		}
		before := i - 1
		for before >= 0 && !messages[before].Is(Assistant) && !messages[before].Is(ToolResult) {
			before--
		}
		if before < 0 || messages[before].Is(Assistant) {
			return i + 1
		}
		i = before
	}
	return 0
}

// ChatRound returns the tool round in progress on Chat Completions, where any
// user turn ends it (R-B05, W-422): the assistant turns with calls among the
// messages from ≤ i < to, all of which are followed by a result. It is empty if
// from = to.
func ChatRound(messages []*Message) (from, to int) {
	from = len(messages)
	for from > 0 && !messages[from-1].endsRound() {
		from--
	}
	to = len(messages)
	for to > from && !messages[to-1].Is(ToolResult) {
		to--
	}
	return from, to
}
