// Package check holds the provider rulebook: what each provider rejects, under
// which condition, with which answer. It is kept apart from the passes and the
// converters, so that it can be the oracle for what they make.
//
// [Payload] holds the body of a request against all rules that are on for a target
// and returns what the provider would say, one [Finding] for each place. It reads
// nothing but the body and the target: neither profiles nor a session.
//
// The rules are data in rulebook.json. [Rules] lists them, [Lookup] finds one
// by its public name.
package check
