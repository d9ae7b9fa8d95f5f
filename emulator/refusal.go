package emulator

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"hygeia/check"
)

// refusal is why a request is not answered, in the words of no provider.
type refusal struct {
	rule    string // of the rulebook, "" where it has none
	status  int
	message string
	param   string // place in the body, as OpenAI names it
	code    string // as OpenAI and Mistral know it
}

// refuse returns the refusal under a rule of the rulebook. The message is that
// of the rule unless one is given.
func refuse(rule, message string) *refusal {
	r := check.Lookup(rule)
	if message == "" && len(r.Messages) > 0 {
		message = r.Messages[0]
	}
	return &refusal{rule: rule, status: r.Status, message: message, code: codes[rule]}
}

// found returns the refusal that follows from the first finding.
func found(f check.Finding) *refusal {
	message := f.Message
	if same := sameText[f.Rule]; same != "" {
		message = check.Lookup(same).Messages[0]
		if at := pointerIndex.FindStringSubmatch(f.Path); at != nil {
			message = strings.NewReplacer("messages.N", "messages."+at[1], "immediately after: ID", "immediately after").Replace(message)
		}
	}
	if rest, ok := strings.CutPrefix(message, "…"); ok {
		message = blockPlace(f.Path) + rest
	}
	return &refusal{rule: f.Rule, status: f.Status, message: message, param: param(f.Path), code: codes[f.Rule]}
}

// sameText are rules whose text the rulebook gives with another one.
var sameText = map[string]string{
	"OP-02": "AN-20", "OP-03": "AN-14", "OP-04": "GG-09", "OP-05": "GG-08", "OP-07": "MI-01", "CA-03": "AN-03",
}

var anthropicBlockPointer = regexp.MustCompile(`^/messages/(\d+)/content/(\d+)`)

// blockPlace is where a block stands, in Anthropic's words, "" for other places.
// Texts of the rulebook that begin with it leave it out.
func blockPlace(pointer string) string {
	if at := anthropicBlockPointer.FindStringSubmatch(pointer); at != nil {
		return "messages." + at[1] + ".content." + at[2] + "."
	}
	return ""
}

// codes are the codes that OpenAI and Mistral give beside the message.
var codes = map[string]string{
	"OR-09": "invalid_encrypted_content", "AZ-02": "invalid_encrypted_content", "OR-21": "previous_response_not_found",
	"OR-10": "string_above_max_length", "OR-11": "string_above_max_length", "CC-05": "string_above_max_length",
	"OR-06": "invalid_value", "OR-07": "string_above_max_length", "OR-13": "invalid_value", "OR-14": "invalid_value",
	"OR-12": "unsupported_parameter", "OR-18": "unsupported_parameter", "OR-19": "unsupported_value", "AZ-03": "unknown_parameter",
	"CC-19": "unsupported_parameter", "OR-15": "missing_required_parameter", "OR-17": "missing_required_parameter",
	"OR-23": "missing_required_parameter", "CC-07": "empty_array", "CC-08": "empty_array", "CC-14": "empty_array", "CC-16": "empty_array",
	"CC-10": "wrong_api_format",
	"MI-01": "3280", "MI-02": "3230", "MI-03": "3230", "MI-04": "3230", "MI-05": "3230", "MI-11": "3230",
}

var pointerIndex = regexp.MustCompile(`/(\d+)`)

// param writes a JSON pointer as OpenAI names places: input[3].call_id.
func param(pointer string) string {
	p := pointerIndex.ReplaceAllString(pointer, "[$1]")
	return strings.ReplaceAll(strings.TrimPrefix(p, "/"), "/", ".")
}

// malformed is the refusal of a body that is no JSON.
func (c *call) malformed(err error) *refusal {
	return &refusal{rule: "AN-27", status: http.StatusBadRequest, message: c.shape.malformed + err.Error()}
}

// tooLarge is the refusal of a body beyond the bound.
func (c *call) tooLarge(limit int64) *refusal {
	switch c.route.shape {
	case "gemini":
		return refuse("GG-17", fmt.Sprintf("Request payload size exceeds the limit: %d bytes.", limit))
	}
	return &refusal{rule: "AN-46", status: http.StatusRequestEntityTooLarge, message: "Request exceeds the maximum size"}
}
