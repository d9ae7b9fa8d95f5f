// Package calls removes tool calls that nobody could have carried out.
//
// A call needs arguments, an id and a name. One without them, or whose
// arguments were cut off, goes; its result, if there is any, is removed
// by pairing. Other faults do not matter once the call ran: with a real result
// it stays, however odd its name (D-41), although the tool is no longer offered
// (R-B04), and although the stream left partial arguments behind that turn out
// to be complete. Without one it goes, unless tools are given and
// the name can mean only one of them, whose name it gets.
//
// Names lose the white space around them. A turn that lost a call and is
// now nothing but thinking cut off by the output limit goes. Where
// signed thinking is replayed with the turn that it belongs to, a turn that lost
// a call loses its thinking as well, keeps its text and never disappears
// (R-B03); elsewhere a turn of which nothing is left goes, and so does a
// failed one.
package calls
