// Package reasoning leaves earlier thinking out where a service does not want
// it back.
//
// Under dropReasoningFromHistory thinking goes from every assistant turn
// but those of the tool round in progress: turns with calls behind the latest
// user turn that are followed by a result (R-B05). Under dropThinkingBlocks it
// goes from every turn but the latest and those of the round in progress
// as the Anthropic family counts it (D-31), all of which the service expects to
// find whole. Under dropAllThinkingBlocks it goes from every turn (P-27).
//
// The pass comes behind pairing: only then is a result where its call is, and
// what the round is does not change any more (G-2).
//
// A turn that held nothing else keeps its place with a text (W-161). One that
// holds nothing but the text of a failed turn now is settled as such (D-04).
package reasoning
