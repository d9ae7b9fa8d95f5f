// Package anthropicmessages builds the body of an Anthropic Messages request:
// Anthropic's own API, Cloudflare AI Gateway in front of it (W-242), MiniMax
// (W-251…W-254), Kimi and other services with the same format.
//
// [Build] takes messages that the passes have sanitised and a policy that says
// how the endpoint and the model differ, and returns the JSON text of the body.
// It works in three steps. The stored messages are grouped into the turns of
// the wire: results and user text behind them are one user message (W-204,
// W-205), calls and results are matched once more. Then the request is decided:
// whether thinking is on (D-32, D-38), whether a trailing assistant turn may
// stay (W-220…W-223), where cache markers go (W-230). Then all of it is written
// once, text and arguments spliced as they were spelled.
//
// What cannot go out, and what is put in, is recorded in the report of the
// input under the rules of [Rules]; what is decided for the request alone is a
// note there.
//
// The body holds no sampling parameters, no tool_choice and no service_tier,
// since a session says nothing about them: W-207 and W-217 hold by themselves.
// Headers are not part of it. Where the caller gives an identity
// ([payload.Identity], for access by token), it is the first block of the system
// prompt, and tools go out under its names (W-231). Vertex and Bedrock InvokeModel
// get the forms of W-233 where the policy asks for them.
//
// Messages that were decoded from a request of this format bring it along
// (payload.Input.Request). Then its members stay as they came unless a rule forbids
// one (D-38), and a message about which there is nothing to record goes back byte
// for byte.
package anthropicmessages
