package buildtest

import (
	"pgregory.net/rapid"

	"hygeia/check"
	"hygeia/hygiene"
	"hygeia/hygiene/passes"
	"hygeia/internal/gen"
	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/policy"
	"hygeia/transcript"
)

// accepted proves G-1: a transcript with every fault that package gen knows goes
// through the passes and the converter, and neither the rulebook nor the oracle
// of the format finds anything in the body.
func (f *Format) accepted(t *rapid.T, e Endpoint) {
	in := f.options(t, e)
	c := gen.Context(t)
	c.Messages = adopt(t, c.Messages, in.Target)
	Sanitize(in, c)
	f.build(t, in, func(body []byte, in *payload.Input) []string {
		return append(Refused(t, body, in.Target), f.Findings(body, in)...)
	}, f.nothingToSend)
}

// Sanitize runs every pass over the messages of a context, for the target and
// the policy of an input, which gets what they leave.
func Sanitize(in *payload.Input, c *transcript.Context) {
	in.Messages = hygiene.Sanitize(c, in.Target, in.Policy, passes.Suite).Messages
}

// Refused returns what the rulebook finds in a body, but for some rules.
func Refused(t fataler, body []byte, target policy.Target, but ...string) []string {
	off := map[string]bool{}
	for _, rule := range but {
		off[rule] = false
	}
	found, err := check.Payload(body, target, check.Options{Rules: off})
	if err != nil {
		t.Fatalf("%v", err)
	}
	var list []string
	for _, f := range found {
		list = append(list, f.Rule+" at "+f.Path+": "+f.Message)
	}
	return list
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
