package check

import (
	"fmt"
	"slices"
	"strings"
)

// mistralRules are the rules of file 90 §7 for Mistral's own API: form, ids,
// order of roles, pairs, the end of the list.
var mistralRules = []func(*request){
	func(r *request) { r.surrogates("AN-27") },
	mistralForm, mistralContent, mistralIDs, mistralOrder, mistralPairing, mistralPrefill, mistralImages,
}

// mistralModel checks what a model of Mistral's brings with it wherever it is
// served as Chat Completions. Unknown keys are CC-10 there.
func mistralModel(r *request) {
	if !r.host().mistral {
		return
	}
	for _, rule := range []func(*request){mistralContent, mistralIDs, mistralOrder, mistralPairing, mistralPrefill} {
		rule(r)
	}
	if r.target.Provider == "mistral" {
		mistralImages(r)
	}
}

// mistralKeys are the members of a message by its role.
var mistralKeys = map[string][]string{
	"system": {"role", "content"}, "user": {"role", "content"},
	"assistant": {"role", "content", "tool_calls", "prefix"}, "tool": {"role", "content", "tool_call_id", "name"},
}

// mistralParts are the types of content parts.
var mistralParts = []string{"text", "image_url", "document_url", "reference", "file", "input_audio", "thinking"}

// mistralForm checks members and content types (MI-08).
func mistralForm(r *request) {
	for i := range r.memo.chat {
		m := &r.memo.chat[i]
		if !m.isObject() {
			r.mistralSchema("messages", "messages", i)
			continue
		}
		keys := mistralKeys[m.role]
		for member := range m.members() {
			if name := member.name(); !slices.ContainsFunc(keys, func(key string) bool { return string(name) == key }) {
				r.mistralSchema(fmt.Sprintf("%s.%s", m.role, name), "messages", i, string(name))
			}
		}
		content := m.content
		if content.given() && !content.isString() && !content.isArray() {
			r.mistralSchema("content", "messages", i, "content")
		}
		for j, part := range content.elements() {
			typ := part.get("type").text()
			thinking := typ == "thinking" && m.role != "assistant"
			text := typ == "text" && !part.get("text").isString() || typ == "thinking" && !part.get("thinking").isArray()
			if !slices.Contains(mistralParts, typ) || thinking || text {
				r.mistralSchema("content."+typ, "messages", i, "content", j)
			}
		}
		for j, call := range m.toolCalls.elements() {
			if args := call.get("function").get("arguments"); !args.isString() && !args.isObject() {
				r.mistralSchema("arguments", "messages", i, "tool_calls", j, "function", "arguments")
			}
		}
	}
}

// calls returns how many calls a body of Chat Completions holds.
func (r *request) calls() int {
	n := 0
	for i := range r.memo.chat {
		n += r.memo.chat[i].calls
	}
	return n
}

func (r *request) mistralSchema(loc string, path ...any) {
	r.report("MI-08", pointer(path...), "loc", `loc:["body","`+loc+`"]`)
}

// mistralContent checks that an assistant message says something (MI-06, MI-07).
func mistralContent(r *request) {
	either := r.on("MI-07")
	for i := range r.memo.chat {
		m := &r.memo.chat[i]
		content := m.content
		said := content.isString() && !content.empty() || content.size() > 0
		switch calls := m.calls > 0; {
		case m.role != "assistant":
		case !said && !calls:
			r.report("MI-06", pointer("messages", i))
		case said && calls && either:
			r.report("MI-07", pointer("messages", i))
		}
	}
}

// mistralIDs checks the form of ids, and that no two calls share one.
func mistralIDs(r *request) {
	seen := make(map[string]bool, r.calls())
	for i := range r.memo.chat {
		m := &r.memo.chat[i]
		for j, c := range m.toolCalls.elements() {
			id := c.get("id").text()
			path := func() string { return pointer("messages", i, "tool_calls", j, "id") }
			switch {
			case !mistralID(id):
				r.report("MI-01", path(), " X ", " "+id+" ")
			case seen[id]:
				r.report("MI-10", path())
			}
			seen[id] = true
		}
		if id := m.answers; m.role == "tool" && !mistralID(id.text()) {
			r.report("MI-01", pointer("messages", i, "tool_call_id"), " X ", " "+id.text()+" ")
		}
	}
}

// mistralOrder checks what may follow what.
func mistralOrder(r *request) {
	before, called := "", false
	for i := range r.memo.chat {
		m := &r.memo.chat[i]
		role := m.role
		path := func() string { return pointer("messages", i) }
		switch {
		case role == "user" && before == "tool":
			r.report("MI-02", path())
		case role == "tool" && !called && before != "tool":
			r.report("MI-03", path(), "role 'user'", "role '"+before+"'")
		case role == "system" && (before == "assistant" || before == "tool"):
			r.reportText("MI-03", path(), "Unexpected role 'system' after role '"+before+"'")
		case role == "assistant" && (before == "" || before == "system"):
			r.report("MI-11", path())
		}
		before, called = role, role == "assistant" && m.calls > 0
	}
}

// mistralPairing checks that results are as many as the calls in front of them,
// and theirs.
func mistralPairing(r *request) {
	var calls callSet
	owner, results, made := -1, 0, 0
	settle := func() {
		if owner >= 0 && results != made {
			r.report("MI-05", pointer("messages", owner))
		}
		calls.reset()
		owner, results, made = -1, 0, 0
	}
	for i := range r.memo.chat {
		m := &r.memo.chat[i]
		if m.role == "tool" {
			results++
			if id := m.answers.text(); owner >= 0 && calls.find(id) < 0 {
				r.report("MI-09", pointer("messages", i, "tool_call_id"), " X ", " "+id+" ")
			}
			continue
		}
		settle()
		if m.role == "assistant" && m.calls > 0 {
			owner, made = i, m.calls
			for _, c := range m.toolCalls.elements() {
				calls.add(c.get("id").text())
			}
		}
	}
	settle()
}

// mistralPrefill checks the end of the list; an open call there is MI-05.
func mistralPrefill(r *request) {
	messages := r.memo.chat
	if n := len(messages); n > 0 {
		last := messages[n-1]
		if last.role == "assistant" && last.calls == 0 && !last.get("prefix").isTrue() {
			r.report("MI-04", pointer("messages", n-1))
		}
	}
}

// Limits of images (MI-12).
const (
	mistralMaxImages  = 8
	mistralImageBytes = 10_000_000
)

func mistralImages(r *request) {
	images := 0
	for i := range r.memo.chat {
		m := &r.memo.chat[i]
		for j, part := range m.content.elements() {
			url := part.get("image_url")
			if !url.given() {
				continue
			}
			images++
			if url.isObject() {
				url = url.get("url")
			}
			declared, data, inline := strings.Cut(strings.TrimPrefix(url.text(), "data:"), ";base64,")
			if inline && (sniff(data) == "" || sniff(data) != declared || base64Bytes(data) > mistralImageBytes) {
				r.report("MI-12", pointer("messages", i, "content", j))
			}
		}
	}
	if images > mistralMaxImages {
		r.report("MI-12", "/messages")
	}
}
