package anthropic

import (
	"hygeia/hygiene"
	"hygeia/payload"
	"hygeia/policy"
)

// stated returns what a body says about thinking, or what it must say instead
// where a rule forbids that (D-38).
func (p *Plan) stated(r Request, turns []Turn) Request {
	m, w := &p.in.Policy.Model, &p.in.Policy.Wire
	switch adaptive := m.Thinking == policy.ThinkingAdaptive; {
	case r.Kind == Enabled && w.EnabledAsAdaptive:
		r = adapted(r, "")
		r.Edit = hygiene.Edit{Rule: "W-252", Reason: "the model takes thinking of type adaptive only"}
	case r.Kind == Enabled && adaptive && !w.ManualThinkingKnown:
		r = adapted(r, p.effort(effortOf(r.Budget)))
		r.Edit = hygiene.Edit{Rule: "W-216", Reason: "the model takes thinking of type adaptive only"}
	case r.Kind == Adaptive && m.Thinking == policy.ThinkingManual && !w.EnabledAsAdaptive:
		r.Kind, r.Budget, r.Effort = Enabled, budgetOf(r.Effort), ""
		r.Edit = hygiene.Edit{Rule: "W-216", Reason: "the model takes thinking of type enabled only"}
	case r.Kind == Disabled && (m.ThinkingDefault == policy.ThinksAlways || w.ThinkingBetweenTools):
		r = p.off(r)
		r.Edit = hygiene.Edit{Rule: "W-216", Reason: "thinking of this model cannot be switched off"}
	}
	if r.Kind == Enabled {
		r = p.manual(r, turns)
	}
	r.opens = r.Kind == Enabled
	r.on = r.Kind != "" && r.Kind != Disabled || r.Kind == "" && thinksAlone(m)
	return r
}

// adapted asks for adaptive thinking. An effort that the body names stays.
func adapted(r Request, effort string) Request {
	r.Kind, r.Budget = Adaptive, 0
	if r.Effort == "" {
		r.Effort = effort
	}
	return r
}

// manual fits the budget into the output limit (AN-21) and looks at the tool
// round in progress (W-218).
func (p *Plan) manual(r Request, turns []Turn) Request {
	const least = payload.MinThinkingBudget
	limit := r.MaxTokens
	switch start := roundStart(turns); {
	case start >= 0 && !turns[start].opens:
		return p.refused(r, "W-218", "the tool round in progress does not start with thinking")
	case least <= r.Budget && r.Budget < limit:
		return r
	case limit <= least:
		return p.refused(r, "W-216", "the output limit leaves no room for thinking")
	case r.Budget < limit:
		r.Budget = least
	default:
		r.Budget = max(limit-least, least)
	}
	r.Edit = hygiene.Edit{Rule: "W-216", Reason: "the budget is not between 1024 and the output limit"}
	return r
}

// refused is the request without the thinking that it states.
func (p *Plan) refused(r Request, rule, reason string) Request {
	off := p.denied(Request{MaxTokens: r.MaxTokens, opens: true})
	if off.Effort == "" {
		off.Effort = r.Effort
	}
	off.Edit = hygiene.Edit{Rule: rule, Reason: reason}
	return off
}

// effortOf returns the effort that asks for about as much as a budget in tokens.
func effortOf(budget int) string {
	for _, level := range []payload.Level{payload.ThinkLow, payload.ThinkMedium, payload.ThinkHigh} {
		if e := efforts[level]; budget <= e.budget {
			return e.effort
		}
	}
	return efforts[payload.ThinkMax].effort
}

// budgetOf returns the budget in tokens that asks for about as much as an
// effort. Without one the service takes a high effort.
func budgetOf(effort string) int {
	if e, ok := efforts[payload.LevelOf(effort)]; ok {
		return e.budget
	}
	return efforts[payload.ThinkHigh].budget
}
