package chat

import (
	"hygeia/wire"
	"hygeia/wire/internal/tree"
)

// Functions reads the definitions of tools.
func Functions(req *wire.Request, tools tree.Node) {
	for t := range tools.Elements() {
		f := t.Get("function")
		if !f.IsObject() {
			req.Left = append(req.Left, "tool "+t.Get("type").Text())
			continue
		}
		req.Tools = append(req.Tools, wire.Tool{Name: f.Get("name").Text(), Description: f.Get("description").Value(), Schema: f.Get("parameters").Value()})
	}
}

// Leave notes the members of the body that have no place in another format: all
// but the named ones.
func Leave(req *wire.Request, but map[string]bool) {
	for name := range req.Body.Members() {
		if !but[name] {
			req.Left = append(req.Left, name)
		}
	}
}
