// Package boundary makes the list what a model call takes.
//
// Rows that are no turn of their own become user turns: summaries, custom
// messages, shell commands (F-72); any other role is left out. A system message
// from the middle of a request stays where the target takes one. Metadata that a
// runtime put around a user's words goes from every user turn but the active
// one, which is the last; time stamps are not added. Behind a last answer
// the formats of Google go on with a user turn of their own (W-608), so there
// every stored turn is an earlier one. A request does not tell which user turn is
// the active one: all those at its end may be, and the one that began the tool
// round in progress, while what converters make user turns of is none.
// Runtime context survives only directly in front of the active turn while that
// turn has no answer yet, and moves to the very end in a form that says
// what it is. Under Anthropic validation, tool results that stand inside a
// user turn stay only behind the call that they answer.
//
// R-100 turns a list with a single text block into a string. That is a matter
// of spelling, so the converters do it on the wire and no change is reported.
package boundary
