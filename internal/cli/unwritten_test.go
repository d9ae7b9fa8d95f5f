package cli

import (
	"bytes"
	"testing"

	"hygeia"
	"hygeia/session"
)

// TestUnwritten holds that a repair that did not come to the disk is told, whatever
// report was asked for (F-B17).
func TestUnwritten(t *testing.T) {
	for _, test := range []struct {
		report *session.RepairReport
		want   string
	}{
		{nil, ""},
		{&session.RepairReport{Repaired: true}, ""},
		{&session.RepairReport{InMemoryOnly: true, Reason: "read-only"}, "hygeia: a.jsonl was repaired in memory only: read-only\n"},
	} {
		var out bytes.Buffer
		(&app{stderr: &out}).unwritten(&hygeia.Transcript{Name: "a.jsonl", Repair: test.report})
		if out.String() != test.want {
			t.Errorf("%q, want %q", out.String(), test.want)
		}
	}
}
