package check

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// responsesRules, codexRules and azureRules are the rules of file 90 §3 in the
// order in which the services look: parameters, form of each item, then what
// items mean to each other. What only the service knows is not here: whether an
// item was stored and who issued encrypted content (OR-09, OR-21, AZ-02).
var (
	responsesRules = []func(*request){
		func(r *request) { r.surrogates("AN-27") },
		responsesParameters, responsesTools, responsesItems, responsesModel, responsesIDs, responsesPairing, responsesReasoning,
	}
	codexRules = append([]func(*request){codexParameters}, responsesRules...)
	azureRules = append([]func(*request){azureKeys, azureIDs}, responsesRules...)
)

const (
	maxItemID   = 64
	maxCallID   = 64
	maxCacheKey = 64
)

// inputItem is one item of the input and where it stands.
type inputItem struct {
	node
	index            int
	typ, role        string
	id, call         node // call is call_id
	content, outcome node // outcome is output
}

func (it *inputItem) path(members ...any) string {
	return pointer(append([]any{"input", it.index}, members...)...)
}

// at is the pair of words that puts the place into a template.
func (it *inputItem) at(more ...string) []string {
	return append([]string{"input[N]", fmt.Sprintf("input[%d]", it.index)}, more...)
}

// produced reports whether the model wrote the item.
func (it *inputItem) produced() bool {
	return it.typ == "message" && it.role == "assistant" || it.typ == "item_reference" || strings.HasSuffix(it.typ, "_call")
}

// readInput lists the items of the input. An item without a type is a message.
func readInput(r *request) {
	for i, n := range r.root.get("input").elements() {
		it := inputItem{node: n, index: i}
		said := false
		for member := range n.members() {
			switch string(member.name()) {
			case "type":
				it.typ = member.word()
			case "role":
				it.role, said = member.word(), member.given()
			case "id":
				it.id = member
			case "call_id":
				it.call = member
			case "content":
				it.content = member
			case "output":
				it.outcome = member
			}
		}
		if it.typ == "" && said {
			it.typ = "message"
		}
		r.memo.input = append(r.memo.input, it)
	}
}

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

// goesOn reports whether a request goes on from a response that is stored (W-335).
func goesOn(r *request) bool {
	return r.root.get("previous_response_id").given() || r.root.get("conversation").given()
}

// responsesIDs checks that ids are unique, and can be resolved where nothing is
// stored (OR-05, OR-08).
func responsesIDs(r *request) {
	codex, goesOn := r.target.API == "openai-chatgpt-responses", goesOn(r)
	unstored := codex || r.root.get("store").isFalse()
	seen := map[string]bool{}
	for i := range r.memo.input {
		it := &r.memo.input[i]
		if !it.id.given() {
			continue
		}
		id := it.id.text()
		if seen[id] {
			r.report("OR-05", it.path("id"), "rs_…", id)
		}
		seen[id] = true
		bare := it.typ == "item_reference" || it.size() == 1 || it.size() == 2 && it.get("type").exists()
		if !unstored || goesOn && it.typ == "item_reference" || !bare && (it.typ != "reasoning" || it.get("encrypted_content").given()) {
			continue
		}
		rule := "OR-08"
		if codex {
			rule = "CX-08"
		}
		r.reportText(rule, it.path("id"), Lookup("OR-08").Messages[0], "rs_…", id)
	}
}

// responsesPairing checks that each call has an output behind it, and each
// output a call in front of it unless a stored response may hold that.
func responsesPairing(r *request) {
	list := r.memo.input
	outputs := make(map[string]int, len(list)/3) // by call id: the last output
	elsewhere := goesOn(r)
	for i := range list {
		it := &list[i]
		switch it.typ {
		case "function_call_output":
			outputs[it.call.text()] = it.index
		case "item_reference":
			elsewhere = true
		}
	}
	calls := make(map[string]bool, len(outputs))
	for i := range list {
		it := &list[i]
		id := it.call.text()
		switch it.typ {
		case "function_call":
			calls[id] = true
			if last, ok := outputs[id]; !ok || last < it.index {
				r.report("OR-03", it.path(), "call_…", id)
			}
		case "function_call_output":
			if !calls[id] && !elsewhere {
				r.report("OR-04", it.path(), "call_…", id)
			}
		}
	}
}

// responsesReasoning checks what stands behind reasoning items (OR-01), and that
// what they led to does not carry an id where they carry none (OR-02). That an
// item was generated with reasoning shows only where its reasoning is there.
func responsesReasoning(r *request) {
	list := r.memo.input
	unnamed := false // the newest reasoning of this output has no id
	for i := range list {
		it := &list[i]
		if it.typ == "reasoning" {
			unnamed = !it.id.given()
			next := i + 1
			for next < len(list) && list[next].typ == "reasoning" {
				next++
			}
			if !unnamed && (next == len(list) || !list[next].produced()) {
				r.report("OR-01", it.path(), "rs_…", it.id.text())
			}
			continue
		}
		if !it.produced() {
			unnamed = false
			continue
		}
		if unnamed && it.id.given() && (it.typ == "function_call" || it.typ == "message") {
			r.reportText("OR-02", it.path("id"), "Item 'X' of type 'function_call' was provided without its required 'reasoning' item.",
				"'X'", "'"+it.id.text()+"'", "'function_call'", "'"+it.typ+"'")
		}
	}
}
