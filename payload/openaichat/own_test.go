package openaichat_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hygeia/hygiene"
	"hygeia/internal/casetest"
	"hygeia/payload"
	"hygeia/payload/openaichat"
	"hygeia/policy"
	"hygeia/transcript"
	wire "hygeia/wire/openaichat"
)

// A body that the converter wrote is read and written again byte for byte, and
// there is nothing to report: its parameters stay (D-38), and the messages are
// what they were (W-124, G-2).
func TestOwnBody(t *testing.T) {
	for _, e := range endpoints {
		t.Run(e.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				list := e.messages(t)
				body, report, err := e.build(list, e.options(t))
				if err != nil || e.policy.Wire.ReasoningReplay == policy.ReasoningRound && carries(list, report) {
					return
				}
				req, err := wire.Decode(body)
				if err != nil {
					t.Fatal(err)
				}
				again := &payload.Input{Messages: req.Messages, Target: e.target, Policy: &e.policy, Request: req, Report: &hygiene.Report{}}
				second, err := openaichat.Build(again)
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(string(body), string(second)); d != "" || !again.Report.Empty() {
					t.Fatalf("%s\n%s\n%s", d, casetest.Changes(again.Report), pretty(body))
				}
			})
		})
	}
}

// What the decoder makes of a body is what the converter made it of: without the
// request it gives the same messages.
func TestInverse(t *testing.T) {
	for _, e := range endpoints {
		t.Run(e.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				list, o := e.messages(t), e.options(t)
				body, report, err := e.build(list, o)
				if err != nil || e.policy.Wire.ReasoningReplay == policy.ReasoningRound && carries(list, report) {
					return
				}
				req, err := wire.Decode(body)
				if err != nil {
					t.Fatal(err)
				}
				second, report, err := e.build(req.Messages, o)
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(stable(body), stable(second)); d != "" {
					t.Fatalf("%s\n%s\n%s", d, casetest.Changes(report), casetest.Lines(req.Messages))
				}
			})
		})
	}
}

// carries reports whether a body ends in what is no user turn but looks like one
// when it is read: it ends the tool round, and its reasoning does not go out
// again (W-422).
func carries(list []*transcript.Message, report *hygiene.Report) bool {
	for _, m := range list {
		if m.Get("runtimeContextCarrier").Bool() {
			return true
		}
	}
	return report.Counts()["W-406"] > 0
}

// W-412: a proxy in front of Anthropic wants the list of tools beside old calls,
// also where a request has none.
func TestEmptyTools(t *testing.T) {
	req, err := wire.Decode([]byte(`{"messages":[{"role":"user","content":"q"},{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"ok"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	p := &policy.Policy{Wire: policy.Wire{EmptyTools: true}}
	in := &payload.Input{Messages: req.Messages, Policy: p, Request: req, Report: &hygiene.Report{}}
	body, err := openaichat.Build(in)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasSuffix(body, []byte(`],"tools":[]}`)) || in.Report.Counts()["W-412"] != 1 {
		t.Errorf("%s\n%s", body, casetest.Changes(in.Report))
	}
}
