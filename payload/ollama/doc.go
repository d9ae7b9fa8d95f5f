// Package ollama builds the body of a request to Ollama's own /api/chat (W-551).
//
// [Build] takes messages that the passes have sanitised and a policy that says
// how the model differs, and returns the JSON text of the body. Turns are read
// as in every chat format; this package spells them: content is always a string,
// images are bare base64 beside it, arguments of calls are objects, and results
// name their tool instead of a call. Images of tool results follow in a user
// message (W-406). Thinking is not replayed. What cannot go out, and what is put
// in, is recorded in the report of the input under the rules of [Rules].
//
// The output limit stands in options.num_predict. think is only there if a level
// is asked for and the model reasons; the API knows no more than on and off for
// most models.
//
// Messages that were decoded from a request of this format bring it along
// (payload.Input.Request). Then its members stay as they came unless a rule
// forbids one (D-38), and a message about which there is nothing to record goes
// back byte for byte, with ids of calls, where it has some.
package ollama
