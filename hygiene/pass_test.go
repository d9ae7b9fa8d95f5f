package hygiene_test

import (
	"strings"
	"testing"

	"hygeia/hygiene"
	"hygeia/transcript"
)

// A list of passes is refused for each thing that is wrong with one of them, with its
// name; every one of them is told.
func TestValidate(t *testing.T) {
	pass := func(name string, edit func(*hygiene.Pass)) *hygiene.Pass {
		p := &hygiene.Pass{Name: name, Doc: "Does it.", Rules: []hygiene.Rule{{ID: "R-1", Title: "it is done"}}, Run: func(*hygiene.Run) {}}
		if edit != nil {
			edit(p)
		}
		return p
	}
	for _, c := range []struct {
		edit func(*hygiene.Pass) // of the second of two passes
		want string              // in the error, "" for none
	}{
		{nil, ""},
		{func(p *hygiene.Pass) { p.After = []string{"first"} }, ""},
		{func(p *hygiene.Pass) { p.After = []string{"first", "third"} }, `pass "second" must run after "third"`},
		{func(p *hygiene.Pass) { p.After = []string{"second"} }, `pass "second" must run after "second"`},
		{func(p *hygiene.Pass) { p.Name = "first" }, `pass "first" stands in the list twice`},
		{func(p *hygiene.Pass) { p.Name = "" }, `pass "": name`},
		{func(p *hygiene.Pass) { p.Doc = "" }, `pass "second": name, doc`},
		{func(p *hygiene.Pass) { p.Run = nil }, `pass "second": name, doc, rules and run`},
		{func(p *hygiene.Pass) { p.Rules = nil }, `pass "second": name, doc, rules`},
		{func(p *hygiene.Pass) { p.Rules[0].ID = "" }, `pass "second": a rule needs an id`},
		{func(p *hygiene.Pass) { p.Rules[0].Title = "" }, `pass "second": a rule needs an id and a title`},
		{func(p *hygiene.Pass) { p.Name, p.Doc = "first", "" }, "twice"},
		{func(p *hygiene.Pass) { p.Name, p.Doc = "first", "" }, "doc"},
	} {
		switch err := hygiene.Validate([]*hygiene.Pass{pass("first", nil), pass("second", c.edit)}); {
		case (err == nil) != (c.want == ""):
			t.Errorf("got %v, want %q", err, c.want)
		case err != nil && !strings.Contains(err.Error(), c.want):
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}

// G-5: what moves changes the list from where it comes to stand, if that is in front
// of where it stood and a stored message tells it.
func TestFirstChangedOfMoves(t *testing.T) {
	at := func(i int) *transcript.Message {
		return transcript.NewText(transcript.User, "x").WithOrigin(transcript.Origin{Index: i})
	}
	for _, c := range []struct {
		behind any
		want   int
	}{{at(0), 1}, {at(2), 3}, {at(7), 4}, {at(-1), 4}, {"a block", 4}, {nil, 4}} {
		r := hygiene.Report{Changes: []hygiene.Change{{Op: hygiene.Move, Message: 4, Block: -1, After: c.behind}}}
		if got := r.FirstChanged(); got != c.want {
			t.Errorf("behind %v: got %d, want %d", c.behind, got, c.want)
		}
	}
}
