// Package anthropic holds what the two wire formats of the Anthropic family
// share (P-01): Anthropic Messages and Bedrock Converse say the same in another
// spelling.
//
// [New] groups stored messages into the turns of the wire: roles alternate in
// them, and every call is answered in the turn behind it. Then it decides the
// request: whether thinking is on (D-32, D-38, W-216, W-218) and whether a
// trailing assistant turn may stay (W-220…W-223). [Plan.Assistant] yields the
// blocks of an assistant turn in the order in which they go out, each of them
// judged. What the formats do in ways of their own, such as spelling, content of
// user turns and cache markers, is theirs.
package anthropic
