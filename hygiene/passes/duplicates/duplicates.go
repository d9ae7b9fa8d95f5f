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

func run(r *hygiene.Run) {
	repeatedResponses(r)
	row := row{run: r, last: -1}
	neighbours.Walk(r, func(prev, i int) int {
		if !r.At(i).Is(transcript.Assistant) {
			return i
		}
		stays := row.dropSameCalls(prev, i)
		if stays == i {
			stays = neighbours.DropSameText(r, prev, i)
		}
		row.last = stays
		return stays
	})
}
