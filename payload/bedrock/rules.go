package bedrock

import (
	"slices"

	"hygeia/hygiene"
	"hygeia/payload"
	"hygeia/payload/internal/anthropic"
)

// stage is the name under which changes are recorded.
const stage = "bedrock-converse-stream"

// Rules are the rules under which [Build] records changes.
var Rules = slices.Concat(payload.Rules, anthropic.Rules, []hygiene.Rule{
	{ID: "W-207", Title: "parameters of a request that the model refuses are left out", Lossy: true},
	{ID: "W-701", Title: "blank text in the system prompt of a request is left out"},
	{ID: "W-702", Title: "blank text of a user turn is left out"},
	{ID: "W-703", Title: "text behind a call goes in front of it, blank text and empty turns are left out"},
	{ID: "W-704", Title: "thinking that the model cannot read is left out", Lossy: true},
	{ID: "W-706", Title: "an id is made legal and unique", Far: true},
	{ID: "W-707", Title: "tool history goes out as text where no tool is offered", Walk: 1},
	{ID: "W-710", Title: "a trailing assistant turn is left out where the model takes none", Lossy: true},
	{ID: "W-711", Title: "cache points of a request go where the model knows none, or where they are more than four, and get their type"},
	{ID: "W-712", Title: "assistant text stands between tool results and a user turn", Synthetic: true},
})
