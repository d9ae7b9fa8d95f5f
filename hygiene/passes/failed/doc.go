// Package failed decides what goes out of turns that ended in error or were
// aborted (D-04).
//
// A call that really ran is never erased: a turn with such a call keeps it,
// with its thinking and its text, and loses only the calls that have no real
// result. Any other failed turn that was tried again, so that another assistant
// turn follows before the next user turn, is left out whole. The last one of a
// user turn keeps what can be read and loses its calls and its thinking
// (R-B16); if nothing is left, or there was only blank text, it goes.
//
// Turns that failed before they said anything have a text that says so. They
// are settled again, since turns that were left out may bring two of them
// together or one to the end.
package failed
