package openaichat

import (
	"hygeia/wire"
	"hygeia/wire/internal/chat"
	"hygeia/wire/internal/tree"
)

// API is the name of the format (P-01).
const API = "openai-completions"

var format = chat.Format{
	API: API, Parameters: parameters, Part: part, ToolName: "name",
	Reasoning: []string{"reasoning", "reasoning_content", "reasoning_text", "reasoning_details"},
	Beside:    []string{"audio", "refusal"},
}

// Decode reads a body. The error wraps [wire.ErrNoTurns] or says where the body
// is no JSON.
func Decode(body []byte) (*wire.Request, error) { return chat.Decode(body, &format) }

// part writes a picture as an image.
func part(d *chat.Decoder, p tree.Node) bool {
	link := p.Get("image_url")
	return p.Get("type").Is("image_url") && d.Picture(p, link, link.Get("url"))
}
