package anthropic

import "hygeia/hygiene"

// Why rules can change an earlier turn (D-21).
const (
	grows       = "the last turn grows"
	switchedOff = "thinking is switched off for a request"
)

// Rules are the rules that both formats carry out alike.
var Rules = []hygiene.Rule{
	{ID: "W-006", Title: "a request without a turn gets the shortest one there is", Synthetic: true, Unstable: "the first real turn takes its place"},
	{ID: "W-107", Title: "a tool result without a call is left out", Lossy: true},
	{ID: "W-108", Title: "a call without a result gets a stand-in", Synthetic: true, Unstable: "the real result arrives"},
	{ID: "W-109", Title: "a call without an id or a name is left out", Lossy: true},
	{ID: "W-115", Title: "thinking with a signature of another format is left out", Lossy: true},
	{ID: "W-123", Title: "a cache boundary in the system prompt of a request gives way to a line break"},
	{ID: "W-161", Title: "a turn that lost all its thinking and held nothing else keeps its place", Synthetic: true, Unstable: switchedOff},
	{ID: "W-162", Title: "a user turn without content keeps its place", Synthetic: true, Unstable: grows},
	{ID: "W-180", Title: "turns that became neighbours are joined", Unstable: grows},
	{ID: "W-181", Title: "a history that starts with an assistant turn gets a user turn in front", Synthetic: true},
	{ID: "W-205", Title: "results and what a user says behind them are one message"},
	{ID: "W-210", Title: "a thinking block with neither text nor signature is left out"},
	{ID: "W-211", Title: "unsigned thinking is left out", Lossy: true},
	{ID: "W-213", Title: "thinking signed with the name of a Chat Completions field is left out", Lossy: true},
	{ID: "W-214", Title: "thinking is left out while it is switched off", Lossy: true, Unstable: switchedOff},
	{ID: "W-215", Title: "thinking of a turn goes out whole or not at all", Lossy: true},
	{ID: "W-216", Title: "a request asks for thinking in the way that the model knows", Lossy: true},
	{ID: "W-217", Title: "a forced tool choice of a request is made free while the model thinks", Lossy: true},
	{ID: "W-218", Title: "a request has thinking switched off where the round in progress lost it", Lossy: true},
	{ID: "W-219", Title: "thinking that does not open its message is left out", Lossy: true, Unstable: switchedOff},
	{ID: "W-223", Title: "a trailing assistant turn loses the white space at its end", Unstable: "the turn is no longer the last one"},
}
