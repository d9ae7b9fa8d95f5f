package anthropicmessages

import (
	"slices"

	"hygeia/hygiene"
	"hygeia/payload"
	"hygeia/payload/internal/anthropic"
)

// stage is the name under which changes are recorded.
const stage = "anthropic-messages"

// Rules are the rules under which [Build] records changes.
var Rules = slices.Concat(payload.Rules, anthropic.Rules, []hygiene.Rule{
	{ID: "W-201", Title: "blank text in the system prompt of a request is left out"},
	{ID: "W-202", Title: "blank text of a user turn is left out"},
	{ID: "W-203", Title: "text behind a call goes in front of it, blank text and empty turns are left out"},
	{ID: "W-206", Title: "an id is made legal and unique", Far: true},
	{ID: "W-207", Title: "parameters of a request that the model refuses are left out, an output limit is put in", Lossy: true},
	{ID: "W-220", Title: "a trailing assistant turn is left out while thinking is on", Lossy: true},
	{ID: "W-222", Title: "a trailing assistant turn is left out where the model takes none", Lossy: true},
	{ID: "W-230", Title: "cache markers of a request that are too many or stand on thinking go"},
	{ID: "W-231", Title: "a request names its sender and its tools as the configuration says of access by token", Synthetic: true},
	{ID: "W-233", Title: "a request gets the members that its road demands", Lossy: true},
	{ID: "W-252", Title: "a request asks MiniMax M3 for adaptive thinking"},
	{ID: "W-254", Title: "a tool of a request gets a schema"},
})
