package mistral

import (
	"hygeia/wire"
	"hygeia/wire/internal/canon"
	"hygeia/wire/internal/chat"
	"hygeia/wire/internal/tree"
)

// own are the members that a request in another format says in its own way, or
// that are of no use there.
var own = map[string]bool{
	"model": true, "messages": true, "tools": true, "max_tokens": true, "stream": true, "prompt_mode": true, "reasoning_effort": true,
}

// parameters reads what the body says besides its messages.
func parameters(req *wire.Request, root tree.Node) {
	req.Model = root.Get("model").Text()
	req.MaxTokens = canon.Limit(root.Get("max_tokens"))
	switch effort := root.Get("reasoning_effort"); {
	case effort.Is("none"):
		req.Thinking = "off"
	case effort.IsString():
		req.Thinking = effort.Text()
	case root.Get("prompt_mode").Is("reasoning"):
		req.Thinking = "medium"
	}
	chat.Functions(req, root.Get("tools"))
	chat.Leave(req, own)
}
