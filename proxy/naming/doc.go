// Package naming maps the names of tools in the answer of a provider back to those
// that the caller knows, where tools went out under other names (W-176, W-231).
//
// The answer goes in as it comes, whole or streamed, and comes out as it came but
// for these names: the bytes around them are not written anew, and a piece of a
// stream goes on as soon as it is complete.
//
//	answer.Body = naming.Answer(answer.Body, kind, "anthropic-messages", map[string]string{"my_tool_1a2b3c4d": "my.tool"}, 64<<20)
package naming
