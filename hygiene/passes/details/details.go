package details

import (
	_ "embed"

	"hygeia/hygiene"
	"hygeia/transcript"
)

//go:embed doc.go
var doc string

// Pass carries out R-79.
var Pass = &hygiene.Pass{
	Name:  "details",
	Doc:   hygiene.DocText(doc),
	Rules: []hygiene.Rule{{ID: "R-79", Title: "details of tool results do not go out"}},
	After: []string{"pairing", "pairing-again"},
	Run:   run,
}

func run(r *hygiene.Run) {
	for i := range r.Len() {
		m := r.At(i)
		if !m.Is(transcript.ToolResult) {
			continue
		}
		if out := m.Without("details"); out != m {
			r.Hide(i, out, "R-79")
		}
	}
}
