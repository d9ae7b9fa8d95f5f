package check

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

func responsesItems(r *request) {
	for i := range r.memo.input {
		it := &r.memo.input[i]
		responsesID64(r, it)
		switch it.typ {
		case "message":
			responsesMessage(r, it)
		case "reasoning":
			if !it.get("summary").isArray() {
				r.report("OR-15", it.path("summary"), it.at()...)
			}
			if e := it.get("encrypted_content"); e.given() && (!e.isString() || e.blank()) {
				r.report("OR-09", it.path("encrypted_content"), "gAAA…", e.text())
			}
		case "function_call":
			responsesCallID(r, it)
			name := it.get("name").text()
			if !chatName(name) {
				r.report("OR-16", it.path("name"), it.at()...)
			}
			if !it.get("arguments").isString() {
				r.reportText("OR-16", it.path("arguments"), "Missing required parameter: 'input[N].arguments'.", it.at()...)
			}
		case "function_call_output":
			responsesCallID(r, it)
			responsesOutput(r, it)
		}
	}
}

// responsesPrefixes are the beginnings of ids by type of item (OR-06).
var responsesPrefixes = map[string]string{
	"reasoning": "rs", "function_call": "fc", "message": "msg", "custom_tool_call": "ctc", "web_search_call": "ws", "computer_call": "cu",
}

func responsesID64(r *request, it *inputItem) {
	if !it.id.given() {
		return
	}
	id := it.id.text()
	if prefix := responsesPrefixes[it.typ]; !strings.HasPrefix(id, prefix) {
		r.report("OR-06", it.path("id"), it.at("'X'", "'"+id+"'", "'fc'", "'"+prefix+"'")...)
	}
	switch {
	case utf8.RuneCountInString(id) > maxItemID:
		r.report("OR-07", it.path("id"), it.at("length L", fmt.Sprintf("length %d", utf8.RuneCountInString(id)))...)
	case !responsesID(id):
		r.reportText("OR-07", it.path("id"), Lookup("OR-07").Messages[1], "…", fmt.Sprintf("Invalid 'input[%d].id': '%s'. ", it.index, id))
	}
}

func responsesCallID(r *request, it *inputItem) {
	id := it.call
	switch n := utf8.RuneCountInString(id.text()); {
	case n == 0:
		r.reportText("OR-11", it.path("call_id"), Lookup("OR-11").Messages[1], it.at()...)
	case n > maxCallID:
		r.report("OR-11", it.path("call_id"), it.at()...)
	}
}

// responsesParts are the types of parts by who says them (OR-14).
var responsesParts = map[bool][]string{
	true:  {"output_text", "refusal"},
	false: {"input_text", "input_image", "input_file"},
}

func responsesMessage(r *request, it *inputItem) {
	role := it.role
	switch role {
	case "user", "assistant", "system", "developer":
	default:
		r.report("OR-13", it.path("role"), "'tool'", "'"+role+"'")
	}
	for j, part := range it.content.elements() {
		allowed := responsesParts[role == "assistant"]
		if typ := part.get("type").text(); !slices.Contains(allowed, typ) {
			r.report("OR-14", it.path("content", j, "type"),
				"'input_text'", "'"+typ+"'", "'output_text' and 'refusal'", "'"+strings.Join(allowed, "', '")+"'")
		}
		responsesImage(r, part, it, "content", j)
	}
}

// responsesOutput holds the output of a call to its form (OR-17).
func responsesOutput(r *request, it *inputItem) {
	out := it.outcome
	if !out.isString() && out.size() == 0 {
		r.report("OR-17", it.path("output"), it.at()...)
	}
	for j, part := range out.elements() {
		if !slices.Contains(responsesParts[false], part.get("type").text()) {
			r.report("OR-17", it.path("output", j, "type"), it.at()...)
		}
		responsesImage(r, part, it, "output", j)
	}
}

// responsesImage checks a picture that stands in the body itself, as part j of a
// member of an item (OR-20).
func responsesImage(r *request, part node, it *inputItem, member string, j int) {
	if !part.get("type").is("input_image") || part.get("file_id").given() {
		return
	}
	url := part.get("image_url")
	if strings.HasPrefix(url.text(), "http") {
		return
	}
	declared, data, _ := strings.Cut(strings.TrimPrefix(url.text(), "data:"), ";base64,")
	switch declared {
	case "image/jpeg", "image/png", "image/webp", "image/gif":
		if sniff(data) == "" {
			r.reportText("OR-20", it.path(member, j, "image_url"), Lookup("OR-20").Messages[1])
		}
	default:
		r.report("OR-20", it.path(member, j, "image_url"), it.at("content[M]", fmt.Sprintf("%s[%d]", member, j))...)
	}
}
