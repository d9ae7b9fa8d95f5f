package buildtest

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"hygeia/check"
	"hygeia/hygiene"
	"hygeia/hygiene/passes"
	"hygeia/internal/casetest"
	"hygeia/internal/gen"
	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/policy"
	"hygeia/transcript"
)

// Accepted proves G-1: transcripts with every fault that package gen knows go
// through the passes and the converter to each of the targets, and neither the
// rulebook nor the oracle of the format finds anything in the bodies. A target
// without an API gets its default. Tools may be absent.
func Accepted(t *testing.T, f Format, tools string, targets ...policy.Target) {
	t.Helper()
	for _, target := range targets {
		res, err := policy.Resolve(target, policy.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Run(res.Target.Provider+"/"+res.Target.Model, rapid.MakeCheck(func(t *rapid.T) {
			f.accepted(t, res, tools)
		}))
	}
}

func (f Format) accepted(t *rapid.T, res *policy.Resolution, tools string) {
	c := gen.Context(t)
	c.Messages = Adopt(t, c.Messages, res.Target)
	in := &payload.Input{Target: res.Target, Policy: res.Policy, Report: &hygiene.Report{}}
	Sanitize(in, c)
	in.Options.Thinking = rapid.SampledFrom([]payload.Level{"", "", "off", "minimal", "medium", "max"}).Draw(t, "level")
	in.Options.System = rapid.SampledFrom([]string{"", "Be brief."}).Draw(t, "system")
	if rapid.Bool().Draw(t, "with tools") {
		in.Options.Tools = jsonline.Parse([]byte(tools))
	}
	body, err := f.Build(in)
	if errors.Is(err, payload.ErrNothingToSend) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, finding := range append(Refused(t, body, res.Target), f.Findings(body, in)...) {
		t.Error(finding)
	}
	Declared(t, in.Report, f.Rules)
	if t.Failed() {
		t.Logf("input:\n%spassed on:\n%sbody:\n%s", casetest.Lines(c.Messages), casetest.Lines(in.Messages), pretty(body))
	}
}

// Sanitize runs every pass over the messages of a context, for the target and
// the policy of an input, which gets what they leave.
func Sanitize(in *payload.Input, c *transcript.Context) {
	in.Messages = hygiene.Sanitize(c, in.Target, in.Policy, passes.Suite).Messages
}

// Refused returns what the rulebook finds in a body.
func Refused(t interface{ Fatalf(string, ...any) }, body []byte, target policy.Target) []string {
	found, err := check.Payload(body, target, check.Options{})
	if err != nil {
		t.Fatalf("%v", err)
	}
	var list []string
	for _, f := range found {
		list = append(list, f.Rule+" at "+f.Path+": "+f.Message)
	}
	return list
}

// Adopt lets the target have written some of the assistant turns.
func Adopt(t *rapid.T, list []*transcript.Message, target policy.Target) []*transcript.Message {
	adopted := append([]*transcript.Message(nil), list...)
	for i, m := range list {
		if m.Is(transcript.Assistant) && m.Provider() != "" && rapid.Bool().Draw(t, "own turn") {
			adopted[i] = m.With("provider", jsonline.Text(target.Provider)).With("api", jsonline.Text(target.API)).With("model", jsonline.Text(target.Model))
		}
	}
	return adopted
}
