// Package transcript is the model of a stored conversation: entries of a
// session file, messages, content blocks, provenance and usage.
//
// Values come out of a [Reader], which scans a JSON text once and remembers
// where everything lies. They are immutable: a With method returns a changed
// copy that shares everything else, so an unchanged message or block is the
// same pointer from the session file to the request body. Text and arguments
// are decoded when asked for; what is not touched is written back byte for
// byte by AppendJSON, unknown roles, block types and members included.
//
// The package does no I/O and knows no provider.
package transcript
