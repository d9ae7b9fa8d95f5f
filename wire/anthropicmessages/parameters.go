package anthropicmessages

import (
	"strings"

	"hygeia/wire"
	"hygeia/wire/internal/claude"
	"hygeia/wire/internal/tree"
)

// own are the members that a request in another format says in its own way, or
// that are of no use there.
var own = map[string]bool{
	"model": true, "messages": true, "system": true, "tools": true, "max_tokens": true, "thinking": true, "output_config": true,
	"stream": true, "anthropic_version": true, "anthropic_beta": true,
}

// parameters reads what the body says besides its messages.
func parameters(req *wire.Request, root tree.Node) {
	req.Model = root.Get("model").Text()
	req.System = system(root.Get("system"))
	req.MaxTokens = claude.Limit(root.Get("max_tokens"), root)
	req.Thinking = claude.Level(root)
	for t := range root.Get("tools").Elements() {
		name, typ := t.Get("name").Text(), t.Get("type")
		if typ.Given() && !typ.Is("custom") {
			req.Left = append(req.Left, "tool "+typ.Text())
			continue
		}
		req.Tools = append(req.Tools, wire.Tool{Name: name, Description: t.Get("description").Value(), Schema: t.Get("input_schema").Value()})
	}
	for name := range root.Get("output_config").Value().Object().Members() {
		if name != "effort" {
			req.Left = append(req.Left, "output_config."+name)
		}
	}
	for name := range req.Body.Members() {
		if !own[name] {
			req.Left = append(req.Left, name)
		}
	}
}

// system returns the text of a system prompt: a string, or text blocks.
func system(n tree.Node) string {
	if n.IsString() {
		return n.Text()
	}
	var parts []string
	for b := range n.Elements() {
		if t := b.Get("text"); t.IsString() && !t.Value().Blank() {
			parts = append(parts, t.Text())
		}
	}
	return strings.Join(parts, "\n")
}
