// Package texts holds every wording that the product itself writes into a copy of a transcript, a stored record or a
// request body, and every wording of other programs that it has to recognise in old data (D-12).
//
// texts.go, and runner.go for a run, are the only places for the first kind, known.go the only place for the second;
// faults.go has what providers say. predicates.go answers "is this text one of ours or one we know?". Data goes in and
// out as plain strings; the package imports nothing.
package texts
