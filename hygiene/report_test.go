package hygiene_test

import (
	"maps"
	"testing"

	"hygeia/hygiene"
	"hygeia/internal/casetest"
	"hygeia/policy"
	"hygeia/transcript"
)

// TestReport holds R-B22: a run returns, besides the messages, how often each rule
// was at work, hidden changes included (D-28), and the first message that it
// touched. Hidden changes alone leave a report empty.
func TestReport(t *testing.T) {
	messages := func() *transcript.Context {
		return transcript.NewContext(casetest.Messages(t, []byte(`{"role":"user","content":"0"}
{"role":"user","content":"1"}
{"role":"user","content":"2"}
{"role":"user","content":"3"}
{"role":"user","content":"4"}`)))
	}
	other := casetest.Messages(t, []byte(`{"role":"user","content":"other"}`))[0]
	edit := func(rule string) hygiene.Edit { return hygiene.Edit{Rule: rule, Reason: "a test"} }
	for name, test := range map[string]struct {
		run    func(r *hygiene.Run)
		counts map[string]int
		first  int
		left   string
	}{
		"nothing": {func(r *hygiene.Run) {}, map[string]int{}, -1, "01234"},
		"hidden":  {func(r *hygiene.Run) { r.Hide(1, r.At(1), "R-79"); r.Hide(2, r.At(2), "R-79") }, map[string]int{"R-79": 2}, -1, "01234"},
		"drop":    {func(r *hygiene.Run) { r.Drop(3, edit("R-1")); r.Drop(2, edit("R-1")) }, map[string]int{"R-1": 2}, 2, "014"},
		"replace": {func(r *hygiene.Run) { r.Replace(4, other, edit("R-2")) }, map[string]int{"R-2": 1}, 4, "0123o"},
		"insert":  {func(r *hygiene.Run) { r.InsertBehind(1, other, edit("R-3")); r.Hide(0, r.At(0), "R-79") }, map[string]int{"R-3": 1, "R-79": 1}, 2, "01o234"},
		"front":   {func(r *hygiene.Run) { r.InsertBehind(-1, other, edit("R-3")) }, map[string]int{"R-3": 1}, 0, "o01234"},
		"move":    {func(r *hygiene.Run) { r.MoveBehind(4, 1, edit("R-4")); r.Drop(3, edit("R-1")) }, map[string]int{"R-4": 1, "R-1": 1}, 2, "0142"},
		"merge":   {func(r *hygiene.Run) { r.MergeInto(1, 2, r.At(1), edit("R-5")) }, map[string]int{"R-5": 1}, 2, "0134"},
	} {
		pass := &hygiene.Pass{Name: "test", Run: test.run}
		res := hygiene.Sanitize(messages(), policy.Target{}, &policy.Policy{}, []*hygiene.Pass{pass})
		left := ""
		for _, m := range res.Messages {
			left += m.Text().String()[:1]
		}
		if got := res.Report.Counts(); !maps.Equal(got, test.counts) || res.Report.FirstChanged() != test.first || left != test.left {
			t.Errorf("%s: counts %v, first %d, left %s", name, got, res.Report.FirstChanged(), left)
		}
		if res.Report.Empty() != (test.first < 0) {
			t.Errorf("%s: empty is %v", name, res.Report.Empty())
		}
	}
}
