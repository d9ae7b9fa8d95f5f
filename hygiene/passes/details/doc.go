// Package details takes the details of tool results off the copy that goes out
//
//
// They hold what a program keeps for itself and no format sends them, so their
// removal is counted and not listed (D-28). The pass runs last: until then the
// mark of a stand-in lies there (R-B21).
package details
