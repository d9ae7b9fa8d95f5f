package transcript

import (
	"bytes"

	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
)

// SpeaksAsUser reports whether the message is a user turn or a row that goes
// out as one (F-72). Runtime context is none.
func (m *Message) SpeaksAsUser() bool {
	switch m.role {
	case User:
		return !m.CarriesContext()
	case Custom:
		return m.obj.Get("customType").String() != "openclaw.runtime-context"
	case BashExecution:
		return !m.obj.Get("excludeFromContext").Bool()
	case BranchSummary, CompactionSummary:
		return true
	}
	return false
}

// CarriesContext reports whether a user turn is runtime context that went out
// as one: it is marked, or its text says so, which is all that a request
// tells.
func (m *Message) CarriesContext() bool {
	if m.role != User {
		return false
	}
	if m.context != notLooked {
		return m.context == isContext
	}
	return m.looksLikeContext()
}

func (m *Message) looksLikeContext() bool {
	if m.obj.Get("runtimeContextCarrier").Bool() {
		return true
	}
	if m.kind == TextContent {
		return saysContext(m.Text())
	}
	for i, b := range m.blocks {
		if !saysContext(b.TextValue()) && (b.typ != TypeImage || i == 0) {
			return false
		}
	}
	return len(m.blocks) > 0
}

// saysContext looks at the spelling first, so that a long text is not decoded.
func saysContext(v jsonline.Value) bool {
	const end = "CONTEXT>>>"
	return v.IsString() && bytes.Contains(v.Raw[max(len(v.Raw)-64, 0):], []byte(end)) && texts.IsRuntimeContext(v.String())
}

// EndsRound reports whether a message is a user turn in the sense of R-B05, one
// in which a user says something. Tool results inside a user turn are
// nothing of the kind, nor is what converters make user turns of: the pictures
// of results (W-406, W-605) and results told in words (W-707).
func (m *Message) EndsRound() bool { return m.SpeaksAsUser() && !m.onlyResults() }

// onlyResults reports whether the content is made of tool results and what
// stands for them.
func (m *Message) onlyResults() bool {
	if m.kind == TextContent {
		return standsForResults(m.Text())
	}
	pictures := false // those of results may follow
	for _, b := range m.blocks {
		switch {
		case b.typ == "toolResult", b.typ == "tool", b.typ == "cachePoint":
		case b.typ == TypeText && standsForResults(b.TextValue()):
			pictures = true
		case b.typ == TypeImage && pictures:
		default:
			return false
		}
	}
	return len(m.blocks) > 0
}

// standsForResults reports whether a text is what a converter or a pass writes
// where results are or were, or runtime context behind them.
func standsForResults(v jsonline.Value) bool {
	text := opening(v)
	return text == texts.OmittedToolResults || texts.IsAttachedImages(text) || texts.IsToldResult(text) || saysContext(v)
}

// isResult reports whether a message is a tool result, or a user turn that
// begins with one told in words.
func (m *Message) isResult() bool {
	return m.role == ToolResult || m.role == User && len(m.blocks) > 0 && texts.IsToldResult(opening(m.blocks[0].TextValue()))
}

// opening returns a text, or of a long one as much as tells what it is.
func opening(v jsonline.Value) string {
	const enough = 80 // more than what stands for results takes
	if !v.IsString() {
		return ""
	}
	if len(v.Raw) > enough {
		return string(v.Raw[1:enough])
	}
	return v.String()
}

// RoundStart returns the index of the first message of the tool round in
// progress on the Anthropic family and Antigravity Claude (D-31), and the
// length of the list if there is none. The round is what stands behind the
// last user turn that does not directly follow a tool result. It is in progress
// if the list ends in tool results or in user turns directly behind them, whose
// text belongs to the same turn on the wire.
func RoundStart(messages []*Message) int {
	i := len(messages) - 1
	for ; i >= 0 && !messages[i].isResult(); i-- {
		if messages[i].Is(Assistant) {
			return len(messages)
		}
	}
	if i < 0 {
		return len(messages)
	}
	for ; i >= 0; i-- {
		if messages[i].isResult() || !messages[i].SpeaksAsUser() {
			continue
		}
		before := i - 1
		for before >= 0 && !messages[before].Is(Assistant) && !messages[before].isResult() {
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
	for from > 0 && !messages[from-1].EndsRound() {
		from--
	}
	to = len(messages)
	for to > from && !messages[to-1].Is(ToolResult) {
		to--
	}
	return from, to
}
