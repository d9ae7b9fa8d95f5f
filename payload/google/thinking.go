package google

import (
	"fmt"

	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/policy"
)

// thinking is what the request says about thinking.
type thinking struct {
	config    []byte // generationConfig.thinkingConfig, nil for none
	maxTokens int    // output limit

	// Of Claude.
	replayed bool // thought parts go out
	opens    bool // only at the start of a turn (W-219)
	off      bool // thinking of a request is switched off (W-218)
}

// levels are those of Gemini 3 (W-621). Only low and high are known to all of
// its models; a profile names more under wire.efforts.
var levels = map[payload.Level]string{
	payload.ThinkOff: "low", payload.ThinkMinimal: "low", payload.ThinkLow: "low",
	payload.ThinkMedium: "high", payload.ThinkHigh: "high", payload.ThinkMax: "high",
}

// budgets are the levels of other models, in tokens (W-216, W-621). The highest
// is the most that every Gemini 2.5 takes (GG-19).
var budgets = map[payload.Level]int{
	payload.ThinkMinimal: payload.MinThinkingBudget, payload.ThinkLow: 2048, payload.ThinkMedium: 8192,
	payload.ThinkHigh: 16384, payload.ThinkMax: 24576,
}

// decide settles how the model is asked to think (W-621, D-38).
func (b *builder) decide() error {
	p, level := b.in.Policy, b.in.Options.Thinking
	if _, known := levels[level]; !known && level != payload.ThinkDefault {
		return fmt.Errorf("unknown thinking level %q", level)
	}
	t := &b.thinking
	t.maxTokens = b.in.MaxTokens()
	always := p.Model.ThinkingDefault == policy.ThinksAlways
	switch {
	case b.claude:
		b.decideClaude(level)
	case level == payload.ThinkDefault:
	case !p.Model.Reasoning:
		if level != payload.ThinkOff {
			b.in.Report.Note("the thinking level is left out: the model does not reason")
		}
	case level != payload.ThinkOff && p.Wire.ThinkingLevel:
		t.config = levelConfig(`{"includeThoughts":true,"thinkingLevel":`, &p.Wire, level)
	case level != payload.ThinkOff:
		t.config = budgetConfig(`{"includeThoughts":true,"thinkingBudget":`, max(budgets[level], p.Wire.ThinkingFloor))
	case p.Wire.ThinkingLevel:
		b.in.Report.Note("thinking is as low as it can be: it cannot be switched off for this model")
		t.config = levelConfig(`{"thinkingLevel":`, &p.Wire, level)
	case p.Wire.ThinkingFloor > 0:
		b.in.Report.Note("thinking is as low as it can be: it cannot be switched off for this model")
		t.config = budgetConfig(`{"thinkingBudget":`, p.Wire.ThinkingFloor)
	case always:
		b.in.Report.Note("thinking stays on: it cannot be switched off for this model")
	default:
		t.config = budgetConfig(`{"thinkingBudget":`, 0)
	}
	return nil
}

func levelConfig(open string, w *policy.Wire, level payload.Level) []byte {
	name := levels[level]
	if own, ok := w.Efforts[string(level)]; ok {
		name = own
	}
	return append(jsonline.AppendQuoted([]byte(open), name), '}')
}

func budgetConfig(open string, budget int) []byte {
	return append(jsonline.AppendInt([]byte(open), int64(budget)), '}')
}
