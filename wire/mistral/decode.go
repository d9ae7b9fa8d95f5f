package mistral

import (
	"strings"

	"hygeia/wire"
	"hygeia/wire/internal/chat"
	"hygeia/wire/internal/tree"
)

// API is the name of the format (P-01).
const API = "mistral-conversations"

// reasoning are the members in which other hosts of this shape put reasoning;
// clients carry them along, and this format knows none of them (MI-08).
var reasoning = []string{"reasoning", "reasoning_content", "reasoning_text", "reasoning_details"}

var format = chat.Format{API: API, Parameters: parameters, Part: part, ToolName: "name", Reasoning: reasoning}

// Decode reads a body. The error wraps [wire.ErrNoTurns] or says where the body
// is no JSON.
func Decode(body []byte) (*wire.Request, error) { return chat.Decode(body, &format) }

// part writes a picture as an image and thinking as thinking.
func part(d *chat.Decoder, p tree.Node) bool {
	switch typ := p.Get("type"); {
	case typ.Is("image_url"):
		url := p.Get("image_url")
		if url.IsObject() {
			return d.Picture(p, url, url.Get("url"))
		}
		return d.Picture(p, tree.Node{}, url)
	case typ.Is("thinking") && p.Get("thinking").IsArray():
		thinking(d, p)
		return true
	}
	return false
}

// thinking writes the texts of a thinking part as one, a lone one as it was
// spelled.
func thinking(d *chat.Decoder, p tree.Node) {
	var texts []tree.Node
	var all strings.Builder
	for t := range p.Get("thinking").Elements() {
		if text := t.Get("text"); text.IsString() {
			texts = append(texts, text)
			all.WriteString(text.Text())
		}
	}
	d.Next()
	d.Raw(`{"type":"thinking"`)
	if len(texts) == 1 {
		d.Member("thinking", texts[0])
	} else {
		d.TextMember("thinking", all.String())
	}
	d.Rest(p, "type", "thinking")
	d.Raw(`}`)
}
