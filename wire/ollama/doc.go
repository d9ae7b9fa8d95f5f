// Package ollama reads the body of a request to Ollama's own /api/chat.
//
// Content is a string with pictures beside it. Their media type is that of their
// first bytes. Arguments are objects. Calls and results may do without ids: then
// a call gets "callN", N counting from the start of the body, and the results
// that follow take them by the name of the tool, in order.
package ollama
