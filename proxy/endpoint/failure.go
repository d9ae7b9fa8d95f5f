package endpoint

import (
	"net/http"
	"strconv"

	"hygeia/internal/jsonline"
)

// Failure returns an error of the given status as the API writes it (rulebook
// §0), with the headers that go with it. An endpoint without an API writes it as
// most do.
func (e Endpoint) Failure(status int, message string) (body []byte, header http.Header) {
	write := failures[e.API]
	if write == nil {
		write = openai
	}
	header = http.Header{"Content-Type": {"application/json"}}
	return write(status, string(jsonline.Quote(message)), header), header
}

// failures write an error; text is the message as a JSON string.
var failures = map[string]func(status int, text string, h http.Header) []byte{
	Anthropic: func(status int, text string, _ http.Header) []byte {
		return []byte(`{"type":"error","error":{"type":"` + word(anthropicTypes, status) + `","message":` + text + `}}`)
	},
	Gemini: google, Vertex: google, CodeAssist: google,
	Bedrock: func(status int, text string, h http.Header) []byte {
		h.Set("X-Amzn-Errortype", word(bedrockTypes, status))
		return []byte(`{"message":` + text + `}`)
	},
	Mistral: func(status int, text string, _ http.Header) []byte {
		return []byte(`{"object":"error","message":` + text + `,"type":"` + word(openaiTypes, status) + `","param":null,"code":null}`)
	},
	Ollama: func(_ int, text string, _ http.Header) []byte { return []byte(`{"error":` + text + `}`) },
	Codex:  func(_ int, text string, _ http.Header) []byte { return []byte(`{"detail":` + text + `}`) },
}

func openai(status int, text string, _ http.Header) []byte {
	return []byte(`{"error":{"message":` + text + `,"type":"` + word(openaiTypes, status) + `","param":null,"code":null}}`)
}

func google(status int, text string, _ http.Header) []byte {
	return []byte(`{"error":{"code":` + strconv.Itoa(status) + `,"message":` + text + `,"status":"` + word(googleTypes, status) + `"}}`)
}

// The names of statuses. What is not listed has the name of its hundred.
var (
	anthropicTypes = map[int]string{
		400: "invalid_request_error", 401: "authentication_error", 403: "permission_error", 404: "not_found_error",
		413: "request_too_large", 429: "rate_limit_error", 500: "api_error", 504: "timeout_error", 529: "overloaded_error",
	}
	openaiTypes = map[int]string{400: "invalid_request_error", 429: "rate_limit_error", 500: "server_error"}
	googleTypes = map[int]string{
		400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND", 429: "RESOURCE_EXHAUSTED",
		500: "INTERNAL", 503: "UNAVAILABLE", 504: "DEADLINE_EXCEEDED",
	}
	bedrockTypes = map[int]string{
		400: "ValidationException", 403: "AccessDeniedException", 404: "ResourceNotFoundException", 408: "ModelTimeoutException",
		429: "ThrottlingException", 500: "InternalServerException", 503: "ServiceUnavailableException",
	}
)

func word(names map[int]string, status int) string {
	if w, ok := names[status]; ok {
		return w
	}
	return names[status/100*100]
}
