// Package turns puts the turns into an order that the target takes.
//
// A history that starts with an assistant turn gets a small user turn in front
// that holds for Anthropic validation too, since those services demand
// a user turn first (AN-02, BR-09). Neighbouring assistant turns are joined
// under Gemini and Anthropic validation, neighbouring user turns under
// Anthropic validation. Only the last of joined assistant turns that
// holds thinking keeps it (D-20). A placeholder beside real text of the same
// user turn goes (D-07), and what an inter-session turn is joined with counts
// as inter-session (R-B18). Calls that have no result behind them are removed
// where pairing is switched off. Under Anthropic validation, trailing
// assistant turns without calls are cut from the copy (R-104, D-48), unless the
// list is a request that somebody built: there they may be meant (W-223).
package turns
