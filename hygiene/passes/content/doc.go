// Package content is the pass that leaves out turns which say nothing and takes
// out of the others what no person or model said.
//
// Rows that record what was shown to a user and no model wrote are dropped
// . Assistant text loses internal metadata and silent replies
// a turn that is left without anything visible goes (R-23, R-B15), and
// so does one that ran into the output limit while thinking. Turns that
// failed before they said anything get a text that says so, several in a row
// are one, and none stands at the end (R-26, R-27, D-04). A blank user turn
// keeps its place with a placeholder (R-20, D-07), but for the space that is all of
// a request because nothing was left to send (W-006, W-347).
package content
