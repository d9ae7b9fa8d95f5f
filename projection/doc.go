// Package projection turns the stored messages of a session into what people
// are shown (file 50 of the specification). Every surface shows the same list:
// gateway, web chat, terminal, editor, command line, exports.
//
//	entries of a branch ──▶ Records ──▶ Project ──▶ messages to show
//	one stored message  ──────────────▶ Projector.Push ──▶ events of a live view
//
// Nothing stored is changed: messages go in and come out as values of package
// transcript; the shown ones carry what a surface needs besides their content
// in the member "__openclaw" (see [Meta]).
//
// Project is the fold of a Projector over the list, so a live view and a later
// reload show the same (X-B11). It is pure, linear, and idempotent but for an
// explicit length limit (X-B16).
package projection
