package google_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"hygeia/payload"
	"hygeia/payload/internal/buildtest"
)

// The oracle reads a finished body with another decoder and checks the final
// invariants of file 80 §18 and what §14 says of the form. It shares no code
// with the converter. What the service would refuse is checked by the rulebook
// in TestAccepted.

type oracle struct {
	buildtest.Oracle
	in    *payload.Input
	calls []map[string]any // of the content in front
}

// findings returns what breaks an invariant.
func findings(body []byte, in *payload.Input) []string {
	o := &oracle{in: in}
	root := o.Read(body)
	if in.Target.API == "google-gemini-cli" {
		if root["model"] != in.Target.Model || len(fmt.Sprint(root["requestId"])) != 36 || root["userAgent"] == nil {
			o.Bad("W-631", "envelope")
		}
		root, _ = root["request"].(map[string]any)
	}
	contents, _ := root["contents"].([]any)
	if len(contents) == 0 {
		o.Bad("W-006", "no contents")
	}
	last := "model"
	for i, c := range contents {
		last = o.content(i, c.(map[string]any), last)
	}
	if last == "model" {
		o.Bad("W-608", "the list ends in a model content")
	}
	return o.Found
}

// content checks one content and returns its role; that of function responses
// is "response".
func (o *oracle) content(i int, c map[string]any, before string) string {
	role, _ := c["role"].(string)
	if role != "user" && role != "model" {
		o.Bad("W-601", "content %d: role %q", i, role)
	}
	parts, _ := c["parts"].([]any)
	if len(parts) == 0 {
		o.Bad("W-952", "content %d: no parts", i)
	}
	var calls, responses []map[string]any
	for j, p := range parts {
		part := p.(map[string]any)
		o.part(i, j, part, len(calls))
		if call, ok := part["functionCall"].(map[string]any); ok {
			calls = append(calls, call)
		} else if o.claude() && len(calls) > 0 && part["thought"] != true {
			o.Bad("W-634", "content %d: part %d stands behind a call", i, j)
		}
		if r, ok := part["functionResponse"].(map[string]any); ok {
			responses = append(responses, r)
		}
	}
	if len(responses) > 0 {
		if role != "user" || len(responses) != len(parts) {
			o.Bad("W-605", "content %d: responses beside other parts", i)
		}
		role = "response"
	}
	o.pair(i, responses)
	if o.calls = calls; len(calls) > 0 && role != "model" {
		o.Bad("W-607", "content %d: calls of role %s", i, role)
	}
	if role == before || role == "response" && before != "model" {
		o.Bad("W-961", "content %d: %s behind %s", i, role, before)
	}
	return role
}

// pair checks that responses answer the calls in front (W-604, W-606, W-953).
func (o *oracle) pair(i int, responses []map[string]any) {
	if len(responses) != len(o.calls) {
		o.Bad("W-953", "content %d: %d responses to %d calls", i, len(responses), len(o.calls))
		return
	}
	seen := map[any]bool{}
	for k, r := range responses {
		id, has := o.calls[k]["id"]
		if r["name"] != o.calls[k]["name"] || r["id"] != id || has != o.in.Policy.Wire.FunctionCallIDs || seen[id] && has {
			o.Bad("W-606", "content %d: response %v to call %v", i, r, o.calls[k])
		}
		seen[id] = true
		if r["parts"] != nil && !o.in.Policy.Wire.FunctionResponseImages {
			o.Bad("W-605", "content %d: images in a response", i)
		}
		response, _ := r["response"].(map[string]any)
		output, _ := response["output"].(string)
		if text, ok := response["error"].(string); ok {
			output = text
		}
		if len(response) != 1 || strings.TrimSpace(output) == "" {
			o.Bad("W-604", "content %d: response %v", i, response)
		}
	}
}

var (
	geminiName = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$`)
	claudeName = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`)
	base64     = regexp.MustCompile(`^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$`)
	dataFields = []string{"text", "inlineData", "fileData", "functionCall", "functionResponse", "executableCode", "codeExecutionResult"}
)

func (o *oracle) claude() bool { return o.in.Policy.SanitizeThinkingSignatures }

func (o *oracle) part(i, j int, p map[string]any, calls int) {
	data := 0
	for name := range p {
		if slices.Contains(dataFields, name) {
			data++
		} else if name != "thought" && name != "thoughtSignature" {
			o.Bad("GG-07", "content %d part %d: member %s", i, j, name)
		}
	}
	if text, ok := p["text"].(string); data != 1 || ok && text == "" {
		o.Bad("W-951", "content %d part %d: %v", i, j, p)
	}
	if text, ok := p["text"].(string); ok && o.claude() && strings.TrimSpace(text) == "" {
		o.Bad("AN-12", "content %d part %d: blank text", i, j)
	}
	sig, signed := p["thoughtSignature"].(string)
	allowed := o.in.Policy.Wire.SkipSignatureAllowed
	if signed && (sig == "" || !base64.MatchString(sig)) && !(allowed && sig == payload.SkipSignature && p["functionCall"] != nil && calls == 0) {
		o.Bad("W-960", "content %d part %d: signature %q", i, j, sig)
	}
	if p["thought"] == true && o.claude() && !signed {
		o.Bad("W-957", "content %d part %d: unsigned thinking", i, j)
	}
	call, ok := p["functionCall"].(map[string]any)
	if !ok {
		return
	}
	legal := geminiName
	if o.claude() {
		legal = claudeName
	}
	if name, _ := call["name"].(string); !legal.MatchString(name) {
		o.Bad("W-176", "content %d: name %q", i, name)
	}
	if _, ok := call["args"].(map[string]any); !ok {
		o.Bad("GG-20", "content %d: args %v", i, call["args"])
	}
	if calls == 0 && allowed && !signed {
		o.Bad("W-612", "content %d: unsigned first call", i)
	}
}
