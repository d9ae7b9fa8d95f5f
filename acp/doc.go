// Package acp lets an editor talk to sessions over the Agent Client Protocol: JSON-RPC
// 2.0, one message a line, on standard input and output (file 70 §5).
//
//	editor ── session/prompt ──▶ Serve ──▶ runner.Runner ──▶ session file
//	editor ◀─ session/update ─── what is said and done, while it happens
//
// [Serve] answers initialize, session/new, load, resume, list, prompt, cancel and
// close. Sessions are those of a root of state (F-01), under the key
// acp-bridge:ID where they begin here. What an editor is shown, while an answer grows
// and when a session is loaded, went through package projection: no wrappers, no
// receipts, no working directory in the words of the user (H-B09). The working
// directory goes along as hidden context, and is stored in no turn (H-B11).
//
// What comes in is hostile: lines have a limit, so has the number of requests at work,
// and whatever is no request is answered with the error that JSON-RPC has for it.
package acp
