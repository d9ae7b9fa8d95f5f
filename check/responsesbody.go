package check

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

func responsesParameters(r *request) {
	if r.root.get("messages").exists() {
		r.report("OR-12", "/messages")
	}
	input := r.root.get("input")
	empty := input.isArray() && input.size() == 0 || input.empty() || !input.given()
	if empty && !r.root.get("previous_response_id").given() && !r.root.get("prompt").given() && !r.root.get("conversation").given() {
		r.report("OR-22", "/input")
	}
	if n := utf8.RuneCountInString(r.root.get("prompt_cache_key").text()); n > maxCacheKey {
		r.report("OR-10", "/prompt_cache_key", "length L", fmt.Sprintf("length %d", n))
	}
}

func responsesTools(r *request) {
	for i, t := range r.root.get("tools").elements() {
		switch name := t.get("name"); {
		case t.get("type").given() && !t.get("type").is("function"):
			// tools of the service have names of their own
		case !name.given():
			r.report("OR-23", pointer("tools", i, "name"), "tools[0]", fmt.Sprintf("tools[%d]", i))
		case !anthropicName(name.text()):
			r.report("OR-16", pointer("tools", i, "name"), "input[N]", fmt.Sprintf("tools[%d]", i))
		}
	}
}

// openaiModel is what the name of a model of OpenAI says about it. As with
// Claude it stands here and not in a profile, so that a mistake there is found.
type openaiModel struct {
	reasons bool     // it is known to reason
	plain   bool     // it is known not to
	efforts []string // the efforts it knows, nil if that is not known
}

var gptName = regexp.MustCompile(`^gpt-(\d+)(?:\.(\d+))?`)

func parseOpenAI(model string) openaiModel {
	m := strings.ToLower(model[strings.LastIndexByte(model, '/')+1:])
	if strings.HasPrefix(m, "gpt-oss") || len(m) > 1 && m[0] == 'o' && strings.ContainsRune("134", rune(m[1])) {
		return openaiModel{reasons: true, efforts: []string{"low", "medium", "high"}}
	}
	f := gptName.FindStringSubmatch(m)
	if f == nil {
		return openaiModel{}
	}
	major, minor := atoi(f[1]), atoi(f[2])
	switch {
	case major < 5 || strings.Contains(m, "-chat"):
		return openaiModel{plain: true}
	case strings.Contains(m, "codex"), strings.Contains(m, "-pro"):
		return openaiModel{reasons: true}
	case major == 5 && minor == 0:
		return openaiModel{reasons: true, efforts: []string{"minimal", "low", "medium", "high"}}
	case major == 5 && minor == 1:
		return openaiModel{reasons: true, efforts: []string{"none", "low", "medium", "high"}}
	}
	return openaiModel{reasons: true, efforts: []string{"none", "low", "medium", "high", "xhigh"}}
}

// responsesModel holds a request to what its model takes (OR-18, OR-19).
func responsesModel(r *request) {
	model := parseOpenAI(r.target.Model)
	effort := r.root.get("reasoning").get("effort")
	if model.plain {
		responsesPlain(r)
	}
	for _, name := range []string{"temperature", "top_p"} {
		v := r.root.get(name)
		if n, _ := v.number(); model.reasons && v.given() && n != 1 && !effort.is("none") {
			r.report("OR-18", pointer(name), "temperature", name)
		}
	}
	known := model.efforts == nil || slices.Contains(model.efforts, effort.text())
	if effort.given() && (!known || effort.is("minimal") && responsesSearches(r)) {
		r.report("OR-19", "/reasoning/effort",
			"'X'", "'"+effort.text()+"'", "'MODEL'", "'"+r.target.Model+"'", "…", "'"+strings.Join(model.efforts, "', '")+"'.")
	}
}

// responsesPlain finds reasoning in a request to a model that does not reason.
func responsesPlain(r *request) {
	texts := Lookup("OR-18").Messages
	if r.root.get("reasoning").size() > 0 {
		r.reportText("OR-18", "/reasoning", texts[1])
	}
	for i, n := range r.root.get("include").elements() {
		if n.is("reasoning.encrypted_content") {
			r.reportText("OR-18", pointer("include", i), texts[2])
		}
	}
	for i := range r.memo.input {
		it := &r.memo.input[i]
		if it.typ == "reasoning" {
			r.reportText("OR-18", it.path(), texts[2])
		}
	}
}

func responsesSearches(r *request) bool {
	for _, t := range r.root.get("tools").elements() {
		if strings.HasPrefix(t.get("type").text(), "web_search") {
			return true
		}
	}
	return false
}

// codexRefuses are the parameters of CX-05.
var codexRefuses = []string{
	"temperature", "top_p", "max_output_tokens", "presence_penalty", "frequency_penalty", "seed", "metadata", "top_logprobs",
	"truncation", "service_tier", "user", "prompt_cache_retention", "context_management",
}

func codexParameters(r *request) {
	instructions := r.root.get("instructions")
	switch {
	case instructions.blank() || !instructions.isString():
		r.report("CX-01", "/instructions")
	case !strings.Contains(instructions.text(), "Codex"):
		r.report("CX-02", "/instructions")
	}
	if !r.root.get("store").isFalse() {
		r.report("CX-03", "/store")
	}
	if !r.root.get("stream").isTrue() {
		r.report("CX-04", "/stream")
	}
	for _, name := range codexRefuses {
		if r.root.get(name).given() {
			r.report("CX-05", pointer(name), ": X", ": "+name)
		}
	}
	if input := r.root.get("input"); input.given() && !input.isArray() {
		r.report("CX-06", "/input")
	}
	for i := range r.memo.input {
		it := &r.memo.input[i]
		if it.typ == "message" && it.role == "system" {
			r.report("CX-07", it.path("role"))
		}
	}
}

// azureKnows are the parameters of the Responses API (AZ-03, file 90 §9: the
// list ages).
var azureKnows = []string{
	"background", "context_management", "conversation", "include", "input", "instructions", "max_output_tokens", "max_tool_calls",
	"messages", // OR-12
	"metadata", "model", "parallel_tool_calls", "previous_response_id", "prompt", "prompt_cache_key", "prompt_cache_retention",
	"reasoning", "safety_identifier", "service_tier", "store", "stream", "stream_options", "temperature", "text", "tool_choice",
	"tools", "top_logprobs", "top_p", "truncation", "user",
}

func azureKeys(r *request) {
	for member := range r.root.members() {
		if name := string(member.name()); !slices.Contains(azureKnows, name) {
			r.report("AZ-03", pointer(name), "reasoning_effort", name)
		}
	}
}

// azureIDs finds item ids in a request that does not say that items are stored
// (AZ-01).
func azureIDs(r *request) {
	if r.root.get("store").isTrue() {
		return
	}
	for i := range r.memo.input {
		it := &r.memo.input[i]
		if it.id.given() {
			r.report("AZ-01", it.path("id"), "rs_…", it.id.text())
		}
	}
}
