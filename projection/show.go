package projection

import (
	"strconv"

	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/internal/wrappers"
	"hygeia/transcript"
)

// show returns the message as people see it: without what only programs need
// (X-42, X-50…X-57), but for its length: what it repeats or belongs to is looked for in
// whole texts.
func (p *Projector) show(s stripped) *transcript.Message {
	m := s.Message.Without("details")
	switch s.kind {
	case model, forwarded:
		m = trimUsage(m)
		m = p.selectBlocks(m)
		if m.StopReason() == transcript.StopError {
			m = showFailure(m)
		}
	case userTurn:
		m = showRuntimeTurn(m.Without("usage", "cost"))
	default:
		m = m.Without("usage", "cost")
	}
	m = tidySender(eachBlock(m, showBlock))
	if p.o.Redact != nil {
		m = eachText(m, p.o.Redact)
	}
	return m
}

// errorMembers say more about a failure than people need.
var errorMembers = []string{"diagnostics", "errorBody", "errorCode", "errorMessage", "errorType"}

// showFailure shows a turn that ended in an error.
func showFailure(m *transcript.Message) *transcript.Message {
	m = m.Without(errorMembers...)
	m = eachBlock(m, func(b *transcript.Block) *transcript.Block {
		if b.IsThinking() || b.Type() == "reasoning" {
			return nil
		}
		return b
	})
	text := words(m)
	if onlyText(m) && (blank(text) || texts.IsFailedTurnText(text) || wrappers.IsSilentToken(text)) {
		return m.WithText(texts.FailedRun)
	}
	return m
}

// showRuntimeTurn shows a user turn that a program wrote for itself as a note
// (X-B13).
func showRuntimeTurn(m *transcript.Message) *transcript.Message {
	if !onlyText(m) || !texts.IsRuntimeTurn(words(m)) {
		return m
	}
	m = note(m, func(o jsonline.Object) jsonline.Object { return o.With("kind", jsonline.Text(KindNote)) })
	return m.With("role", jsonline.Text("system"))
}

// selectBlocks leaves the blocks that were asked for (X-56, X-57, X-B10). What
// goes is counted in the Meta.
func (p *Projector) selectBlocks(m *transcript.Message) *transcript.Message {
	mixed := m.HasToolCall() && !blank(words(m)) && !wrappers.IsSilentToken(words(m))
	if !mixed {
		m = selectAnswer(m)
	}
	silent := wrappers.IsSilentToken(words(m)) // beside something else: a turn that is only silent is hidden
	thinking, tools := 0, 0
	m = eachBlock(m, func(b *transcript.Block) *transcript.Block {
		switch {
		case silent && isTextType(b.Type()):
		case (b.IsThinking() || b.Type() == "reasoning") && !p.o.Thinking:
			thinking++
		case b.IsToolCall() && mixed && !p.o.Tools:
			tools++
		case mixed && phase(b) != "":
			return b.Without("textSignature") // words beside a call are an answer
		default:
			return b
		}
		return nil
	})
	if mixed && m.Get("phase").String() == commentary {
		m = m.Without("phase")
	}
	return noteRemoved(noteRemoved(m, "thinking", thinking), "tools", tools)
}

// selectAnswer leaves of texts with phases those of the answer.
func selectAnswer(m *transcript.Message) *transcript.Message {
	if !m.Any(func(b *transcript.Block) bool { return phase(b) != "" }) {
		return m
	}
	others := 0
	m = eachBlock(m, func(b *transcript.Block) *transcript.Block {
		if isTextType(b.Type()) && phase(b) != finalAnswer {
			others++
			return nil
		}
		return b
	})
	return noteRemoved(m, "commentary", others)
}

// showBlock takes what only providers need out of a block.
func showBlock(b *transcript.Block) *transcript.Block {
	b = b.Without("thinkingSignature", "openclawReasoningReplay")
	if b.Is("image") {
		return omitData(b)
	}
	if source := b.Get("source").Object(); source.Get("data").IsString() {
		n := len(source.Get("data").Raw) - len(`""`)
		source = source.Without("data").With("omitted", jsonline.Bool(true)).With("bytes", jsonline.Int(n))
		return b.With("source", source.Value())
	}
	return b
}

func omitData(b *transcript.Block) *transcript.Block {
	v := b.Get("data")
	if !v.IsString() {
		return b
	}
	n := len(v.Raw) - len(`""`)
	return b.Without("data").With("omitted", jsonline.Bool(true)).With("bytes", jsonline.Int(n))
}

// usageNames are the counts of a turn that are shown.
var usageNames = []string{
	"input", "output", "total", "totalTokens", "inputTokens", "outputTokens", "promptTokens", "completionTokens",
	"cacheRead", "cacheWrite", "input_tokens", "output_tokens", "prompt_tokens", "completion_tokens", "total_tokens",
	"cache_read_input_tokens", "cache_creation_input_tokens",
}

var costNames = []string{"input", "output", "cacheRead", "cacheWrite", "total"}

// trimUsage leaves the known counts of a turn's usage.
func trimUsage(m *transcript.Message) *transcript.Message {
	for _, part := range []struct {
		name  string
		known []string
	}{{"usage", usageNames}, {"cost", costNames}} {
		v := m.Get(part.name)
		if !v.Exists() {
			continue
		}
		kept := numbers(v.Object(), part.known)
		if part.name == "usage" {
			if cost := numbers(v.Object().Get("cost").Object(), costNames); cost.Exists() {
				kept = kept.With("cost", cost.Value())
			}
		}
		switch {
		case !kept.Exists():
			m = m.Without(part.name)
		case string(kept.AppendTo(nil)) != string(v.Raw):
			m = m.With(part.name, kept.Value())
		}
	}
	return m
}

// numbers returns an object of the members that are finite numbers.
func numbers(o jsonline.Object, known []string) jsonline.Object {
	var kept jsonline.Object
	for _, name := range known {
		v := o.Get(name)
		if v.Kind != jsonline.Number {
			continue
		}
		if _, err := strconv.ParseFloat(string(v.Raw), 64); err == nil { // an error is infinity
			kept = kept.With(name, v)
		}
	}
	return kept
}
