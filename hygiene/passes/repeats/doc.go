// Package repeats leaves out turns that say again what the neighbour in front of
// them says.
//
// A user turn goes when it was sent again: its text is that of the user turn in
// front, wrappers removed and white space collapsed, its attachments and its
// provenance are the same, and nobody answered between them. An
// assistant turn between, also a failed one that stays in the list, makes them
// two turns; equal texts with an answer between them are different turns. Rows
// of other roles are no user turns, also when they went out as such before.
//
// Assistant turns with the same text that the passes before brought together go
// out once (R-121, see the pass duplicates).
//
// A request holds what is sent and not what was stored: nothing of it was stored
// twice, and what stood between two turns may not have gone out. There the pass
// leaves everything as it is.
//
// The pass runs behind the ones that take turns out of the list, or a second run
// would find neighbours that the first did not (G-2).
package repeats
