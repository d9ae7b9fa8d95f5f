// Package pairing brings every tool result directly behind the call that it
// answers.
//
// Calls and results are matched by occurrence (R-B01), since providers repeat
// ids: within a turn with calls and what follows it up to the next such turn,
// each result answers the first call with its id that has none. A result whose
// id is unknown there is displaced; it moves to an earlier call if exactly one
// with its id is still open, never to a later one. A real result takes the place
// of a stand-in. A result without id is that of the only call of its turn
// and keeps its error mark (R-B20). What answers nothing is left out,
// and the report says why; a displaced result that several calls could have
// asked for is not given to one of them by guess.
//
// A call that is left without a result gets a stand-in that says so and claims
// neither success nor failure (D-03): marked as an error and by
// details.synthetic, with the text "aborted" on the Responses family, and with
// the time of its turn (R-B12). The mark stays until the last pairing (R-B21),
// so that a real result can still replace it.
//
// Results come in the order of the calls. One that stands in its place is not
// touched. Turns that failed were reduced before to calls that really ran.
//
// [Again] is the second run of R-B07. Whether calls and results belong together at the
// end the converter of the Responses family asks, which sends nothing else.
package pairing
