package acceptance_test

import "testing"

// The input of every case holds at every target what holds for any session.
func TestCasesAtEveryTarget(t *testing.T) {
	general, err := parseMust(always)
	if err != nil {
		t.Fatal(err)
	}
	wild, err := readCase("testdata/wild/every-target.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range readCases(t) {
		if len(c.input) > 1<<20 {
			continue // size is the matter of that case alone
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, target := range wild.targets {
				o, err := c.replay(target)
				if err != nil {
					t.Errorf("%s: %v", target.name(), err)
					continue
				}
				for _, a := range general {
					if err := a.rule.hold(o, a.args); err != nil {
						t.Errorf("%s: %s: %.500v", target.name(), a.line, err)
					}
				}
			}
		})
	}
}
