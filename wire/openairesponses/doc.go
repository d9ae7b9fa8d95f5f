// Package openairesponses reads the body of a request to the Responses API, that
// of Azure and of the native Codex back end included.
//
// Consecutive items of the model, its reasoning, messages and calls, are one
// assistant turn. A reasoning item becomes a thinking block whose signature is
// the item (W-115); a message keeps its id and phase as the signature of its
// texts (W-304); a call has the id "call_id|id" (W-175). Items of other types
// are blocks of that type in such a turn: tools of the service, references,
// compactions, and results of calls that only the service knows (W-335). Each
// block names the item that it comes from by its index.
package openairesponses
