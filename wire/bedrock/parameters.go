package bedrock

import (
	"strings"

	"hygeia/wire"
	"hygeia/wire/internal/claude"
	"hygeia/wire/internal/tree"
)

// own are the members that a request in another format says in its own way, or
// that are of no use there.
var own = map[string]bool{"messages": true, "system": true, "modelId": true}

// parameters reads what the body says besides its messages.
func parameters(req *wire.Request, root tree.Node) {
	req.Model = root.Get("modelId").Text()
	var parts []string
	for b := range root.Get("system").Elements() {
		if t := b.Get("text"); t.IsString() && !t.Value().Blank() {
			parts = append(parts, t.Text())
		}
	}
	req.System = strings.Join(parts, "\n")
	fields := root.Get("additionalModelRequestFields")
	req.Thinking = claude.Level(fields)
	req.MaxTokens = claude.Limit(root.Get("inferenceConfig").Get("maxTokens"), fields)
	config := root.Get("toolConfig")
	for t := range config.Get("tools").Elements() {
		spec := t.Get("toolSpec")
		if !spec.IsObject() {
			if !t.Get("cachePoint").Exists() {
				req.Left = append(req.Left, "a tool of the service")
			}
			continue
		}
		req.Tools = append(req.Tools, wire.Tool{
			Name: spec.Get("name").Text(), Description: spec.Get("description").Value(), Schema: spec.Get("inputSchema").Get("json").Value(),
		})
	}
	leave := func(n tree.Node, prefix string, but map[string]bool) {
		for name := range n.Value().Object().Members() {
			if !but[name] {
				req.Left = append(req.Left, prefix+name)
			}
		}
	}
	leave(root.Get("inferenceConfig"), "inferenceConfig.", map[string]bool{"maxTokens": true})
	leave(config, "toolConfig.", map[string]bool{"tools": true})
	leave(fields, "additionalModelRequestFields.", map[string]bool{"thinking": true, "output_config": true})
	but := map[string]bool{"inferenceConfig": true, "toolConfig": true, "additionalModelRequestFields": true}
	for name := range own {
		but[name] = true
	}
	leave(root, "", but)
}
