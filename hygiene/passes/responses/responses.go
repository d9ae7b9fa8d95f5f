package responses

import (
	_ "embed"

	"hygeia/hygiene"
	"hygeia/hygiene/passes/internal/callids"
	"hygeia/policy"
	"hygeia/transcript"
)

//go:embed doc.go
var doc string

// Pass carries out R-80…R-82.
var Pass = &hygiene.Pass{
	Name: "responses",
	Doc:  hygiene.DocText(doc),
	Rules: []hygiene.Rule{
		{ID: "R-80", Title: "call and item ids are made legal and unique", Walk: 1},
		{ID: "R-81", Title: "reasoning items that cannot be replayed are left out", Lossy: true},
		{ID: "R-82", Title: "a call in front of every reasoning item of its turn loses its item id", Walk: 1},
	},
	After: []string{"foreign", "pairing"},
	When:  func(p *policy.Policy) bool { return p.Responses },
	Run:   run,
}

func run(r *hygiene.Run) {
	j := judge{target: r.Target, snapshots: r.Context.Snapshots, ids: r.Policy.Wire.StoreItems}
	var covered []int // by message: 1 + the block of its first reasoning item with an id
	for i := range r.Len() {
		m := r.At(i)
		if !m.Is(transcript.Assistant) {
			continue
		}
		if first := j.reasoning(r, i, m); first >= 0 {
			if covered == nil {
				covered = make([]int, r.Len())
			}
			covered[i] = 1 + first
		}
	}
	callids.Rewrite(r, newNamer(covered, callids.Results(r)).name)
}
