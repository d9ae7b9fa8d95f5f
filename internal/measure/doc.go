// Package measure holds the guarantees of the project on a scale that no
// ordinary test run has time for, and makes the figures that stand in
// docs/guarantees.md and docs/prefix.md. It has tests only; each page names the
// command that gives its figures again.
package measure
