package pairing

import (
	"errors"
	"testing"

	"hygeia/internal/casetest"
)

// reason, call and place of each kind of violation.
func TestCheck(t *testing.T) {
	const turn = `{"role":"assistant","content":[{"type":"toolCall","id":"a","name":"f","arguments":{}},{"type":"toolCall","id":"b","name":"f","arguments":{}}]}` + "\n"
	const a, b = `{"role":"toolResult","toolCallId":"a","content":"1"}` + "\n", `{"role":"toolResult","toolCallId":"b","content":"2"}` + "\n"
	const user = `{"role":"user","content":"u"}` + "\n"
	for _, c := range []struct {
		list    string
		reason  Fault
		call    string
		message int
	}{
		{user + turn + a + b + user, "", "", 0},
		{turn + b + a, "", "", 0},
		{user + a, OrphanedResult, "a", 1},
		{turn + a + b + a, OrphanedResult, "a", 3},
		{turn + a + a, OrphanedResult, "a", 2},
		{turn + a + user + b, DanglingCall, "b", 0},
		{turn + b, DanglingCall, "a", 0},
		{user + turn, DanglingCall, "a", 1},
	} {
		err := Check(casetest.Messages(t, []byte(c.list)))
		if c.reason == "" {
			if err != nil {
				t.Errorf("%s%v", c.list, err)
			}
			continue
		}
		var v *Violation
		if !errors.As(err, &v) || v.Reason != c.reason || v.CallID != c.call || v.Message != c.message {
			t.Errorf("%sgot %v, want %s of %q at %d", c.list, err, c.reason, c.call, c.message)
		}
	}
}

// R-B07: the error names the place, and the entry where there is one.
func TestViolation(t *testing.T) {
	v := &Violation{Reason: DanglingCall, CallID: "a", Message: 3}
	if got, want := v.Error(), `invalid_replay_transcript: dangling_tool_call: call "a" at message 3`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	v.Entry = "e1"
	if got, want := v.Error(), `invalid_replay_transcript: dangling_tool_call: call "a" at message 3 (entry e1)`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
