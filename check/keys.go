package check

import (
	"fmt"
	"slices"
)

// anthropicKeys are the members of messages and of the blocks that this project
// writes (AN-35). The list ages: a block of a type that is not here may have any.
var anthropicKeys = map[string][]string{
	"message":           {"role", "content"},
	"text":              {"type", "text", "cache_control", "citations"},
	"image":             {"type", "source", "cache_control"},
	"thinking":          {"type", "thinking", "signature"},
	"redacted_thinking": {"type", "data"},
	"tool_use":          {"type", "id", "name", "input", "cache_control", "caller"},
	"tool_result":       {"type", "tool_use_id", "content", "is_error", "cache_control"},
}

func anthropicUnknown(r *request) {
	check := func(n node, typ string, path func() string) {
		known := anthropicKeys[typ]
		for name := range n.members() {
			// Thinking blocks have a rule of their own for markers (AN-29).
			if known != nil && !slices.Contains(known, name) && name != "cache_control" {
				r.reportText("AN-35", path()+pointer(name), fmt.Sprintf("%s: Extra inputs are not permitted", name))
			}
		}
	}
	for _, m := range r.anthropicMessages() {
		check(m.node, "message", func() string { return pointer("messages", m.index) })
		for _, b := range m.blocks {
			check(b.node, b.typ(), b.path)
			if !b.get("type").is("tool_result") {
				continue
			}
			for k, inner := range b.get("content").elements() {
				check(inner, inner.get("type").text(), func() string { return b.path() + pointer("content", k) })
			}
		}
	}
}
