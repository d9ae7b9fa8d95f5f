// Package anthropicmessages reads the body of an Anthropic Messages request,
// those of Vertex rawPredict and Bedrock InvokeModel included, which have no
// model member (W-233).
//
// A user message becomes a tool result for each of its tool_result blocks and a
// user turn for each run of other blocks, in their order. Calls, results and
// pictures get their canonical names; every other block stays as it is: thinking
// with its signature, documents, search results, tools that the service runs
// together with what they returned.
package anthropicmessages
