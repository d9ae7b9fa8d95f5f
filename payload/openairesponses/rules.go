package openairesponses

import (
	"slices"

	"hygeia/hygiene"
	"hygeia/payload"
)

// stage is the name under which changes are recorded, for all three APIs.
const stage = "openai-responses"

// grows says why rules of this package can change an earlier turn (D-21).
const grows = "the last turn grows"

// Rules are the rules under which [Build] records changes.
var Rules = slices.Concat(payload.Rules, []hygiene.Rule{
	{ID: "W-162", Title: "a user turn that lost all content keeps its place", Synthetic: true},
	{ID: "W-180", Title: "user turns that became neighbours are joined", Unstable: grows},
	{ID: "W-302", Title: "blank text, empty user turns and images that are none do not go out", Lossy: true, Synthetic: true},
	{ID: "W-303", Title: "blank text and assistant turns without content are left out"},
	{ID: "W-320", Title: "a reasoning item goes out only to a model that reasons", Lossy: true},
	{ID: "W-321", Title: "a reasoning item that leads to nothing is left out", Lossy: true},
	{ID: "W-323", Title: "a reasoning item that nobody could read is left out", Lossy: true},
	{ID: "W-324", Title: "a reasoning item with an id of another form is left out", Lossy: true},
	{ID: "W-326", Title: "thinking that is no reasoning item of this format is left out", Lossy: true},
	{ID: "W-347", Title: "a request without a turn gets the shortest one there is", Synthetic: true, Unstable: "there is a turn"},
})
