package ollama

import (
	"hygeia/wire"
	"hygeia/wire/internal/chat"
	"hygeia/wire/internal/tree"
)

// API is the name of the format (P-01).
const API = "ollama"

// ErrNoMessages says that a body holds no list of messages.
var ErrNoMessages = chat.ErrNoMessages

var format = chat.Format{
	API: API, Parameters: parameters, Part: part, Images: "images", Thinking: "thinking", ToolName: "tool_name", Unnamed: true,
}

// Decode reads a body. The error is [ErrNoMessages] or says where the body is
// no JSON.
func Decode(body []byte) (*wire.Request, error) { return chat.Decode(body, &format) }

// part writes nothing: the content of this format has no parts.
func part(*chat.Decoder, tree.Node) bool { return false }
