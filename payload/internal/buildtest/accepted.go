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
	c.Messages = adopt(t, c.Messages, res.Target)
	run := hygiene.Sanitize(c, res.Target, res.Policy, passes.Suite)
	in := &payload.Input{Messages: run.Messages, Target: res.Target, Policy: res.Policy, Report: &hygiene.Report{}}
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
	found, err := check.Payload(body, res.Target, check.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, finding := range found {
		t.Errorf("%s at %s: %s", finding.Rule, finding.Path, finding.Message)
	}
	for _, finding := range f.Findings(body, in) {
		t.Error(finding)
	}
	Declared(t, in.Report, f.Rules)
	if t.Failed() {
		t.Logf("input:\n%spassed on:\n%sbody:\n%s", casetest.Lines(c.Messages), casetest.Lines(run.Messages), pretty(body))
	}
}

// adopt lets the target have written some of the assistant turns.
func adopt(t *rapid.T, list []*transcript.Message, target policy.Target) []*transcript.Message {
	adopted := append([]*transcript.Message(nil), list...)
	for i, m := range list {
		if m.Is(transcript.Assistant) && m.Provider() != "" && rapid.Bool().Draw(t, "own turn") {
			adopted[i] = m.With("provider", jsonline.Text(target.Provider)).With("api", jsonline.Text(target.API)).With("model", jsonline.Text(target.Model))
		}
	}
	return adopted
}
