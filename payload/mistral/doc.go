// Package mistral builds the body of a request to Mistral's own chat API (the
// format that targets call mistral-conversations, file 80 §16).
//
// [Build] takes messages that the passes have sanitised and a policy that says
// how the model differs, and returns the JSON text of the body. Turns are read
// as in every chat format: each call has its results behind it, and no user turn
// directly follows them (W-805). This package judges thinking and spells the
// rest: content in parts, thinking as parts of the content, images in the tool
// messages that they belong to. What cannot go out, and what is put in, is
// recorded in the report of the input under the rules of [Rules].
//
// Ids of nine alphanumerics (W-804) are the work of the one id pass (D-47). The
// body holds no sampling parameters and no tool_choice, since a session says
// nothing about them, and no parameter for thinking, since the API has none that
// every model takes.
//
// Messages that were decoded from a request of this format bring it along
// (payload.Input.Request). Then its members stay as they came unless a rule
// forbids one (D-38), and a message about which there is nothing to record goes
// back byte for byte, with parts that only this format has.
package mistral
