// Package chat reads what the formats share whose bodies are lists of messages
// of a system, a user, an assistant and tools: Chat Completions, Mistral's and
// Ollama's. A [Format] says what a format spells in a way of its own.
//
// System messages in front of the first turn are the system prompt and become no
// message; later ones become rows of type transcript.SystemRow. A result gets the
// name of its call where it names none. What has no canonical form keeps its own.
package chat
