package google

import (
	"slices"

	"hygeia/hygiene"
	"hygeia/payload"
)

// stage is the name under which changes are recorded.
const stage = "google-generative-ai"

// Why rules of this package can change an earlier turn (D-21).
const (
	grows       = "the last turn grows"
	follows     = "a user turn follows"
	switchedOff = "thinking is switched off for a request"
)

// Rules are the rules under which [Build] records changes.
var Rules = slices.Concat(payload.Rules, []hygiene.Rule{
	{ID: "W-006", Title: "a request without a turn gets the shortest one there is", Synthetic: true, Unstable: follows},
	{ID: "W-107", Title: "a tool result without a call is left out", Lossy: true},
	{ID: "W-108", Title: "a call without a result gets a stand-in", Synthetic: true, Unstable: "the real result arrives"},
	{ID: "W-109", Title: "a call without an id of its own or a name is left out", Lossy: true},
	{ID: "W-161", Title: "a turn that lost all its thinking and held nothing else keeps its place", Synthetic: true, Unstable: switchedOff},
	{ID: "W-162", Title: "a user turn that lost all content keeps its place", Synthetic: true},
	{ID: "W-181", Title: "a history that starts with a model turn gets a user turn in front", Synthetic: true},
	{ID: "W-214", Title: "thinking of Claude is left out while it is switched off", Lossy: true, Unstable: switchedOff},
	{ID: "W-219", Title: "thinking of Claude that does not open its turn is left out", Lossy: true},
	{ID: "W-123", Title: "a cache boundary in the system prompt of a request gives way to a line break"},
	{ID: "W-218", Title: "a request loses its thinking where the tool round does not start with it", Lossy: true, Unstable: switchedOff},
	{ID: "W-602", Title: "blank text of a user turn is left out, or becomes one space"},
	{ID: "W-603", Title: "what a model turn cannot hold is left out, neighbours of one role are joined", Lossy: true, Unstable: grows},
	{ID: "W-604", Title: "a function response takes the form that the format demands"},
	{ID: "W-605", Title: "images of tool results follow in a user turn", Synthetic: true, Unstable: grows},
	{ID: "W-606", Title: "ids of calls of a request go out where the target wants them, and only there"},
	{ID: "W-608", Title: "a trailing model turn is followed by a neutral user turn", Synthetic: true, Unstable: follows},
	{ID: "W-611", Title: "a signature that is not the model's own, or no base64, is left out"},
	{ID: "W-612", Title: "the first call of a turn is signed", Synthetic: true},
	{ID: "W-621", Title: "a request asks for thinking in a way that the model knows", Lossy: true},
	{ID: "W-622", Title: "a schema of a request takes the form that the target reads"},
	{ID: "W-623", Title: "cached content excludes the members of a request that it holds", Lossy: true},
	{ID: "W-633", Title: "thinking of Claude without a signature is left out", Lossy: true},
	{ID: "W-634", Title: "text behind a call of Claude goes in front of the calls"},
})
