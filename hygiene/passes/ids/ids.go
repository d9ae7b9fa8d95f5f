package ids

import (
	_ "embed"

	"hygeia/hygiene"
	"hygeia/hygiene/passes/internal/callids"
	"hygeia/policy"
)

//go:embed doc.go
var doc string

// Pass carries out R-60…R-67 and W-172.
var Pass = &hygiene.Pass{
	Name: "ids",
	Doc:  hygiene.DocText(doc),
	Rules: []hygiene.Rule{
		{ID: "R-60", Title: "call ids are made of at most 40 letters and digits"},
		{ID: "R-61", Title: "call ids are made of nine letters and digits"},
		{ID: "R-65", Title: "a repeated call id becomes call_ and digits of a hash"},
		{ID: "W-172", Title: "call ids get the form of the wire format and are unique"},
	},
	After: []string{"pairing", "repeats"},
	When:  func(p *policy.Policy) bool { return !p.Responses && formOf(p, false) != nil },
	Run:   run,
}

func run(r *hygiene.Run) {
	n := newNamer(r, callids.Results(r))
	callids.Rewrite(r, n.name)
}
