package emulator

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

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
	"OP-02": "AN-20", "OP-03": "AN-14", "OP-04": "GG-09", "OP-05": "GG-08", "OP-07": "MI-01", "CA-03": "AN-03", "CA-05": "AN-20",
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

// shape is how a provider writes an error.
type shape struct {
	// id is the header that holds the id of the request, and its beginning.
	id, idPrefix string
	header       map[string]string // of every answer
	// malformed is the text about a body that is no JSON.
	malformed string
	// credentials are the headers that may hold credentials, unauthorized what
	// is said of a request that has none.
	credentials  []string
	unauthorized *refusal
	body         func(*call, *refusal) any
}

var bearer = []string{"Authorization"}

// shapes are those of file 90 §0.
var shapes = map[string]*shape{
	"anthropic": {
		id: "Request-Id", idPrefix: "req_",
		header:       map[string]string{"Anthropic-Organization-Id": "00000000-0000-4000-8000-000000000000"},
		malformed:    "The request body is not valid JSON: ",
		credentials:  []string{"X-Api-Key", "Authorization", "Cf-Aig-Authorization"},
		unauthorized: &refusal{status: 401, message: "x-api-key header is required"},
		body:         anthropicError,
	},
	"openai": {
		id: "X-Request-Id", idPrefix: "req_",
		header:       map[string]string{"Openai-Version": "2020-10-01"},
		malformed:    "We could not parse the JSON body of your request. ",
		credentials:  []string{"Authorization", "Api-Key", "Cf-Aig-Authorization"},
		unauthorized: &refusal{status: 401, message: "You didn't provide an API key.", code: "missing_api_key"},
		body:         openaiError,
	},
	"codex": {
		id: "X-Request-Id", idPrefix: "req_", malformed: "Invalid JSON: ", credentials: bearer,
		unauthorized: &refusal{status: 401, message: `{"detail":"Unauthorized"}`}, body: codexError,
	},
	"gemini": {
		malformed: "Invalid JSON payload received. ", credentials: []string{"X-Goog-Api-Key", "Authorization"},
		unauthorized: &refusal{status: 403, message: "Method doesn't allow unregistered callers."}, body: geminiError,
	},
	"bedrock": {
		id: "X-Amzn-Requestid", malformed: "Invalid JSON: ", credentials: bearer,
		unauthorized: &refusal{status: 403, message: "Missing Authentication Token"}, body: bedrockError,
	},
	"mistral": {
		id: "Mistral-Correlation-Id", malformed: "Invalid JSON: ", credentials: bearer,
		unauthorized: &refusal{status: 401, message: "Unauthorized"}, body: mistralError,
	},
	"openrouter": {
		malformed: "Invalid JSON: ", credentials: bearer,
		unauthorized: &refusal{status: 401, message: "No auth credentials found"}, body: openrouterError,
	},
	"ollama":    {malformed: "invalid JSON: ", body: ollamaError},
	"llama.cpp": {malformed: "invalid JSON: ", body: llamaError},
}

// word returns the name of a status in a table, that of the nearest hundred if it
// has none of its own.
func word(names map[int]string, status int) string {
	if w, ok := names[status]; ok {
		return w
	}
	return names[status/100*100]
}

var anthropicTypes = map[int]string{
	400: "invalid_request_error", 401: "authentication_error", 403: "permission_error", 404: "not_found_error",
	413: "request_too_large", 429: "rate_limit_error", 500: "api_error", 504: "timeout_error", 529: "overloaded_error",
}

func anthropicError(c *call, f *refusal) any {
	message := c.minimaxText(f)
	return object{"type", "error", "error", object{"type", word(anthropicTypes, f.status), "message", message}, "request_id", "req_" + c.id}
}

// minimaxText words what others say in MiniMax's way (MM-08).
func (c *call) minimaxText(f *refusal) string {
	if strings.HasPrefix(c.target.Provider, "minimax") && f.status == http.StatusBadRequest && !strings.HasSuffix(f.message, "(2013)") {
		return "invalid params, " + f.message + " (2013)"
	}
	return f.message
}

var openaiTypes = map[int]string{400: "invalid_request_error", 429: "rate_limit_error", 500: "server_error"}

