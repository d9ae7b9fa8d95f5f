package passes

import (
	"strings"
	"testing"

	"hygeia/hygiene"
	"hygeia/internal/casetest"
	"hygeia/policy"
	"hygeia/transcript"
)

// TestSuite holds that the list is whole: every pass documented, every rule
// titled, every prerequisite earlier in the list.
func TestSuite(t *testing.T) {
	if err := hygiene.Validate(Suite); err != nil {
		t.Error(err)
	}
}

// TestWith: one pass is another one, the list itself stays as it was.
func TestWith(t *testing.T) {
	other := &hygiene.Pass{Name: "images"}
	suite := With(other)
	for i, p := range Suite {
		if (p.Name == "images") != (suite[i] == other) || p.Name != suite[i].Name || p == other {
			t.Errorf("pass %d is %s", i, suite[i].Name)
		}
	}
}

// TestStandInGivesWay holds R-B21: what marks a stored stand-in is read before it
// is taken off, so the real result that came later takes its place, whatever the
// stand-in says.
func TestStandInGivesWay(t *testing.T) {
	const call = `{"role":"assistant","content":[{"type":"toolCall","id":"call_1","name":"f","arguments":{}}],"stopReason":"toolUse"}`
	const standIn = `{"role":"toolResult","toolCallId":"call_1","toolName":"f","content":[{"type":"text","text":"gone"}],"isError":true,"details":{"openclawSyntheticMissingToolResult":true}}`
	const ask = `{"role":"user","content":"still there?"}`
	const result = `{"role":"toolResult","toolCallId":"call_1","toolName":"f","content":[{"type":"text","text":"42"}],"isError":false}`
	res, err := policy.Resolve(policy.Target{Provider: "openai", Model: "gpt-5.1"}, policy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for in, want := range map[string]string{
		call + "\n" + standIn + "\n" + ask + "\n" + result: call + "\n" + result + "\n" + ask + "\n",
		call + "\n" + standIn + "\n" + ask:                 call + "\n" + strings.Replace(standIn, `,"details":{"openclawSyntheticMissingToolResult":true}`, "", 1) + "\n" + ask + "\n",
	} {
		run := hygiene.Sanitize(transcript.NewContext(casetest.Messages(t, []byte(in))), res.Target, res.Policy, Suite)
		if got := string(casetest.Lines(run.Messages)); got != want {
			t.Errorf("got\n%swant\n%s%s", got, want, casetest.Changes(&run.Report))
		}
	}
}
