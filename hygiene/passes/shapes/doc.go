// Package shapes is the pass that brings messages and blocks into their
// canonical form, so that every later pass finds one spelling of everything.
//
// Elements that are no objects go (R-B14). The content of assistant turns and
// tool results becomes a list of blocks (R-22, R-B10). Tool calls of all six
// types become toolCall with id, name and arguments, and a tool result names
// its call in toolCallId (R-B08). Arguments become an object (W-110). What no
// JSON text in a request may hold is taken out of the strings that go out:
// halves of surrogate pairs, U+0000 and bytes that are not UTF-8 (W-120).
//
// Arguments that are marked as the rest of an interrupted stream (partialJson)
// are left to the pass that judges calls. Signed thinking that has to be changed
// loses its signature, which covers other bytes.
package shapes
