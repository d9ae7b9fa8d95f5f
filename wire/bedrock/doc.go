// Package bedrock reads the body of a Converse request of Amazon Bedrock.
//
// Blocks of this format are objects with one member that names what they are. A
// user message becomes a tool result for each toolResult and a user turn for each
// run of other blocks, in their order; a cache point behind a result belongs to
// it. Text, pictures, calls and reasoning get their canonical form; every other
// block keeps its member and gets the name of it as type: documents, videos,
// cache points, guarded content.
package bedrock
