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
}

// origin is where a turn comes from.
type origin struct {
	route   policy.Target
	foreign bool // provider, API or model is known and differs from the target's
	bound   bool // one of both models binds thinking to itself (W-116)
}

func (o origin) reason() string {
	return "the turn comes from " + o.route.Provider + "/" + o.route.Model + " on " + o.route.API
}

// origin compares the route of a turn with the target's. Fields that one side
// does not know cannot differ.
func (j *judge) origin(m *transcript.Message) origin {
	o := origin{route: policy.Target{Provider: m.Provider(), API: m.API(), Model: m.Model()}}
	if answered := m.ResponseModel(); answered != "" && answered != o.route.Model {
		real := o.route
		real.Model = answered
		if j.policy.Model.BoundThinking || j.binds(real) {
			o.route, o.bound = real, true
		}
	}
	o.foreign = !policy.SameRoute(j.fill(o.route), j.target)
	if o.foreign && j.asText {
		o.bound = o.bound || j.policy.Model.BoundThinking || j.binds(o.route)
	}
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
