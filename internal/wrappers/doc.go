// Package wrappers recognises what programs have written around the words of people and models in stored transcripts:
// runtime blocks, metadata, stamps and envelopes, inter-session markers, silent replies, heartbeats. Replay (file 20) and
// the display projection (file 50) share it, so both see the same text.
//
// Everything is a pure function from string to string. Text without a wrapper costs a few substring searches, allocates
// nothing and comes back as the same string; text with wrappers costs time linear in its length. All functions that remove
// repeat until nothing changes (R-B23), so applying one twice equals applying it once.
//
//	StripInternal   runtime blocks only                              R-28 steps 1–3
//	StripAssistant  the above and leading metadata                   R-23, R-B15
//	StripUser       the above and date stamps                       
//	ShowUser        the above, envelopes, receipts, message ids      X-28, X-B14
//
// The recognised strings stand in internal/texts/known.go.
package wrappers
