// Package google builds the body of a generateContent request: Google
// Generative AI, Vertex, and the Cloud Code Assist service behind Gemini CLI and
// Antigravity, which wants the same request in an envelope and also serves
// Claude.
//
// [Build] takes messages that the passes have sanitised and a policy that says
// how the endpoint and the model differ, and returns the JSON text of the body.
// Every stored turn becomes a content of the wire format, which only points at
// the stored bytes; the rules about neighbours (W-603, W-605, W-608) are applied
// while contents are added, so that roles alternate and a content of function
// responses answers the calls in front of it, count and order alike. Then all of
// it is written once, text and arguments spliced as they were spelled.
//
// What cannot go out, and what is put in, is recorded in the report of the
// input under the rules of [Rules].
//
// The model, the path and headers are not part of the body, except that the
// envelope names the model (W-631). What else the envelope wants to know is made
// without clock or chance: requestId follows from the request, so a resend
// carries the same one; sessionId and project come from the options and are
// absent where those say nothing. Temperature, stopSequences, toolConfig and
// cachedContent (W-623) never go out, since a session says nothing about them.
//
// Messages that were decoded from a request of this format bring it along
// (payload.Input.Request). Then its members stay as they came unless a rule
// forbids one (D-38), in the spelling that the request has, and a content about
// which there is nothing to record goes back byte for byte: with response objects
// of any shape, members that nobody knows, and the literal in the place of a
// signature (W-613).
package google
