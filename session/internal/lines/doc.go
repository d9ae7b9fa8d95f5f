// Package lines reads the records of a session file (F-10, F-B09).
//
// A stream goes in, and a [Sink] gets what was found, in the order of the file:
// records, and faults that say what is wrong with which line. The stream is
// read in chunks that the records point into; the lines of several chunks are
// parsed at the same time, and the result does not depend on where the chunks
// end. A [Mapper] is told where in the stream everything stood as well, so that it can read parts of it
// again. A damaged line costs time in proportion to its length, and what it still
// holds whole is recovered (D-18): records glued together, a record behind NUL
// bytes or behind or inside a torn one, a record broken over several lines. Of
// a message cut off at the end of the stream the whole part is kept (F-B08).
//
// What the records mean is the business of package session.
package lines
