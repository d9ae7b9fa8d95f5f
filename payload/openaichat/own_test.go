package openaichat_test

import (
	"bytes"
	"testing"

	"hygeia/hygiene"
	"hygeia/internal/casetest"
	"hygeia/payload"
	"hygeia/payload/openaichat"
	"hygeia/policy"
	wire "hygeia/wire/openaichat"
)

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
