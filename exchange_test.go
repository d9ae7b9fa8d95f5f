package hygeia

import (
	"fmt"
	"strings"
	"testing"

	"hygeia/hygiene"
)

// TestChangesHeader holds that the header has rule ids and counts only, the rule
// of the provider's answer in front, at most a kilobyte, and that it tells changes
// that were made from those that were not.
func TestChangesHeader(t *testing.T) {
	x := &exchange{}
	x.Outcome = Changed
	x.Remedy = "AN-20"
	x.Report = &hygiene.Report{Hidden: map[string]int{"R-79": 3}, Changes: []hygiene.Change{{Rule: "R-72", Reason: "secret"}, {Rule: "R-30"}, {Rule: "R-72"}}}
	if got := x.changes(); got != "AN-20=1, R-30=1, R-72=2" {
		t.Error(got)
	}
	x.Outcome, x.Remedy = Unchanged, ""
	if got := x.changes(); got != "R-30=1, R-72=2 (not made)" {
		t.Error(got)
	}
	if got := (&exchange{}).changes(); got != "" {
		t.Error(got)
	}
	x.Outcome, x.Remedy = Changed, "AN-20"
	for i := range 500 {
		x.Report.Changes = append(x.Report.Changes, hygiene.Change{Rule: fmt.Sprintf("W-%d", i)})
	}
	got := x.changes()
	if len(got) > maxChangesHeader || !strings.HasSuffix(got, "=1, ...") || !strings.HasPrefix(got, "AN-20=1, R-30=1, ") {
		t.Errorf("%d bytes: %s", len(got), got)
	}
	x.Outcome = Unchanged
	if got := x.changes(); len(got) > maxChangesHeader || !strings.HasSuffix(got, "=1, ... (not made)") {
		t.Errorf("%d bytes: %s", len(got), got)
	}
}
