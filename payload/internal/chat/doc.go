// Package chat holds what the formats share whose bodies are lists of messages
// of a user, an assistant and tools: Chat Completions, Mistral's and Ollama's.
//
// A [Builder] reads stored messages into the turns of the wire, which only point
// at the stored bytes. The rules about neighbours hold while turns are added:
// each call is answered in the turns behind it, turns that become neighbours are
// joined, a bridge stands between tool results and a user turn where the target
// demands one, and images of tool results follow in a user turn where tool
// messages hold none. What the formats do in ways of their own, such as
// reasoning, parameters and spelling, is theirs.
package chat
