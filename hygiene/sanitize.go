package hygiene

import (
	"hygeia/policy"
	"hygeia/transcript"
)

// Result is what a run of the passes gives.
type Result struct {
	Messages []*transcript.Message
	Report   Report
}

// Sanitize runs the passes over the messages of a context for one target. The
// context and its messages are not changed.
func Sanitize(c *transcript.Context, t policy.Target, p *policy.Policy, passes []*Pass) *Result {
	res := &Result{Report: Report{Target: t}}
	r := &Run{Target: t, Policy: p, Context: c, list: c.Messages, report: &res.Report}
	for _, pass := range passes {
		if pass.When != nil && !pass.When(p) {
			continue
		}
		r.pass = pass.Name
		pass.Run(r)
		r.settle()
	}
	res.Messages, res.Report.Changes = r.list, r.changes()
	return res
}