func openaiError(c *call, f *refusal) any {
	return object{"error", object{
		"message", c.minimaxText(f), "type", word(openaiTypes, f.status), "param", null(f.param), "code", null(f.code),
	}}
}

// null returns nil for an empty text.
func null(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func codexError(c *call, f *refusal) any {
	if strings.HasPrefix(f.message, `{"detail":`) {
		return jsontext.Value(f.message)
	}
	return openaiError(c, f)
}

var geminiStatus = map[int]string{
	400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND", 429: "RESOURCE_EXHAUSTED",
	500: "INTERNAL", 503: "UNAVAILABLE", 504: "DEADLINE_EXCEEDED",
}

func geminiError(c *call, f *refusal) any {
	message := f.message
	if c.claude && c.target.API == "google-gemini-cli" && (strings.HasPrefix(message, "messages.") || strings.HasPrefix(message, "tools.")) {
		message = string(encode(object{"type", "error", "error", object{"type", word(anthropicTypes, f.status), "message", message}}))
	}
	body := object{"error", object{"code", f.status, "message", message, "status", word(geminiStatus, f.status)}}
	if c.route.mode == stream && c.r.URL.Query().Get("alt") != "sse" {
		return list{body}
	}
	return body
}

var bedrockTypes = map[int]string{
	400: "ValidationException", 403: "AccessDeniedException", 404: "ResourceNotFoundException", 408: "ModelTimeoutException",
	424: "ModelErrorException", 429: "ThrottlingException", 500: "InternalServerException", 503: "ServiceUnavailableException",
}

func bedrockError(c *call, f *refusal) any {
	message := f.message
	if c.claude && c.target.API == "bedrock-converse-stream" && strings.HasPrefix(message, "messages.") && f.status == http.StatusBadRequest {
		message = "The model returned the following errors: " + message
	}
	c.w.Header().Set("X-Amzn-Errortype", word(bedrockTypes, f.status))
	return object{"message", message}
}

func mistralError(_ *call, f *refusal) any {
	if f.status == http.StatusUnprocessableEntity {
		var loc list
		for _, name := range append([]string{"body"}, strings.FieldsFunc(f.param, func(r rune) bool { return strings.ContainsRune("[].", r) })...) {
			loc = append(loc, name)
		}
		return object{"detail", list{object{"type", "extra_forbidden", "loc", loc, "msg", "Extra inputs are not permitted"}}}
	}
	typ := map[string]string{"3230": "invalid_request_message_order", "3280": "invalid_function_call"}[f.code]
	if typ == "" {
		typ = word(openaiTypes, f.status)
	}
	return object{"object", "error", "message", f.message, "type", typ, "param", nil, "code", null(f.code)}
}

// upstreams are the names of the providers behind OpenRouter, by the beginning
// of the model.
var upstreams = map[string]string{
	"anthropic": "Anthropic", "google": "Google AI Studio", "mistralai": "Mistral", "openai": "OpenAI", "x-ai": "xAI", "deepseek": "DeepSeek",
}

// openrouterError wraps what the provider behind it says; what OpenRouter itself
// refuses comes as it is (OP-01, OP-06).
func openrouterError(c *call, f *refusal) any {
	if f.status != http.StatusBadRequest || f.rule == "OP-06" || f.rule == "" {
		return object{"error", object{"message", f.message, "code", f.status}}
	}
	behind := openaiError
	switch vendor := c.vendor(); {
	case strings.HasPrefix(f.rule, "CC-"): // the form of the request itself
	case vendor == "anthropic":
		behind = anthropicError
	case vendor == "google":
		behind = geminiError
	case vendor == "mistralai":
		behind = mistralError
	}
	name := upstreams[c.vendor()]
	if name == "" {
		name = c.vendor()
	}
	return object{"error", object{
		"message", "Provider returned error", "code", f.status,
		"metadata",
		object{"raw", string(encode(behind(c, f))), "provider_name", name},
	}}
}

func ollamaError(_ *call, f *refusal) any { return object{"error", f.message} }

func llamaError(_ *call, f *refusal) any {
	return object{"error", object{"code", f.status, "message", f.message, "type", word(openaiTypes, f.status)}}
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
