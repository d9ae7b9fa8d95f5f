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
	{ID: "W-123", Title: "a cache boundary in the system prompt becomes a newline"},
	{ID: "W-162", Title: "a user turn that lost all content keeps its place", Synthetic: true},
	{ID: "W-180", Title: "user turns that became neighbours are joined", Unstable: grows},
	{ID: "W-302", Title: "blank text, empty user turns and images that are none do not go out", Lossy: true, Synthetic: true},
	{ID: "W-303", Title: "blank text and assistant turns without content are left out"},
	{ID: "W-305", Title: "arguments of a call go out as JSON text"},
	{ID: "W-306", Title: "an output without content says so", Synthetic: true},
	{ID: "W-310", Title: "no item carries an id where the service stores none"},
	{ID: "W-311", Title: "an item carries an id only beside that of the reasoning in front of it"},
	{ID: "W-320", Title: "a reasoning item goes out complete, and only to a model that reasons", Lossy: true},
	{ID: "W-321", Title: "a reasoning item that leads to nothing is left out", Lossy: true},
	{ID: "W-323", Title: "a reasoning item that nobody could read is left out", Lossy: true},
	{ID: "W-324", Title: "a reasoning item with an id of another form is left out", Lossy: true},
	{ID: "W-326", Title: "thinking that is no reasoning item of this format is left out", Lossy: true},
	{ID: "W-330", Title: "a request asks for encrypted reasoning only of a model that reasons"},
	{ID: "W-331", Title: "a request asks for an effort that the model knows", Lossy: true},
	{ID: "W-332", Title: "wishes about the prompt cache go out where the endpoint takes them"},
	{ID: "W-333", Title: "an endpoint of others gets no status and no effort \"none\"", Lossy: true},
	{ID: "W-334", Title: "a choice of tools goes out only beside tools"},
	{ID: "W-342", Title: "the back end of ChatGPT gets the system prompt as instructions"},
	{ID: "W-343", Title: "the back end of ChatGPT gets items without ids"},
	{ID: "W-344", Title: "the back end of ChatGPT stores nothing, streams, and takes a list of items"},
	{ID: "W-345", Title: "the back end of ChatGPT gets no parameter that it refuses", Lossy: true},
	{ID: "W-347", Title: "a request without a turn gets the shortest one there is", Synthetic: true, Unstable: "there is a turn"},
})
