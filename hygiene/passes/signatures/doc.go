// Package signatures removes thinking whose signature cannot verify.
//
// Where the route replays signed thinking, a thinking block stays only with a
// signature that is not blank; of a redacted block its data counts too
// . Signatures that are older than the newest compaction do not verify any
// more. Older is decided by the position of the entries on the path; in a
// bare list by timestamps, then by list order (D-25). The latest assistant turn
// may hold unsigned thinking while it is the last message or its tool round is
// in progress; no converter sends it (D-08).
//
// On Antigravity Claude every signature must be base64; it is put in its one
// place without white space around it, and what has none is removed.
//
// On every route, thinking goes up to the turn whose thinking a provider
// rejected (R-112, D-22), and so does blank thinking without a signature, which
// says nothing to anybody (W-112).
//
// A turn that held nothing else keeps its place with a text (W-161).
package signatures
