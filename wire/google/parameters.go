package google

import (
	"strings"

	"hygeia/wire"
	"hygeia/wire/internal/canon"
	"hygeia/wire/internal/tree"
)

// own are the members that a request in another format says in its own way.
var own = map[string]bool{
	"model": true, "contents": true, "systemInstruction": true, "system_instruction": true, "tools": true, "generationConfig": true, "generation_config": true,
	"request": true, "project": true, "requestId": true, "userAgent": true, "requestType": true, "sessionId": true,
}

// parameters reads what the body says besides its contents.
func parameters(req *wire.Request, root tree.Node) {
	config := field(root, "generationConfig")
	req.MaxTokens = canon.Limit(field(config, "maxOutputTokens"))
	req.Thinking = level(field(config, "thinkingConfig"))
	system := field(root, "systemInstruction")
	var texts []string
	for p := range system.Get("parts").Elements() {
		texts = append(texts, p.Get("text").Text())
	}
	req.System = strings.Join(texts, "\n")
	for t := range root.Get("tools").Elements() {
		tools(req, t)
	}
	for name := range req.Body.Members() {
		if !own[name] {
			req.Left = append(req.Left, name)
		}
	}
}

func tools(req *wire.Request, t tree.Node) {
	declarations := field(t, "functionDeclarations")
	if !declarations.IsArray() {
		req.Left = append(req.Left, "tool of the service")
		return
	}
	for f := range declarations.Elements() {
		schema := field(f, "parametersJsonSchema")
		if !schema.Exists() {
			schema = f.Get("parameters")
		}
		req.Tools = append(req.Tools, wire.Tool{Name: f.Get("name").Text(), Description: f.Get("description").Value(), Schema: schema.Value()})
	}
}

// level returns the level of thinking that a body asks for, "" for none.
func level(config tree.Node) string {
	if l := field(config, "thinkingLevel"); l.IsString() {
		return strings.ToLower(l.Text())
	}
	budget, ok := field(config, "thinkingBudget").Value().Number()
	switch {
	case !ok:
		return ""
	case budget == 0:
		return "off"
	}
	return "medium"
}
