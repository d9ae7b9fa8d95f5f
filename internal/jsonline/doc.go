// Package jsonline reads and edits JSON text without rebuilding it.
//
// One pass of [Scanner.Scan] validates a text against RFC 8259, checks its
// UTF-8 and its depth, and records where values lie. [Object] and [Value] are
// views of those places: they decode when asked, and an edit is a splice that
// leaves every other byte as it was, number literals, key order, escapes and
// unknown members included.
//
// In strict mode the scanner accepts exactly what encoding/json's Valid and
// utf8.Valid both accept. Three oddities of stored data have one rule each:
//
//   - Duplicate names are always accepted. The last one counts when reading; an
//     edit of that name replaces the last and removes the others; otherwise all
//     of them stay.
//   - Invalid UTF-8 inside a string is accepted with [Options.InvalidUTF8]. The
//     bytes stay; decoded text has U+FFFD for each maximal bad sequence.
//   - Lone surrogate escapes are always accepted, as RFC 8259 does. The bytes
//     stay; decoded text leaves them out (W-120).
//
// [FlagLoneSurrogate] and [FlagInvalidUTF8] mark the strings whose raw bytes
// must not be spliced into a request.
package jsonline
