package runner

import (
	"path"
	"strings"
)

// Visibility says which sessions of its own agent a session may send to (S-32).
type Visibility string

// The visibilities; the zero value is VisibleTree.
const (
	VisibleSelf  Visibility = "self"
	VisibleTree  Visibility = "tree"  // itself and those that it started, and those that they started
	VisibleAgent Visibility = "agent" // all of its agent
	VisibleAll   Visibility = "all"
)

// Access says who may send to whom (S-32). The zero value lets a session reach the
// sessions that it started.
type Access struct {
	// Visibility is which sessions of its own agent a session reaches.
	Visibility Visibility
	// AgentToAgent lets sessions of different agents reach each other, if Allow
	// matches both agents: names with * for anything, none for all of them.
	AgentToAgent bool
	Allow        []string
}

// permits says why from may not send to to, "" if it may. parent looks up the key
// of the session that started another.
func (a Access) permits(from, to Peer, parent func(key string) string) string {
	if from.Agent != to.Agent {
		switch {
		case !a.AgentToAgent:
			return "sending to another agent is switched off"
		case !a.matches(from.Agent) || !a.matches(to.Agent):
			return "the two agents may not send to each other"
		}
		return ""
	}
	v := a.Visibility
	if v == "" || from.Sandboxed && v != VisibleSelf {
		v = VisibleTree
	}
	switch {
	case from.Key == to.Key, v == VisibleAgent, v == VisibleAll:
		return ""
	case v == VisibleTree && descends(to.Key, from.Key, parent):
		return ""
	}
	return "the session is not among those that this one may reach (" + string(v) + ")"
}

func (a Access) matches(agent string) bool {
	for _, pattern := range a.Allow {
		if ok, err := path.Match(strings.ToLower(pattern), agent); err == nil && ok {
			return true
		}
	}
	return len(a.Allow) == 0
}

// descends reports whether the session key was started by ancestor, at first or at
// second hand.
func descends(key, ancestor string, parent func(string) string) bool {
	const deepest = 64 // a row may name itself
	for range deepest {
		if key = parent(key); key == "" {
			return false
		}
		if key == ancestor {
			return true
		}
	}
	return false
}
