// Package duplicates leaves out assistant turns that were stored twice.
//
// A turn whose responseId occurred before on the path goes with the results
// that repeat those of the earlier one, provided that it says what that
// one said: some servers give every response the same id, and what is new is no
// copy.
// Of two neighbouring turns with the same text, one of them without calls, the
// model's own stays. A call that a turn in the same row of neighbours
// makes with the same id, name and arguments goes, and its turn if it says
// nothing else; arguments are the same if their values are, whatever
// their spelling. A failed turn that loses its last call so is judged like one
// in which nothing ran (D-04).
//
// A request holds what is sent and not what was stored, so equal texts stay in it.
//
// Turns are neighbours when nothing that goes out stands between them. The
// later one goes wherever the rules leave a choice, so that earlier bytes stay.
package duplicates
