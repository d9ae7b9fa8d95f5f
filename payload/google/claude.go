package google

import (
	"slices"

	"hygeia/payload"
	"hygeia/policy"
	"hygeia/transcript"
)

// decideClaude settles thinking of Claude behind Antigravity. The service makes
// Anthropic messages of the request, so it must agree with the thinking in it
// (D-31): on and asked for with a budget, the tool round in progress starts with
// a thought part, else thinking stays off (W-218); off, no thought part goes out
// (W-214). Where nobody names a level it is on exactly when thinking would go
// out, as on Claude's own API (D-38).
func (b *builder) decideClaude(level payload.Level) {
	m, t := &b.in.Policy.Model, &b.thinking
	t.replayed = m.ThinkingDefault == policy.ThinksOn || m.ThinkingDefault == policy.ThinksAlways
	t.opens = m.Thinking == policy.ThinkingManual
	if level == payload.ThinkOff {
		if t.replayed {
			b.in.Report.Note("thinking stays on: the format cannot switch it off for this model")
		}
		return
	}
	if !m.Reasoning {
		if level != payload.ThinkDefault {
			b.in.Report.Note("the thinking level is left out: the model does not reason")
		}
		return
	}
	if level == payload.ThinkDefault && b.own != nil {
		b.decideStated()
		return
	}
	if level == payload.ThinkDefault {
		if !b.holdsThinking() {
			return
		}
		level = payload.ThinkMedium
	}
	if t.opens && !b.roundOpens() {
		b.in.Report.Note("thinking is switched off: the tool round in progress does not start with thinking (W-218)")
		return
	}
	limit, budget := payload.ThinkingBudget(t.maxTokens, budgets[level], m.MaxOutputTokens)
	if budget == 0 {
		b.in.Report.Note("thinking is switched off: the output limit leaves no room for it (W-216)")
		return
	}
	t.maxTokens, t.replayed = limit, true
	t.config = budgetConfig(`{"includeThoughts":true,"thinkingBudget":`, budget)
}

// decideStated is decideClaude for what a request itself says about thinking.
func (b *builder) decideStated() {
	t := &b.thinking
	stated := b.own.thinking().Object()
	if budget, ok := stated.Get(spelled(stated, "thinkingBudget")).Number(); !stated.Get(spelled(stated, "includeThoughts")).Bool() && (!ok || budget == 0) {
		return
	}
	if t.opens && !b.roundOpens() {
		t.off = true
		return
	}
	t.replayed = true
}

// holdsThinking reports whether thinking would go out.
func (b *builder) holdsThinking() bool {
	if b.thinking.opens {
		list := b.standing()
		for i := range list {
			if list[i].Is(transcript.Assistant) && b.opensRun(list[i:]) {
				return true
			}
		}
		return false
	}
	return slices.ContainsFunc(b.messages, func(m *transcript.Message) bool {
		own := b.in.OwnTurn(m)
		return m.Is(transcript.Assistant) && m.Any(func(k *transcript.Block) bool { return b.canGoOut(own, k) })
	})
}

// roundOpens reports whether the tool round in progress starts with thinking
// that can go out. So it does where there is no such round.
func (b *builder) roundOpens() bool {
	list := b.standing()
	for i := transcript.RoundStart(list); i < len(list); i++ {
		if list[i].Is(transcript.Assistant) {
			return b.opensRun(list[i:])
		}
	}
	return true
}

// standing returns the messages without the assistant turns that do not go out
// (D-34).
func (b *builder) standing() []*transcript.Message {
	return slices.DeleteFunc(slices.Clone(b.messages), func(m *transcript.Message) bool {
		return m.Is(transcript.Assistant) && !holdsAnything(m)
	})
}

// opensRun reports whether the assistant turns at the start of a list, which are
// joined, go out with thinking in front: of two that have some the later one
// keeps it, unless that would not stand in front then (see join).
func (b *builder) opensRun(list []*transcript.Message) bool {
	opens, said := false, false
	for _, m := range list {
		if !m.Is(transcript.Assistant) {
			break
		}
		thinks := b.opensTurn(m)
		if thinks {
			opens = !said
		}
		said = said || says(m) || !thinks // a placeholder (W-161)
	}
	return opens
}

// holdsAnything reports whether an assistant turn of Claude goes out at all
// (D-34).
func holdsAnything(m *transcript.Message) bool { return says(m) || m.HasThinking() }

// says reports whether a turn holds more than thinking.
func says(m *transcript.Message) bool {
	return !payload.Blank(m.Text()) && m.Text().IsString() || m.Any(func(k *transcript.Block) bool {
		return k.IsToolCall() || nativeParts[k.Type()] || k.IsText() && !payload.Blank(k.TextValue())
	})
}

// opensTurn reports whether what goes out of an assistant turn starts with
// thinking.
func (b *builder) opensTurn(m *transcript.Message) bool {
	own := b.in.OwnTurn(m)
	for _, block := range m.Blocks() {
		switch {
		case b.canGoOut(own, block):
			return true
		case block.IsToolCall(), nativeParts[block.Type()], block.IsText() && !payload.Blank(block.TextValue()):
			return false
		}
	}
	return false
}

func (b *builder) canGoOut(own bool, block *transcript.Block) bool {
	if !block.IsThinking() {
		return false
	}
	_, out := b.verdict(own, block)
	return out
}
