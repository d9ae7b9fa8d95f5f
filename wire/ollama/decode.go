package ollama

import (
	"hygeia/wire"
	"hygeia/wire/internal/chat"
	"hygeia/wire/internal/tree"
)

// API is the name of the format (P-01).
const API = "ollama"

var format = chat.Format{
	API: API, Parameters: parameters, Part: part, Images: "images", Thinking: "thinking", ToolName: "tool_name", Unnamed: true,
}

// Decode reads a body. The error wraps [wire.ErrNoTurns] or says where the body
// is no JSON.
func Decode(body []byte) (*wire.Request, error) { return chat.Decode(body, &format) }

// part writes nothing: the content of this format has no parts.
func part(*chat.Decoder, tree.Node) bool { return false }
