package check

import (
	"fmt"
	"slices"

	"hygeia/internal/jsonline"
)

func chatTools(r *request) {
	tools := r.root.get("tools")
	called := func(m chatMessage) bool { return m.calls > 0 }
	if tools.exists() && tools.size() == 0 && !(r.host().emptyTools && slices.ContainsFunc(r.memo.chat, called)) {
		r.report("CC-16", "/tools")
	}
	if r.root.get("tool_choice").given() && tools.size() == 0 {
		r.report("CC-16", "/tool_choice")
	}
	for i, t := range tools.elements() {
		kind := "function"
		if t.get("type").is("custom") {
			kind = "custom"
		}
		if n := t.get(kind).get("name").text(); !chatName(n) {
			r.report("CC-17", pointer("tools", i, kind, "name"))
		}
		if f := t.get("function"); r.host().minimax && f.given() && f.get("parameters").size() == 0 {
			r.report("MM-04", pointer("tools", i, "function", "parameters"))
		}
	}
	var inTurn callSet
	for i := range r.memo.chat {
		inTurn.reset()
		for j, c := range r.memo.chat[i].toolCalls.elements() {
			chatCall(r, i, j, c, &inTurn)
		}
	}
}

func chatCall(r *request, i, j int, c node, inTurn *callSet) {
	path := func(member string) string { return pointer("messages", i, "tool_calls", j) + member }
	where := func(more ...string) []string {
		return append([]string{"messages[N]", fmt.Sprintf("messages[%d]", i), "tool_calls[M]", fmt.Sprintf("tool_calls[%d]", j)}, more...)
	}
	id := c.get("id").text()
	if inTurn.find(id) >= 0 {
		r.report("CC-04", path("/id"), where("ID", id)...)
	}
	inTurn.add(id)
	if r.host().openai && len(id) > 40 {
		r.report("CC-05", path("/id"), where("length L", fmt.Sprintf("length %d", len(id)))...)
	}
	f := c.get("function")
	custom := c.get("type").is("custom")
	if custom {
		f = c.get("custom")
	}
	if !chatName(f.get("name").text()) {
		r.report("CC-17", path("/function/name"), where()...)
	}
	args := f.get("arguments")
	if custom {
		return // it takes free text
	}
	if !args.isString() || !r.holdsObject(args) {
		r.report("CC-18", path("/function/arguments"))
	}
}

// holdsObject reports whether the text of a string is a JSON object.
func (r *request) holdsObject(text node) bool {
	r.text = text.value().AppendString(r.text[:0])
	err := r.inner.ScanAll(r.text, jsonline.Options{InvalidUTF8: true})
	return err == nil && r.inner.Nodes[0].Kind == jsonline.ObjectKind
}
