// Package gateway serves sessions over HTTP: REST, server-sent events, a chat
// page, and OpenAI's Chat Completions in front of sessions (file 70 of the
// specification).
//
//	g, err := gateway.New(gateway.Config{State: dir, Run: newRunner})
//	…
//	http.Serve(listener, g.Handler())
//
// What people see comes from package projection; what a model answers from
// package runner. The gateway holds no rule of hygiene. Routes stand in one
// table, routes.go, from which the OpenAPI document is made.
//
// Requests, session files and answers are hostile (design §9): keys of sessions
// are names that are looked up and never paths, tokens are stored as hashes and
// compared in constant time, everything has a bound.
package gateway
