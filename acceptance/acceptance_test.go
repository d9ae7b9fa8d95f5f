package acceptance_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestCases holds the project to every case below testdata.
func TestCases(t *testing.T) {
	general, err := parseMust(always)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range readCases(t) {
		for _, target := range c.targets {
			t.Run(c.name+" "+target.name(), func(t *testing.T) {
				t.Parallel()
				must, err := c.must(target)
				if err != nil {
					t.Fatal(err)
				}
				o, err := c.replay(target)
				if err != nil {
					t.Fatal(err)
				}
				for _, a := range append(general[:len(general):len(general)], must...) {
					if err := a.rule.hold(o, a.args); err != nil {
						t.Errorf("%s\n\t%v", a.line, err)
					}
				}
				if t.Failed() {
					t.Log(o.told())
				}
			})
		}
	}
}

// told shows what became of the input, for the log of a case that fails.
func (o *outcome) told() string {
	var b strings.Builder
	for i := range o.report.Changes {
		c := &o.report.Changes[i]
		fmt.Fprintf(&b, "%s %s of message %d: %s\n", c.Rule, c.Op, c.Message, c.Reason)
	}
	for _, note := range o.report.Notes {
		fmt.Fprintf(&b, "note: %s\n", note)
	}
	for _, v := range o.views() {
		fmt.Fprintf(&b, "%s:\n", v.name)
		for _, t := range v.turns {
			fmt.Fprintf(&b, "  %.400s\n", t.raw)
		}
	}
	return b.String()
}
