package endpoint

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"hygeia/internal/jsonline"
)

// Endpoint is a path of a provider that takes a transcript.
type Endpoint struct {
	// API is the format of the body, a name of P-01.
	API string
	// Provider is whose path it is where only one has it, or the one that made
	// the format.
	Provider string
	// Model is the model that the path names, "" where the body does.
	Model string
	// Count says that tokens are counted: the body lacks what only an answer
	// needs, and may be an envelope.
	Count bool
	// Stream says that the path asks for a streamed answer that is no SSE unless
	// the query says so.
	Stream bool
}

// The APIs, by the names of P-01.
const (
	Anthropic  = "anthropic-messages"
	Chat       = "openai-completions"
	Responses  = "openai-responses"
	Codex      = "openai-chatgpt-responses"
	Azure      = "azure-openai-responses"
	Mistral    = "mistral-conversations"
	Gemini     = "google-generative-ai"
	Vertex     = "google-vertex"
	CodeAssist = "google-gemini-cli"
	Bedrock    = "bedrock-converse-stream"
	Ollama     = "ollama"
)

// routes are the ends of paths. A segment "*" is the model; in "*:verb" it is
// what stands in front of the verb. The first that fits counts.
var routes = []struct {
	end string
	Endpoint
}{
	{"v1/messages", Endpoint{API: Anthropic, Provider: "anthropic"}},
	{"v1/messages/count_tokens", Endpoint{API: Anthropic, Provider: "anthropic", Count: true}},
	{"openai/deployments/*/chat/completions", Endpoint{API: Chat, Provider: "azure-openai"}},
	{"api/v1/chat/completions", Endpoint{API: Chat, Provider: "openrouter"}},
	{"v1beta/openai/chat/completions", Endpoint{API: Chat, Provider: "google"}},
	{"chat/completions", Endpoint{API: Chat, Provider: "openai"}},
	{"codex/responses", Endpoint{API: Codex, Provider: "openai"}},
	{"responses", Endpoint{API: Responses, Provider: "openai"}},
	{"responses/input_tokens", Endpoint{API: Responses, Provider: "openai", Count: true}},
	{"api/chat", Endpoint{API: Ollama, Provider: "ollama"}},

	{"publishers/google/models/*:generateContent", Endpoint{API: Vertex, Provider: "google-vertex"}},
	{"publishers/google/models/*:streamGenerateContent", Endpoint{API: Vertex, Provider: "google-vertex", Stream: true}},
	{"publishers/google/models/*:countTokens", Endpoint{API: Vertex, Provider: "google-vertex", Count: true}},
	{"publishers/anthropic/models/count-tokens:rawPredict", Endpoint{API: Anthropic, Provider: "anthropic-vertex", Count: true}},
	{"publishers/anthropic/models/*:rawPredict", Endpoint{API: Anthropic, Provider: "anthropic-vertex"}},
	{"publishers/anthropic/models/*:streamRawPredict", Endpoint{API: Anthropic, Provider: "anthropic-vertex"}},
	{"models/*:generateContent", Endpoint{API: Gemini, Provider: "google"}},
	{"models/*:streamGenerateContent", Endpoint{API: Gemini, Provider: "google", Stream: true}},
	{"models/*:countTokens", Endpoint{API: Gemini, Provider: "google", Count: true}},
	{"v1internal:generateContent", Endpoint{API: CodeAssist, Provider: "google-gemini-cli"}},
	{"v1internal:streamGenerateContent", Endpoint{API: CodeAssist, Provider: "google-gemini-cli", Stream: true}},
	{"v1internal:countTokens", Endpoint{API: CodeAssist, Provider: "google-gemini-cli", Count: true}},

	{"model/*/converse", Endpoint{API: Bedrock, Provider: "amazon-bedrock"}},
	{"model/*/converse-stream", Endpoint{API: Bedrock, Provider: "amazon-bedrock"}},
	{"model/*/count-tokens", Endpoint{API: Bedrock, Provider: "amazon-bedrock", Count: true}},
	{"model/*/invoke", Endpoint{API: Anthropic, Provider: "amazon-bedrock"}},
	{"model/*/invoke-with-response-stream", Endpoint{API: Anthropic, Provider: "amazon-bedrock"}},
}

