package check

import (
	"regexp"
	"testing"
)

// TestRulebook holds that every rule is complete and named once.
func TestRulebook(t *testing.T) {
	name := regexp.MustCompile(`^(AN|MM|OR|CX|AZ|CC|OP|LO|GG|CA|BR|MI)-\d\d$`)
	seen := map[string]bool{}
	for _, r := range Rules() {
		if !name.MatchString(r.ID) || seen[r.ID] {
			t.Errorf("rule %q is named badly or twice", r.ID)
		}
		seen[r.ID] = true
		if r.Rule == "" || r.Source == "" || r.Certainty == "" || r.Status < 400 || r.Status > 599 {
			t.Errorf("rule %s is not complete: %+v", r.ID, r)
		}
	}
	if len(seen) < 190 {
		t.Errorf("only %d rules", len(seen))
	}
	if Lookup("AN-03") == nil || Lookup("AN-03").Status != 400 || Lookup("XX-01") != nil {
		t.Error("Lookup does not find what Rules lists")
	}
}
