// Package google reads the body of a request to Gemini: the Generative Language
// API, Vertex, and the envelope of Cloud Code Assist.
//
// The format pairs calls and results by order where it has no ids, so the decoder
// gives every call without one the id "callN", N counting from the start of the
// body, and hands it to the response that belongs to it. Thought signatures stand
// on the block that they came with; the literal that stands in the place of one
// is none (W-613). Parts that have no canonical form stay content of this
// format.
package google
