// Package ids gives tool calls ids that the target takes, each only once.
//
// What is legal depends on the policy. Mode strict is letters and digits, at
// most 40, but for a request that somebody built, whose ids need only be
// what the format takes; strict9 is exactly nine of them. Without a mode the id
// has the form of the wire format: '_' for what is not a letter, a digit, '_'
// or '-', cut to a length, and of a composite id only the part in front of the
// bar (W-172, W-175, D-47). An id that is legal and was not used yet stays. In
// mode strict also some native forms stay: toolu_… on Anthropic itself,
// call_… where repetitions are spelled that way, and all ids of a turn
// whose thinking is replayed; Kimi's functions.NAME:N stays for Kimi
// (D-24), and is never cut (R-B17).
//
// Any other id is derived from the old one; a repetition from the old one and
// its number, and if another call has the result already, from a hash. So
// an id depends on nothing but itself, its repetitions and collisions (D-09).
// Ids are given in list order and an id that was given is not taken back: what
// comes later gives way, so that earlier bytes stay (G-5). Each result carries
// the id of its own call (R-B02, R-67).
//
// On the Responses family the pass responses does this.
package ids
