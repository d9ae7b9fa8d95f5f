package openaichat

import (
	"cmp"

	"hygeia/wire"
	"hygeia/wire/internal/canon"
	"hygeia/wire/internal/chat"
	"hygeia/wire/internal/tree"
)

// own are the members that a request in another format says in its own way, or
// that are of no use there.
var own = map[string]bool{
	"model": true, "messages": true, "tools": true, "max_tokens": true, "max_completion_tokens": true, "stream": true,
	"stream_options": true, "store": true, "reasoning_effort": true, "reasoning": true, "thinking": true, "chat_template_kwargs": true,
}

// parameters reads what the body says besides its messages.
func parameters(req *wire.Request, root tree.Node) {
	req.Model = root.Get("model").Text()
	for _, name := range []string{"max_tokens", "max_completion_tokens"} {
		req.MaxTokens = cmp.Or(canon.Limit(root.Get(name)), req.MaxTokens)
	}
	req.Thinking = level(root)
	chat.Functions(req, root.Get("tools"))
	chat.Leave(req, own)
}

// level returns the level of thinking that the body asks for in one of the ways
// that services have (W-502, W-532, W-542), "" for none.
func level(root tree.Node) string {
	effort := root.Get("reasoning_effort")
	if !effort.IsString() {
		effort = root.Get("reasoning").Get("effort")
	}
	typ, template := root.Get("thinking").Get("type"), root.Get("chat_template_kwargs").Get("enable_thinking").Value()
	switch {
	case effort.Is("none"), typ.Is("disabled"):
		return "off"
	case effort.IsString():
		return effort.Text()
	case typ.Given(), template.Bool():
		return "medium"
	case template.Exists():
		return "off"
	}
	return ""
}
