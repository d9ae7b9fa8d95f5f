// Package duplicates leaves out assistant turns that were stored twice.
//
// A turn whose responseId occurred before on the path goes with the results
// that repeat those of the first, provided that it brings nothing new:
// some servers give every response the same id, and such turns are no copies.
// Of two neighbouring turns with the same text, one of them without calls, the
// model's own stays. A call that a turn in the same row of neighbours
// makes with the same id, name and arguments goes, and its turn if it says
// nothing else; arguments are the same if their values are, whatever
// their spelling.
//
// Turns are neighbours when nothing that goes out stands between them. The
// later one goes wherever the rules leave a choice, so that earlier bytes stay.
package duplicates
