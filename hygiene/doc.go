// Package hygiene is the contract of the replay passes and the runner that
// applies them.
//
// A [Pass] is a value that says what it does, which rules of the specification
// it carries out, after which passes it must run and for which policies. It
// edits a list of messages only through the operations of [Run]; each of them
// records one [Change]. [Sanitize] runs a list of passes over a
// transcript.Context for a policy and returns the new messages with a
// [Report]. The input is never changed, and a message that no pass touched is
// the same pointer in the result.
package hygiene
