package mistral

import (
	"slices"

	"hygeia/hygiene"
	"hygeia/payload"
)

// stage is the name under which changes are recorded.
const stage = "mistral-conversations"

// Rules are the rules under which [Build] records changes.
var Rules = slices.Concat(payload.Rules, []hygiene.Rule{
	{ID: "W-107", Title: "a tool result without a call does not go out", Lossy: true},
	{ID: "W-108", Title: "a call without a result gets a stand-in", Synthetic: true, Unstable: "the real result arrives"},
	{ID: "W-109", Title: "a call without an id of its own does not go out", Lossy: true},
	{ID: "W-123", Title: "a cache boundary in the system prompt of a request gives way to a line break"},
	{ID: "W-162", Title: "a user turn that lost all content keeps its place", Synthetic: true},
	{ID: "W-180", Title: "turns that became neighbours are joined", Lossy: true, Unstable: "the last turn grows"},
	{ID: "W-404", Title: "an empty list of calls of a request is left out"},
	{ID: "W-409", Title: "reasoning that another host wrote is held back from a strict schema", Lossy: true},
	{ID: "W-412", Title: "a request without tools has no list of them"},
	{ID: "W-413", Title: "a request without tools has no tool choice"},
	{ID: "W-801", Title: "blank content of a user turn is left out"},
	{ID: "W-802", Title: "blank content, empty assistant turns and thinking that the model cannot read are left out", Lossy: true},
	{ID: "W-805", Title: "an assistant turn stands between tool results and a user turn", Synthetic: true},
	{ID: "W-807", Title: "trailing assistant turns are left out", Lossy: true},
})