// ends are the routes, their paths taken apart.
var ends = func() [][]string {
	var out [][]string
	for _, r := range routes {
		out = append(out, strings.Split(r.end, "/"))
	}
	return out
}()

// Find returns the endpoint behind a path, which is in its escaped form, and
// whether it is one that takes a transcript.
func Find(method, path string) (Endpoint, bool) {
	if method != http.MethodPost {
		return Endpoint{}, false
	}
	segments := strings.Split(strings.Trim(path, "/"), "/")
	for i, end := range ends {
		if len(segments) < len(end) {
			continue
		}
		if model, ok := match(end, segments[len(segments)-len(end):]); ok {
			e := routes[i].Endpoint
			e.Model = model
			return e, true
		}
	}
	return Endpoint{}, false
}

func match(end, segments []string) (model string, ok bool) {
	for i, want := range end {
		verb, wild := strings.CutPrefix(want, "*")
		if !wild {
			if segments[i] != want {
				return "", false
			}
			continue
		}
		name, _ := url.PathUnescape(segments[i]) // "" if it cannot be read
		if name, ok = strings.CutSuffix(name, verb); !ok || name == "" {
			return "", false
		}
		model = name
	}
	return model, true
}

// providerAPIs are the APIs of providers whose endpoints are called like those of
// others.
var providerAPIs = map[string]map[string]string{
	"mistral":      {Chat: Mistral},
	"azure-openai": {Responses: Azure},
}

// As returns the endpoint as it is at a provider, "" for the one whose path it
// is.
func (e Endpoint) As(provider string) Endpoint {
	if provider != "" {
		e.Provider = provider
	}
	if api := providerAPIs[e.Provider][e.API]; api != "" {
		e.API = api
	}
	return e
}

// inner are the places where the request stands in bodies that ask for tokens to
// be counted; the API itself knows its other envelopes.
var inner = map[string][]string{
	Gemini:  {"generateContentRequest"},
	Vertex:  {"generateContentRequest"},
	Bedrock: {"input", "converse"},
}

// Request returns the request in a body: the body itself unless the endpoint
// counts tokens and it is wrapped.
func (e Endpoint) Request(body []byte) []byte {
	path := e.wrapped(body)
	if path == nil {
		return body
	}
	v := jsonline.Parse(body)
	for _, name := range path {
		v = v.Object().Get(name)
	}
	return v.Raw
}

// wrapped returns the path of the request in a body, none if it is not wrapped.
func (e Endpoint) wrapped(body []byte) []string {
	if !e.Count {
		return nil
	}
	path := inner[e.API]
	v := jsonline.Parse(body)
	for _, name := range path {
		if v = v.Object().Get(name); v.Kind != jsonline.ObjectKind {
			return nil
		}
	}
	return path
}

// Wrap returns the body with another request in the place of the one that
// [Endpoint.Request] returned.
func (e Endpoint) Wrap(body, request []byte) []byte {
	path := e.wrapped(body)
	if path == nil {
		return request
	}
	objects := []jsonline.Object{jsonline.ParseObject(body)}
	for _, name := range path[:len(path)-1] {
		objects = append(objects, objects[len(objects)-1].Get(name).Object())
	}
	v := jsonline.Parse(request)
	for i, o := range slices.Backward(objects) {
		v = o.With(path[i], v).Value()
	}
	return v.Raw
}

// Of returns the endpoint whose errors a provider writes on paths that are none.
func Of(provider string) Endpoint {
	for _, r := range routes {
		if r.Provider == provider {
			return Endpoint{API: r.API, Provider: provider}
		}
	}
	return Endpoint{Provider: provider}.As("")
}
