// Package casetest runs the txtar cases that stand beside passes. Each case is
// one archive:
//
//	why the case exists and where it comes from, with the rules it proves
//	-- target --   optional: {"provider":"","api":"","model":""}
//	-- policy --   a JSON object of policy fields, merged onto the zero policy
//	-- context --  optional: {"compaction":2,"rejectedThinking":-1,
//	               "positions":[0,1,3],"snapshots":[{"position":0,
//	               "provider":"","api":"","model":""}],"tools":["read"],
//	               "request":false}
//	-- in --       one message per line
//	-- want --     one message per line
//	-- changes --  one line per change: rule op message=N [block=N] [lossy]
//	               [synthetic], then a colon and the reason
//	-- hidden --   optional: rule=N, one per line
//
// For every case the harness asserts the output, the changes, that the input
// was not touched, that a second run changes nothing, that every rule is
// declared by its pass with its kind of loss, and that an unknown member put
// into every message survives. Run the tests with -update to rewrite want,
// changes and hidden.
package casetest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
)

func (c *Case) check(t *testing.T, res *hygiene.Result, passes []*hygiene.Pass) {
	t.Helper()
	if d := cmp.Diff(string(c.section("want")), string(Lines(res.Messages))); d != "" {
		t.Errorf("output (-want +got):\n%s", d)
	}
	if d := cmp.Diff(string(c.section("changes")), string(Changes(&res.Report))); d != "" {
		t.Errorf("changes (-want +got):\n%s", d)
	}
	if d := cmp.Diff(string(c.section("hidden")), string(hidden(&res.Report))); d != "" {
		t.Errorf("hidden (-want +got):\n%s", d)
	}
	if d := cmp.Diff(normal(c.section("in")), string(Lines(c.Context.Messages))); d != "" {
		t.Errorf("input was changed:\n%s", d)
	}
	Declared(t, &res.Report, passes)
	again := *c.Context
	again.Messages = res.Messages
	second := hygiene.Sanitize(&again, c.Target, c.Policy, passes)
	if !second.Report.Empty() || string(Lines(second.Messages)) != string(Lines(res.Messages)) {
		t.Errorf("a second run changes the output (G-2):\n%s", Changes(&second.Report))
	}
	c.unknownMembers(t, res, passes)
}

// unknownMembers runs the case with a member nobody knows in every message and
// block; every message that is left must still have it.
func (c *Case) unknownMembers(t *testing.T, res *hygiene.Result, passes []*hygiene.Pass) {
	t.Helper()
	const name = "hygeiaTestUnknown"
	ctx := *c.Context
	ctx.Messages = nil
	for i, m := range c.Context.Messages {
		if m.IsObject() {
			m = m.With(name, jsonline.Value{Raw: fmt.Appendf(nil, "%d.0", i), Kind: jsonline.Number})
		}
		ctx.Messages = append(ctx.Messages, m)
	}
	got := hygiene.Sanitize(&ctx, c.Target, c.Policy, passes)
	if len(got.Messages) != len(res.Messages) {
		t.Errorf("an unknown member changes the number of messages from %d to %d", len(res.Messages), len(got.Messages))
		return
	}
	for _, m := range got.Messages {
		if m.IsObject() && m.Origin.Index >= 0 && !m.Get(name).Exists() {
			t.Errorf("message %d lost an unknown member (G-7): %s", m.Origin.Index, m.AppendJSON(nil))
		}
	}
}

// Reporter is what a check needs of a test: testing.T and rapid.T have it.
type Reporter interface {
	Helper()
	Errorf(format string, args ...any)
}

// Declared asserts that every change names a rule of its pass and claims no
// loss or invention that the rule does not declare.
func Declared(t Reporter, r *hygiene.Report, passes []*hygiene.Pass) {
	t.Helper()
	rules := map[string]hygiene.Rule{}
	for _, p := range passes {
		for _, rule := range p.Rules {
			rules[p.Name+" "+rule.ID] = rule
		}
	}
	for i := range r.Changes {
		c := &r.Changes[i]
		rule, ok := rules[c.Pass+" "+c.Rule]
		switch {
		case !ok:
			t.Errorf("pass %s does not declare rule %s", c.Pass, c.Rule)
		case c.Lossy && !rule.Lossy:
			t.Errorf("rule %s of pass %s does not declare that it is lossy", c.Rule, c.Pass)
		case c.Synthetic && !rule.Synthetic:
			t.Errorf("rule %s of pass %s does not declare that it is synthetic", c.Rule, c.Pass)
		case c.Reason == "":
			t.Errorf("rule %s of pass %s gives no reason", c.Rule, c.Pass)
		}
	}
}

func normal(text []byte) string {
	var b strings.Builder
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}
