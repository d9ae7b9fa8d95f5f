// Package pairs finds out which tool result answers which call (R-B01).
//
// [Match] takes a message list and returns a [Table]: the frames that are not
// in order, each call of them with the result that answers it, and the results
// that answer nothing, with the reason. A frame is an assistant turn with calls
// up to the next one. Ids may repeat: every call is an occurrence of its own.
//
// Most frames of a healthy session are in order. They are recognised by
// comparing each call with the message at its place, cost no memory and are not
// in the table. Time and memory are linear in the length of the list whatever
// it holds.
package pairs
