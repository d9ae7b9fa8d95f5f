package duplicates

import (
	_ "embed"

	"hygeia/hygiene"
	"hygeia/hygiene/passes/internal/neighbours"
	"hygeia/transcript"
)

//go:embed doc.go
var doc string

// Pass carries out R-120…R-122.
var Pass = &hygiene.Pass{
	Name: "duplicates",
	Doc:  hygiene.DocText(doc),
	Rules: []hygiene.Rule{
		{ID: "R-120", Title: "a response that was stored before is left out", Lossy: true},
		neighbours.R121,
		{ID: "R-122", Title: "identical calls in neighbouring assistant turns go out once", Lossy: true},
	},
	After: []string{"shapes", "calls", "failed"},
	Run:   run,
}

// run looks at each turn once, with all that stands in front of it as it goes
// out: so nothing that a rule does here lets another one find more in a second
// run (G-2).
func run(r *hygiene.Run) {
	row, said := row{run: r, last: -1}, responses{run: r}
	neighbours.Walk(r, func(prev, i int) int {
		if !r.At(i).Is(transcript.Assistant) {
			return i
		}
		if said.drop(i) {
			return prev
		}
		whole := r.At(i)
		if prev >= 0 && row.dropSameCalls(prev, i) {
			return prev
		}
		if rest := r.At(i); rest != whole {
			if said.drop(i) {
				return prev
			}
			said.add(i, rest)
		}
		said.add(i, whole)
		if prev < 0 {
			return i
		}
		row.add(i)
		row.last = i
		if !r.Context.Request {
			row.last = neighbours.DropSameText(r, &row.said, prev, i)
		}
		return row.last
	})
}
