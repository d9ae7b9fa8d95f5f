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
	{ID: "W-123", Title: "a cache boundary in the system prompt of a request gives way to a line break"},
	{ID: "W-162", Title: "a user turn that lost all content keeps its place", Synthetic: true},
	{ID: "W-180", Title: "turns that became neighbours are joined", Lossy: true, Unstable: grows},
	{ID: "W-243", Title: "a request loses members of tools that the target does not know"},
	{ID: "W-253", Title: "system messages of a request become one"},
	{ID: "W-254", Title: "a tool gets a schema where the target takes none without"},
	{ID: "W-401", Title: "a system message of a request gets a role that the target knows"},
	{ID: "W-402", Title: "user content takes the form that the target demands", Lossy: true},
	{ID: "W-403", Title: "content of a request that is empty takes the form that the target demands"},
	{ID: "W-404", Title: "an empty list of calls of a request is left out, and arguments go out as JSON text"},
	{ID: "W-405", Title: "an assistant turn without text and calls is left out"},
	{ID: "W-406", Title: "images of tool results follow in a user message", Synthetic: true, Unstable: grows},
	{ID: "W-407", Title: "an assistant turn stands between tool results and a user turn", Synthetic: true},
	{ID: "W-409", Title: "reasoning is held back from a host with a strict schema", Lossy: true},
	{ID: "W-411", Title: "the output limit of a request gets the name that the target knows"},
	{ID: "W-412", Title: "a request without tools has no list of them, unless the target wants one"},
	{ID: "W-413", Title: "a request without tools has no tool choice"},
	{ID: "W-421", Title: "reasoning of earlier turns is held back", Lossy: true, Unstable: roundOver},
	{ID: "W-424", Title: "reasoning of a request goes out under the member that the target wants", Synthetic: true, Unstable: roundOver},
	{ID: "W-426", Title: "thinking goes out as text", Unstable: roundOver},
	{ID: "W-428", Title: "a turn that held only reasoning is left out", Lossy: true, Unstable: roundOver},
	{ID: "W-431", Title: "a call carries its thought signature if that is base64", Synthetic: true},
	{ID: "W-501", Title: "reasoning that the router cannot pass on is held back", Lossy: true},
	{ID: "W-502", Title: "the effort of a request becomes a member of reasoning"},
	{ID: "W-511", Title: "a request loses thought signatures that are no base64 where the model behind a router takes no other"},
	{ID: "W-521", Title: "trailing assistant turns are left out while thinking is on", Lossy: true},
	{ID: "W-523", Title: "reasoning is held back while thinking is switched off", Lossy: true, Unstable: "thinking is switched off for a request"},
	{ID: "W-532", Title: "a request asks for thinking in one way", Lossy: true},
	{ID: "W-533", Title: "a request loses a forced tool choice and sampling parameters that the model does not take", Lossy: true},
	{ID: "W-541", Title: "trailing assistant turns are left out where the chat template thinks", Lossy: true},
	{ID: "W-542", Title: "an effort of a request does not go to a chat template", Lossy: true},
	{ID: "W-807", Title: "trailing assistant turns are left out", Lossy: true},
})
