// Package openairesponses builds the body of a request of the Responses family:
// OpenAI's own API and that of services with the same format, the back end of
// ChatGPT (Codex), and Azure OpenAI. They share their input items and differ in
// what stands around them.
//
// [Build] takes messages that the passes have sanitised and a policy that says
// how the endpoint differs, and returns the JSON text of the body. Every stored
// turn becomes items of the wire format, which only point at the stored bytes;
// then all of it is written once, texts spliced as they were spelled.
//
// Requests are stateless unless the policy says otherwise (D-40): the service
// stores nothing, reasoning goes back as encrypted content, and no item carries
// an id. Where items are stored, a reasoning item and the items that it led to
// carry their recorded ids together or not at all (D-36).
//
// What cannot go out, and what is put in, is recorded in the report of the
// input under the rules of [Rules]. Calls and results that do not belong
// together are not mended here, that is the work of the passes: they are a
// [TranscriptError].
package openairesponses
