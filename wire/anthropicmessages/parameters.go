package anthropicmessages

import (
	"strings"

	"hygeia/wire"
	"hygeia/wire/internal/tree"
)

// own are the members that a request in another format says in its own way, or
// that are of no use there.
var own = map[string]bool{
	"model": true, "messages": true, "system": true, "tools": true, "max_tokens": true, "thinking": true,
	"stream": true, "anthropic_version": true, "anthropic_beta": true,
}

// parameters reads what the body says besides its messages.
func parameters(req *wire.Request, root tree.Node) {
	req.Model = root.Get("model").Text()
	req.System = system(root.Get("system"))
	if n, ok := root.Get("max_tokens").Value().Number(); ok && n >= 1 && n <= 1<<31 {
		req.MaxTokens = int(n)
	}
	thinking := root.Get("thinking")
	if budget, _ := thinking.Get("budget_tokens").Value().Number(); thinking.Get("type").Is("enabled") && int(budget) < req.MaxTokens {
		req.MaxTokens -= int(budget) // it counts for both (W-216)
	}
	req.Thinking = level(root)
	for t := range root.Get("tools").Elements() {
		name, typ := t.Get("name").Text(), t.Get("type")
		if typ.Given() && !typ.Is("custom") {
			req.Left = append(req.Left, "tool "+typ.Text())
			continue
		}
		req.Tools = append(req.Tools, wire.Tool{Name: name, Description: t.Get("description").Value(), Schema: t.Get("input_schema").Value()})
	}
	for name, v := range req.Body.Members() {
		if effort := root.Get("output_config").Get("effort"); name == "output_config" && effort.Exists() && len(v.Raw) < len(effort.Value().Raw)+16 {
			continue // it says nothing else
		}
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

// budgets are the levels by the largest budget that asks for them, in tokens
// (W-216).
var budgets = []struct {
	tokens float64
	level  string
}{{1024, "minimal"}, {2048, "low"}, {8192, "medium"}, {16384, "high"}}

// level returns the level of thinking that the body asks for, "" for none.
func level(root tree.Node) string {
	thinking := root.Get("thinking")
	switch typ := thinking.Get("type"); {
	case typ.Is("disabled"), typ.Is("between_tools"):
		return "off"
	case typ.Is("enabled"):
		tokens, _ := thinking.Get("budget_tokens").Value().Number()
		for _, b := range budgets {
			if tokens <= b.tokens {
				return b.level
			}
		}
		return "max"
	case typ.Is("adaptive"):
		if effort := root.Get("output_config").Get("effort"); effort.IsString() {
			return effort.Text()
		}
		return "high"
	}
	return ""
}
