package openairesponses

import (
	"hygeia/wire"
	"hygeia/wire/internal/canon"
	"hygeia/wire/internal/tree"
)

// own are the members that a request in another format says in its own way, or
// that are of no use there.
var own = map[string]bool{
	"model": true, "input": true, "instructions": true, "tools": true, "max_output_tokens": true, "stream": true, "store": true,
	"reasoning": true, "include": true, "prompt_cache_key": true,
}

// parameters reads what the body says besides its input.
func parameters(req *wire.Request, root tree.Node) {
	req.Model = root.Get("model").Text()
	req.MaxTokens = canon.Limit(root.Get("max_output_tokens"))
	switch effort := root.Get("reasoning").Get("effort"); {
	case effort.Is("none"):
		req.Thinking = "off"
	case effort.IsString():
		req.Thinking = effort.Text()
	}
	for t := range root.Get("tools").Elements() {
		if !t.Get("type").Is("function") {
			req.Left = append(req.Left, "tool "+t.Get("type").Text())
			continue
		}
		req.Tools = append(req.Tools, wire.Tool{Name: t.Get("name").Text(), Description: t.Get("description").Value(), Schema: t.Get("parameters").Value()})
	}
	for name := range req.Body.Members() {
		if !own[name] {
			req.Left = append(req.Left, name)
		}
	}
}
