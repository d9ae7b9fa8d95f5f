package openaichat

import (
	"hygeia/wire"
	"hygeia/wire/internal/chat"
	"hygeia/wire/internal/tree"
)

// API is the name of the format (P-01).
const API = "openai-completions"

// ErrNoMessages says that a body holds no list of messages.
var ErrNoMessages = chat.ErrNoMessages

var format = chat.Format{
	API: API, Parameters: parameters, Part: part, ToolName: "name",
	Reasoning: []string{"reasoning", "reasoning_content", "reasoning_text", "reasoning_details"},
	Beside:    []string{"audio", "refusal"},
}

// Decode reads a body. The error is [ErrNoMessages] or says where the body is
// no JSON.
func Decode(body []byte) (*wire.Request, error) { return chat.Decode(body, &format) }

// part writes a picture as an image.
func part(d *chat.Decoder, p tree.Node) bool {
	link := p.Get("image_url")
	return p.Get("type").Is("image_url") && d.Picture(p, link, link.Get("url"))
}
