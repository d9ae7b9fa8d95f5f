// Package openaichat builds the body of a Chat Completions request: OpenAI's
// own and that of the many services, routers and local servers with the same
// format.
//
// [Build] takes messages that the passes have sanitised and a policy that says
// how the endpoint differs, and returns the JSON text of the body. It works in
// three steps. Every stored turn becomes a turn of the wire format, which only
// points at the stored bytes; the rules about neighbours (empty turns, bridges,
// images of tool results, prefill) are applied while turns are added; then all
// of it is written once, texts spliced as they were spelled.
//
// What cannot go out, and what is put in, is recorded in the report of the
// input under the rules of [Rules].
package openaichat
