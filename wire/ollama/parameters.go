package ollama

import (
	"hygeia/wire"
	"hygeia/wire/internal/canon"
	"hygeia/wire/internal/chat"
	"hygeia/wire/internal/tree"
)

// own are the members that a request in another format says in its own way, or
// that are of no use there.
var own = map[string]bool{
	"model": true, "messages": true, "tools": true, "stream": true, "think": true, "options": true, "keep_alive": true,
}

// parameters reads what the body says besides its messages.
func parameters(req *wire.Request, root tree.Node) {
	req.Model = root.Get("model").Text()
	options := root.Get("options")
	req.MaxTokens = canon.Limit(options.Get("num_predict"))
	switch think := root.Get("think"); {
	case think.IsString():
		req.Thinking = think.Text()
	case think.Value().Bool():
		req.Thinking = "medium"
	case think.Given():
		req.Thinking = "off"
	}
	chat.Functions(req, root.Get("tools"))
	for name := range options.Value().Object().Members() {
		if name != "num_predict" {
			req.Left = append(req.Left, "options."+name)
		}
	}
	chat.Leave(req, own)
}
