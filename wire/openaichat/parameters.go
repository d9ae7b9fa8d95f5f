package openaichat

import (
	"strings"

	"hygeia/wire"
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
		if n, ok := root.Get(name).Value().Number(); ok && n >= 1 && n <= 1<<31 {
			req.MaxTokens = int(n)
		}
	}
	req.Thinking = level(root)
	for t := range root.Get("tools").Elements() {
		f := t.Get("function")
		if !f.IsObject() {
			req.Left = append(req.Left, "tool "+t.Get("type").Text())
			continue
		}
		req.Tools = append(req.Tools, wire.Tool{Name: f.Get("name").Text(), Description: f.Get("description").Value(), Schema: f.Get("parameters").Value()})
	}
	for name := range req.Body.Members() {
		if !own[name] {
			req.Left = append(req.Left, name)
		}
	}
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

// prompt collects the system messages in front of the first turn.
type prompt []string

func (p *prompt) add(content tree.Node) {
	if content.IsString() {
		*p = append(*p, content.Text())
	}
	for part := range content.Elements() {
		if t := part.Get("text"); t.IsString() {
			*p = append(*p, t.Text())
		}
	}
}

func (p prompt) text() string { return strings.Join(p, "\n") }
