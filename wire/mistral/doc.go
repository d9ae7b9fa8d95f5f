// Package mistral reads the body of a request to Mistral's own chat API.
//
// It is the format of Chat Completions with thinking as a part of the content
// and links to pictures as strings. System messages in front of the first turn
// are the system prompt. Documents, files, audio and references stay content of
// this format.
package mistral
