package foreign

import (
	"hygeia/policy"
	"hygeia/transcript"
)

// judge holds what the decisions about one target need.
type judge struct {
	target  policy.Target
	policy  *policy.Policy
	opaque  bool                   // signatures of the target are opaque (W-115)
	asText  bool                   // W-113 instead of R-124
	strip   []string               // signatures that W-114 removes
	binding map[policy.Target]bool // answers of binds
	last    origin                 // the last answer of plain
	asked   bool
}

// origin is where a turn comes from.
type origin struct {
	route   policy.Target
	foreign bool // provider, API or model is known and differs from the target's
	bound   bool // one of both models binds thinking to itself (W-116)
	reason  string
}

// origin compares the route of a turn with the target's. Fields that one side
// does not know cannot differ.
func (j *judge) origin(m *transcript.Message) origin {
	o := j.plain(policy.Target{Provider: m.Provider(), API: m.API(), Model: m.Model()})
	if answered := m.ResponseModel(); answered != "" && answered != o.route.Model {
		real := o.route
		real.Model = answered
		if j.policy.Model.BoundThinking || j.binds(real) {
			o = j.plain(real)
			o.bound = true
		}
	}
	return o
}

// plain is origin for the route alone. The turns of a session mostly come from
// one, so the last answer is kept.
func (j *judge) plain(route policy.Target) origin {
	if j.asked && route == j.last.route {
		return j.last
	}
	o := origin{
		route: route, foreign: !policy.SameRoute(j.fill(route), j.target),
		reason: "the turn comes from " + route.Provider + "/" + route.Model + " on " + route.API,
	}
	if o.foreign && j.asText {
		o.bound = j.policy.Model.BoundThinking || j.binds(route)
	}
	j.last, j.asked = o, true
	return o
}

// fill takes from the target what the route of a turn does not say or the
// target does not know.
func (j *judge) fill(route policy.Target) policy.Target {
	if route.Provider == "" || j.target.Provider == "" {
		route.Provider = j.target.Provider
	}
	if route.API == "" || j.target.API == "" {
		route.API = j.target.API
	}
	if route.Model == "" || j.target.Model == "" {
		route.Model = j.target.Model
	}
	return route
}

// binds reports whether the model of a stored route binds thinking to itself.
func (j *judge) binds(route policy.Target) bool {
	bound, ok := j.binding[route]
	if !ok {
		if j.binding == nil {
			j.binding = map[policy.Target]bool{}
		}
		// Profiles that contradict each other say nothing about the model.
		if res, err := policy.Resolve(route, policy.Options{}); err == nil {
			bound = res.Policy.Model.BoundThinking
		}
		j.binding[route] = bound
	}
	return bound
}
