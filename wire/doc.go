// Package wire is the inverse of package payload: it holds what a request body
// becomes when it is read. The decoders stand in the folders below, one package
// per wire format, and have one function:
//
//	func Decode(body []byte) (*wire.Request, error)
//
// The canonical messages of a [Request] go through the passes like those of a
// session and can be sent in any format. What the canonical form has no place
// for stays in them under its own name: members of blocks (cache markers,
// citations), whole blocks of types that it does not know (documents, tools of
// the service). Converters for another format leave that out and say so (W-124).
//
// A converter for the same format gets the request along with the messages
// (payload.Input.Request). It keeps every member of the body that no rule
// forbids (D-38), writes messages back byte for byte where neither a pass nor
// the converter had anything to change, and puts members it does not know back
// into those that were changed. What finds no place there is reported (W-124). A body
// in which nothing was changed goes out as it came in.
//
// A message of role system in the middle of a conversation becomes a custom row
// of type transcript.SystemRow, which goes out as a user turn where the target
// takes no such message (F-72).
package wire
