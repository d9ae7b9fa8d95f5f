package payload_test

import (
	"testing"

	"hygeia/hygiene"
	"hygeia/payload"
	"hygeia/payload/internal/buildtest"
	"hygeia/policy"
)

// W-107: each call gets the first result with its id, whatever the order; what
// nobody claims is recorded.
func TestPair(t *testing.T) {
	run := buildtest.Messages(t, `[
		{"role":"toolResult","toolCallId":"b","content":"1"},{"role":"toolResult","toolCallId":"x","content":"2"},
		{"role":"toolResult","toolCallId":"b","content":"3"},{"role":"toolResult","toolCallId":"a","content":"4"}]`)
	log := payload.Log{Stage: "test", Report: &hygiene.Report{}}
	got := log.Pair([]string{"a", "b", "c"}, run)
	if got[0] != run[3] || got[1] != run[0] || got[2] != nil || len(got) != 3 {
		t.Errorf("got %v", got)
	}
	if n := log.Report.Counts()["W-107"]; n != 2 || len(log.Report.Changes) != 2 {
		t.Errorf("%d orphans", n)
	}
	if got := log.Pair([]string{"b", "x"}, run[:2]); &got[0] != &run[0] || len(log.Report.Changes) != 2 {
		t.Error("a run in order is not returned as it is")
	}
}

// W-111, D-10: the target's own turns, aliases folded; a turn without a route
// may be its own.
func TestOwnTurn(t *testing.T) {
	in := &payload.Input{Target: policy.Target{Provider: "google-vertex", API: "google-vertex", Model: "gemini-3-pro"}}
	for i, want := range []bool{true, true, false, false} {
		list := buildtest.Messages(t, `[{"role":"assistant","provider":"vertex","api":"google-vertex","model":"gemini-3-pro"},
			{"role":"assistant"},{"role":"assistant","provider":"google","api":"google-vertex","model":"gemini-3-pro"},
			{"role":"assistant","provider":"vertex","api":"google-vertex","model":"gemini-3-flash"}]`)
		if got := in.OwnTurn(list[i]); got != want {
			t.Errorf("%s: got %v", list[i].AppendJSON(nil), got)
		}
	}
}
