// Package endpoint knows the HTTP surface of model providers: which API a path
// belongs to and what is asked for there, where in a body the request stands, and
// how each API writes an error.
//
//	e, ok := endpoint.Find(http.MethodPost, u.EscapedPath())
//
// Paths that carry no transcript, such as models, files, batches and
// /v1/responses/compact, are not found: they pass as they are.
package endpoint
