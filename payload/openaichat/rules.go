package openaichat

import (
	"slices"

	"hygeia/hygiene"
	"hygeia/payload"
)

// stage is the name under which changes are recorded.
const stage = "openai-completions"

// Why rules of this package can change an earlier turn (D-21).
const (
	grows     = "the last turn grows"
	roundOver = "the tool round is over"
)

// Rules are the rules under which [Build] records changes.
var Rules = slices.Concat(payload.Rules, []hygiene.Rule{
	{ID: "W-107", Title: "a tool result without a call does not go out", Lossy: true},
	{ID: "W-108", Title: "a call without a result gets a stand-in", Synthetic: true, Unstable: "the real result arrives"},
	{ID: "W-109", Title: "a call without an id of its own does not go out", Lossy: true},
	{ID: "W-162", Title: "a user turn that lost all content keeps its place", Synthetic: true},
	{ID: "W-180", Title: "turns that became neighbours are joined", Lossy: true, Unstable: grows},
	{ID: "W-402", Title: "user content takes the form that the target demands", Lossy: true},
	{ID: "W-405", Title: "an assistant turn without text and calls is left out"},
	{ID: "W-406", Title: "images of tool results follow in a user message", Synthetic: true, Unstable: grows},
	{ID: "W-407", Title: "an assistant turn stands between tool results and a user turn", Synthetic: true},
	{ID: "W-409", Title: "reasoning is held back from a host with a strict schema", Lossy: true},
	{ID: "W-421", Title: "reasoning of earlier turns is held back", Lossy: true, Unstable: roundOver},
	{ID: "W-426", Title: "thinking goes out as text", Unstable: roundOver},
	{ID: "W-428", Title: "a turn that held only reasoning is left out", Unstable: roundOver},
	{ID: "W-431", Title: "a call carries its thought signature if that is base64", Synthetic: true},
	{ID: "W-501", Title: "reasoning that the router cannot pass on is held back", Lossy: true},
	{ID: "W-521", Title: "trailing assistant turns are left out while thinking is on", Lossy: true},
	{ID: "W-523", Title: "reasoning is held back while thinking is switched off", Lossy: true, Unstable: "thinking is switched off for a request"},
	{ID: "W-541", Title: "trailing assistant turns are left out where the chat template thinks", Lossy: true},
	{ID: "W-807", Title: "trailing assistant turns are left out", Lossy: true},
})
