package check

import (
	"fmt"
	"strings"
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
		case "function_call_output", "custom_tool_call_output":
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
		case "function_call", "custom_tool_call":
			calls[id] = true
			if last, ok := outputs[id]; !ok || last < it.index {
				r.report("OR-03", it.path(), "call_…", id)
			}
		case "function_call_output", "custom_tool_call_output":
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
