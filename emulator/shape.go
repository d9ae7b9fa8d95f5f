package emulator

import (
	"net/http"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

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
