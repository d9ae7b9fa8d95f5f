package anthropic

import (
	"fmt"

	"hygeia/hygiene"
	"hygeia/payload"
	"hygeia/policy"
)

// Request is what the body says besides the messages.
type Request struct {
	MaxTokens int
	Kind      Kind   // thinking.type, "" for no such member
	Budget    int    // of kind Enabled, in tokens
	Effort    string // output_config.effort, "" for no such member

	// Edit says why the request is another one than the body states, if it is.
	Edit hygiene.Edit

	on    bool // the model thinks: thinking blocks go out, prefill does not
	opens bool // a message that holds thinking must start with it (W-219)
}

// Kind is a value of thinking.type.
type Kind string

// The kinds.
const (
	Enabled      Kind = "enabled"
	Adaptive     Kind = "adaptive"
	Disabled     Kind = "disabled"
	BetweenTools Kind = "between_tools"
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
func (p *Plan) decide() error {
	rest := p.Turns
	n := len(p.Turns)
	trailing := n > 0 && p.Turns[n-1].Assistant
	if trailing {
		rest = p.Turns[:n-1]
	}
	var err error
	if p.Request, err = p.ask(rest); err != nil || !trailing {
		return err
	}
	last := p.Turns[n-1]
	switch {
	case p.format.Waits != nil && p.format.Waits(p.Messages[last.To-1]):
		// The service goes on where it paused (W-221).
	case p.in.Policy.Wire.Prefill == policy.PrefillNever:
		p.Turns = rest
		p.strip(last, p.format.Prefill[1], "the model takes no trailing assistant turn")
	case p.Request.on:
		p.Turns = rest
		p.strip(last, p.format.Prefill[0], "thinking is on and the list ends in an assistant turn")
	default:
		p.trim = p.lastText(last)
	}
	return nil
}

func (p *Plan) strip(t Turn, rule, reason string) {
	for i := t.From; i < t.To; i++ {
		if !p.gone[i] {
			p.Log.Add(hygiene.Drop, p.Messages[i], nil, nil, hygiene.Edit{Rule: rule, Reason: reason, Lossy: true})
		}
	}
}

// ask decides whether and how the model is asked to think about the turns
// (W-216, W-218, W-252, D-32, D-38).
func (p *Plan) ask(turns []Turn) (Request, error) {
	m, level := &p.in.Policy.Model, p.in.Options.Thinking
	want, known := efforts[level]
	if !known && level != payload.ThinkDefault && level != payload.ThinkOff {
		return Request{}, fmt.Errorf("unknown thinking level %q", level)
	}
	manual := m.Thinking == policy.ThinkingManual && !p.in.Policy.Wire.EnabledAsAdaptive
	if level == payload.ThinkDefault && p.format.Stated != nil {
		return p.stated(p.format.Stated(), turns), nil
	}
	r := Request{MaxTokens: p.in.MaxTokens(), opens: manual}
	switch {
	case !m.Reasoning || m.Thinking == "":
		if known {
			p.in.Report.Note("the thinking level is left out: the model has no parameter for it")
		}
		r.on = thinksAlone(m)
		return r, nil
	case level == payload.ThinkOff:
		return p.off(r), nil
	case level == payload.ThinkDefault && !holdsThinking(turns, manual):
		return p.unasked(r), nil
	case level == payload.ThinkDefault:
		want = efforts[payload.ThinkMedium]
	}
	if !manual {
		r.Kind, r.on = Adaptive, true
		r.Effort = p.effort(want.effort)
		return r, nil
	}
	if start := roundStart(turns); start >= 0 && !turns[start].opens {
		p.in.Report.Note("thinking is switched off: the tool round in progress does not start with thinking (W-218)")
		return p.denied(r), nil
	}
	r.MaxTokens, r.Budget = payload.ThinkingBudget(r.MaxTokens, want.budget, m.MaxOutputTokens)
	if r.Budget == 0 {
		p.in.Report.Note("thinking is switched off: the output limit leaves no room for it (W-216)")
		return p.denied(r), nil
	}
	r.Kind, r.on = Enabled, true
	return r, nil
}

// unasked is the request when nobody asks for thinking.
func (p *Plan) unasked(r Request) Request {
	if p.in.Policy.Wire.ThinkingDisabledDefault {
		r.Kind = Disabled
		return r
	}
	r.on = thinksAlone(&p.in.Policy.Model)
	return r
}

// off is the request with as little thinking as the model allows.
func (p *Plan) off(r Request) Request {
	m := &p.in.Policy.Model
	switch {
	case p.in.Policy.Wire.ThinkingBetweenTools:
		r.Kind, r.on = BetweenTools, true
	case m.ThinkingDefault != policy.ThinksAlways:
		r.Kind = Disabled
	case !r.opens:
		r.Kind, r.on, r.Effort = Adaptive, true, p.effort(efforts[payload.ThinkMinimal].effort)
	default:
		r.on = true
	}
	return r
}

// denied is the request when thinking was asked for and cannot be.
func (p *Plan) denied(r Request) Request {
	if thinksAlone(&p.in.Policy.Model) {
		return p.off(r)
	}
	return p.unasked(r)
}

// effort returns the effort, "" where the model does not know the member.
func (p *Plan) effort(effort string) string {
	known := p.in.Policy.Model.SupportsReasoningEffort
	if p.in.Policy.Wire.EnabledAsAdaptive || known != nil && !*known {
		return ""
	}
	return effort
}

// thinksAlone reports whether the model thinks when the request says nothing.
func thinksAlone(m *policy.Model) bool {
	return m.ThinkingDefault == policy.ThinksOn || m.ThinkingDefault == policy.ThinksAlways
}

// holdsThinking reports whether thinking would go out.
func holdsThinking(turns []Turn, manual bool) bool {
	for i := range turns {
		if t := &turns[i]; t.thinker >= 0 && (t.opens || !manual) {
			return true
		}
	}
	return false
}

// roundStart returns the first assistant turn of the tool round in progress, -1
// if there is none (D-31). On the wire user text behind results is part of
// their turn, and so is a system message there.
func roundStart(turns []Turn) int {
	start := -1
	for i := len(turns) - 1; i >= 0; i-- {
		switch t := &turns[i]; {
		case t.Assistant:
			start = i
		case t.System:
			if i == 0 || !turns[i-1].Results && !turns[i-1].System {
				return start
			}
		case !t.Results:
			return start
		}
	}
	return start
}
