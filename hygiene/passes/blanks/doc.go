// Package blanks is the pass that removes text blocks with nothing in them,
// which most services refuse.
//
// It goes through the content lists of user turns, tool results and assistant
// turns. A user turn or tool result that is left empty, or was
// empty, gets a placeholder. An assistant turn is dropped only if this
// pass emptied it: one that was stored empty keeps its place (R-B09).
package blanks
