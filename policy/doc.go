// Package policy decides, from provider, API and model id alone, which rules of
// replay hygiene apply to a target and what its endpoint takes.
//
// A [Target] goes in, a [Resolution] comes out: the target with aliases folded
// and its API filled in, the [Policy] that every later stage reads, and a trace
// that says which layer set each field and on whose word.
//
//	res, err := policy.Resolve(policy.Target{Provider: "openrouter", Model: "google/gemini-3-pro"}, policy.Options{})
//
// No provider is known to the code. Families, providers, models and their
// limits are data: profiles/*.json, described by profiles/schema.json and
// embedded in the binary. The code is an interpreter over their rules. A rule
// says when it holds (provider, API, family, host, model id, facts of the
// user's model entry) and which fields it sets. Layers decide which rule wins:
//
//	defaults < api < family < provider < model < user < entry < option < invariant
//
// and inside a layer the declared specificity. Two rules of equal rank that set
// a field to different values are refused ([TieError]), so that a result never
// depends on the order of files. A provider without a family, or whose family
// has no record for the API, takes the family "fallback" (P-09, P-13, P-B03).
//
// Users add profiles of the same form with [Load] or [LoadFS]; their rules
// stand above the built-in ones. What a user's configuration says about one
// model (P-05, D-29) goes in as [Entry], the flags of one call as fields of
// [Options].
//
// Image input: a model that no profile knows is taken to accept images, since a
// server answers a picture that it cannot use with a clear error, while a
// picture that was left out by mistake is lost without one. Only models that a
// profile names as text only, or that the user's entry lists without image
// input, get placeholders (W-101).
//
// Resolution is a pure function and is not cached (D-47). A policy is not
// changed after it was returned; slices and pointers in it are shared.
package policy
