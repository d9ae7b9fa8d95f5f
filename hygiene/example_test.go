package hygiene_test

import (
	"fmt"
	"log"

	"hygeia/hygiene"
	"hygeia/policy"
	"hygeia/transcript"
)

// A pass is a value that edits by the operations of a run; each of them is a change
// in the report. The messages that went in stay as they are.
func ExampleSanitize() {
	pass := &hygiene.Pass{
		Name:  "silence",
		Doc:   "Leaves turns out that say nothing.",
		Rules: []hygiene.Rule{{ID: "SILENT", Title: "a turn without words is left out", Lossy: true}},
		Run: func(r *hygiene.Run) {
			for i := range r.Len() {
				if r.At(i).Text().Blank() {
					r.Drop(i, hygiene.Edit{Rule: "SILENT", Reason: "the turn is blank", Lossy: true})
				}
			}
		},
	}
	if err := hygiene.Validate([]*hygiene.Pass{pass}); err != nil {
		log.Fatal(err)
	}
	c := transcript.NewContext([]*transcript.Message{
		transcript.NewText(transcript.User, "hello"), transcript.NewText(transcript.User, " "),
	})
	res := hygiene.Sanitize(c, policy.Target{}, &policy.Policy{}, []*hygiene.Pass{pass})
	fmt.Println(len(c.Messages), len(res.Messages))
	for _, change := range res.Report.Changes {
		fmt.Println(change.Rule, change.Op, change.Reason)
	}
	// Output:
	// 2 1
	// SILENT drop the turn is blank
}
