package payload

import (
	"strconv"

	"hygeia/hygiene"
	"hygeia/policy"
	"hygeia/transcript"
)

// OwnTurn reports whether the target wrote an assistant turn, so that signatures
// in it can be the target's (W-111). A turn that does not say who wrote it is
// judged by its signatures alone (D-10).
func (in *Input) OwnTurn(m *transcript.Message) bool {
	route := policy.Target{Provider: m.Provider(), API: m.API(), Model: m.Model()}
	return route == policy.Target{} || policy.SameRoute(route, in.Target)
}

// Pair returns, for each call id of a turn, the result among those that follow
// the turn, nil where there is none (W-107). The ids of a turn are unique.
// Results that no call claims are recorded as left out. The run itself is
// returned if it is in order, as the passes leave it.
func (l Log) Pair(ids []string, run []*transcript.Message) []*transcript.Message {
	if inOrder(ids, run) {
		return run
	}
	at := make(map[string]int, len(ids))
	for i, id := range ids {
		at[id] = i
	}
	paired := make([]*transcript.Message, len(ids))
	for _, m := range run {
		if i, ok := at[m.ToolCallID()]; ok && paired[i] == nil {
			paired[i] = m
			continue
		}
		l.Orphan(m)
	}
	return paired
}

func inOrder(ids []string, run []*transcript.Message) bool {
	if len(ids) != len(run) {
		return false
	}
	for i, id := range ids {
		if id != run[i].ToolCallID() {
			return false
		}
	}
	return true
}

// Orphan records a tool result that answers no call in front of it and is left
// out (W-107). The format declares the rule.
func (l Log) Orphan(m *transcript.Message) {
	l.Add(hygiene.Drop, m, nil, nil, hygiene.Edit{
		Rule: "W-107", Reason: "result " + strconv.Quote(m.ToolCallID()) + " answers no call in front of it", Lossy: true,
	})
}
