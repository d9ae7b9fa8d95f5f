// Package check holds the provider rulebook: what each provider rejects, under
// which condition, with which answer. It is kept apart from the passes and the
// converters, so that it can be the oracle for what they make.
//
// The rules are data in rulebook.json. [Rules] lists them, [Lookup] finds one
// by its public name.
package check
