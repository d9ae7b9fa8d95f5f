package anthropicmessages

import (
	"fmt"

	"hygeia/hygiene"
	"hygeia/payload"
	"hygeia/policy"
)

// request is what the body says besides the messages.
type request struct {
	maxTokens int
	kind      string // thinking.type, "" for no such member
	budget    int    // of kind enabled
	effort    string // output_config.effort, "" for no such member
	on        bool   // the model thinks: thinking blocks go out, prefill does not
	opens     bool   // a message that holds thinking must start with it (W-219)
}

// The values of thinking.type.
const (
	enabled      = "enabled"
	adaptive     = "adaptive"
	disabled     = "disabled"
	betweenTools = "between_tools"
)

// efforts are the levels in the two ways to ask for them (W-216).
var efforts = map[payload.Level]struct {
	budget int // tokens
	effort string
}{
	payload.ThinkMinimal: {payload.MinThinkingBudget, "low"},
	payload.ThinkLow:     {2048, "low"},
	payload.ThinkMedium:  {8192, "medium"},
	payload.ThinkHigh:    {16384, "high"},
	payload.ThinkMax:     {32768, "max"},
}

// decide settles thinking, and with it what becomes of a trailing assistant
// turn (W-220, W-222, W-223). Thinking is judged by the turns in front of that.
func (b *builder) decide() error {
	rest := b.turns
	n := len(b.turns)
	trailing := n > 0 && b.turns[n-1].assistant
	if trailing {
		rest = b.turns[:n-1]
	}
	var err error
	if b.request, err = b.ask(rest); err != nil || !trailing {
		return err
	}
	last := b.turns[n-1]
	switch {
	case b.in.Policy.Wire.Prefill == policy.PrefillNever:
		b.turns = rest
		b.strip(last, "W-222", "the model takes no trailing assistant turn")
	case b.request.on:
		b.turns = rest
		b.strip(last, "W-220", "thinking is on and the list ends in an assistant turn")
	default:
		b.trim = b.lastText(last)
	}
	return nil
}

func (b *builder) strip(t turn, rule, reason string) {
	for i := t.from; i < t.to; i++ {
		if !b.gone[i] {
			b.log.Add(hygiene.Drop, b.messages[i], nil, nil, hygiene.Edit{Rule: rule, Reason: reason, Lossy: true})
		}
	}
}

// ask decides whether and how the model is asked to think about the turns
// (W-216, W-218, W-252, D-32, D-38).
func (b *builder) ask(turns []turn) (request, error) {
	m, level := &b.in.Policy.Model, b.in.Options.Thinking
	want, known := efforts[level]
	if !known && level != payload.ThinkDefault && level != payload.ThinkOff {
		return request{}, fmt.Errorf("unknown thinking level %q", level)
	}
	manual := m.Thinking == policy.ThinkingManual && !b.in.Policy.Wire.EnabledAsAdaptive
	r := request{maxTokens: b.in.MaxTokens(), opens: manual}
	switch {
	case !m.Reasoning || m.Thinking == "":
		r.on = thinksAlone(m)
		return r, nil
	case level == payload.ThinkOff:
		return b.off(r), nil
	case level == payload.ThinkDefault && !holdsThinking(turns, manual):
		return b.unasked(r), nil
	case level == payload.ThinkDefault:
		want = efforts[payload.ThinkMedium]
	}
	if !manual {
		r.kind, r.on = adaptive, true
		r.effort = b.effort(want.effort)
		return r, nil
	}
	if start := roundStart(turns); start >= 0 && !turns[start].opens {
		b.in.Report.Note("thinking is switched off: the tool round in progress does not start with thinking (W-218)")
		return b.denied(r), nil
	}
	r.maxTokens, r.budget = payload.ThinkingBudget(r.maxTokens, want.budget, m.MaxOutputTokens)
	if r.budget == 0 {
		b.in.Report.Note("thinking is switched off: the output limit leaves no room for it (W-216)")
		return b.denied(r), nil
	}
	r.kind, r.on = enabled, true
	return r, nil
}

// unasked is the request when nobody asks for thinking.
func (b *builder) unasked(r request) request {
	if b.in.Policy.Wire.ThinkingDisabledDefault {
		r.kind = disabled
		return r
	}
	r.on = thinksAlone(&b.in.Policy.Model)
	return r
}

// off is the request with as little thinking as the model allows.
func (b *builder) off(r request) request {
	m := &b.in.Policy.Model
	switch {
	case b.in.Policy.Wire.ThinkingBetweenTools:
		r.kind, r.on = betweenTools, true
	case m.ThinkingDefault != policy.ThinksAlways:
		r.kind = disabled
	case !r.opens:
		r.kind, r.on, r.effort = adaptive, true, b.effort(efforts[payload.ThinkMinimal].effort)
	default:
		r.on = true
	}
	return r
}

// denied is the request when thinking was asked for and cannot be.
func (b *builder) denied(r request) request {
	if thinksAlone(&b.in.Policy.Model) {
		return b.off(r)
	}
	return b.unasked(r)
}

// effort returns the effort, "" where the model does not know the member.
func (b *builder) effort(effort string) string {
	known := b.in.Policy.Model.SupportsReasoningEffort
	if b.in.Policy.Wire.EnabledAsAdaptive || known != nil && !*known {
		return ""
	}
	return effort
}

// thinksAlone reports whether the model thinks when the request says nothing.
func thinksAlone(m *policy.Model) bool {
	return m.ThinkingDefault == policy.ThinksOn || m.ThinkingDefault == policy.ThinksAlways
}

// holdsThinking reports whether thinking would go out.
func holdsThinking(turns []turn, manual bool) bool {
	for i := range turns {
		if t := &turns[i]; t.thinker >= 0 && (t.opens || !manual) {
			return true
		}
	}
	return false
}

// roundStart returns the first assistant turn of the tool round in progress, -1
// if there is none (D-31). On the wire user text behind results is part of
// their turn.
func roundStart(turns []turn) int {
	start := -1
	for i := len(turns) - 1; i > 0 && turns[i].results; i -= 2 {
		start = i - 1
	}
	return start
}
