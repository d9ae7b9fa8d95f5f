// Package openairesponses reads the body of a request to the Responses API, that
// of Azure and of the native Codex back end included.
//
// Consecutive items of the model, its reasoning, messages and calls, are one
// assistant turn. A reasoning item becomes a thinking block whose signature is
// the item (W-115); a message keeps its id and phase as the signature of its
// texts (W-304); a call has the id "call_id|id" (W-175). Items of other types,
// item_reference among them, become rows of that type, which the passes leave
// out and report (W-124).
package openairesponses
