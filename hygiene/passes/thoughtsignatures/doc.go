// Package thoughtsignatures is the pass that removes thought signatures which
// the target cannot read. Blocks always stay.
//
// It runs unless the route replays signatures. By default it removes ids of
// messages that stand where a signature belongs. Where the policy asks
// for it, every value goes that is not base64, in the camel spelling as
// well if the policy includes it. Turns that ended in error are left alone
// . The signatures of thinking blocks are the business of other passes.
package thoughtsignatures
