package emulator

import (
	"net/http"
	"regexp"
	"strings"

	"hygeia/internal/guard"
	"hygeia/policy"
)

// route is a path of a provider.
type route struct {
	path     string
	api      string
	provider string // "" is read from the model
	shape    string // of errors, see shapes
	mode     mode
}

// mode is what a path asks for.
type mode int

const (
	asked  mode = iota // an answer, streamed if the body says so
	unless             // an answer, streamed unless the body says no
	plain              // an answer in one piece
	stream             // a streamed answer
	count              // the number of tokens
	verb               // as the end of the path says
)

// routes are the paths of all providers as they are there. Several providers
// share one; which of them is meant stands in front (/to/PROVIDER) or is read
// from the model.
var routes = []route{
	{"/v1/messages", "anthropic-messages", "anthropic", "anthropic", asked},
	{"/v1/messages/count_tokens", "anthropic-messages", "anthropic", "anthropic", count},
	{"/anthropic/v1/messages", "anthropic-messages", "minimax", "anthropic", asked},
	{"/anthropic/v1/messages/count_tokens", "anthropic-messages", "minimax", "anthropic", count},
	{"/v1/{account}/{gateway}/anthropic/v1/messages", "anthropic-messages", "cloudflare-ai-gateway", "anthropic", asked},
	{"/v1/{account}/{gateway}/openai/chat/completions", "openai-completions", "cloudflare-ai-gateway", "openai", asked},

	{"/v1/responses", "openai-responses", "openai", "openai", asked},
	{"/v1/responses/input_tokens", "openai-responses", "openai", "openai", count},
	{"/backend-api/codex/responses", "openai-chatgpt-responses", "openai", "codex", asked},
	{"/openai/v1/responses", "azure-openai-responses", "azure-openai", "openai", asked},
	{"/openai/v1/responses/input_tokens", "azure-openai-responses", "azure-openai", "openai", count},
	{"/openai/responses", "azure-openai-responses", "azure-openai", "openai", asked},

	{"/v1/chat/completions", "openai-completions", "", "openai", asked},
	{"/chat/completions", "openai-completions", "", "openai", asked},
	{"/openai/v1/chat/completions", "openai-completions", "azure-openai", "openai", asked},
	{"/v1beta/openai/chat/completions", "openai-completions", "google", "openai", asked},
	{"/openai/deployments/{model}/chat/completions", "openai-completions", "azure-openai", "openai", asked},
	{"/api/v1/chat/completions", "openai-completions", "openrouter", "openrouter", asked},
	{"/api/chat", "ollama", "ollama", "ollama", unless},

	{"/v1beta/models/{call}", "google-generative-ai", "google", "gemini", verb},
	{"/v1/models/{call}", "google-generative-ai", "google", "gemini", verb},
	{"/v1/projects/{project}/locations/{location}/publishers/google/models/{call}", "google-vertex", "google-vertex", "gemini", verb},
	{"/v1beta1/projects/{project}/locations/{location}/publishers/google/models/{call}", "google-vertex", "google-vertex", "gemini", verb},
	{"/v1/projects/{project}/locations/{location}/publishers/anthropic/models/{call}", "anthropic-messages", "anthropic-vertex", "anthropic", verb},
	{"/v1internal:generateContent", "google-gemini-cli", "", "gemini", plain},
	{"/v1internal:streamGenerateContent", "google-gemini-cli", "", "gemini", stream},
	{"/v1internal:countTokens", "google-gemini-cli", "", "gemini", count},

	{"/model/{model}/converse", "bedrock-converse-stream", "amazon-bedrock", "bedrock", plain},
	{"/model/{model}/converse-stream", "bedrock-converse-stream", "amazon-bedrock", "bedrock", stream},
	{"/model/{model}/count-tokens", "bedrock-converse-stream", "amazon-bedrock", "bedrock", count},
	{"/model/{model}/invoke", "anthropic-messages", "amazon-bedrock", "bedrock", plain},
	{"/model/{model}/invoke-with-response-stream", "anthropic-messages", "amazon-bedrock", "bedrock", stream},
}

// verbs are the ends of paths that say what is asked for.
var verbs = map[string]mode{
	"generateContent": plain, "streamGenerateContent": stream, "countTokens": count,
	"rawPredict": plain, "streamRawPredict": stream,
}

// hosts are the APIs and shapes of providers that differ from what their path
// says.
var hosts = map[string]struct{ path, api, shape string }{
	"mistral":      {"openai-completions", "mistral-conversations", "mistral"},
	"openrouter":   {"openai-completions", "", "openrouter"},
	"llama.cpp":    {"openai-completions", "", "llama.cpp"},
	"llamacpp":     {"openai-completions", "", "llama.cpp"},
	"azure-openai": {"openai-responses", "azure-openai-responses", "openai"},
}

// owners tell whose model it is where several providers share a path.
var owners = []struct {
	model    *regexp.Regexp
	provider string
}{
	{regexp.MustCompile(`(?i)^(?:open-)?(?:mi[sx]tral|codestral|devstral|ministral|pixtral|voxtral|magistral)`), "mistral"},
	{regexp.MustCompile(`(?i)^minimax`), "minimax"},
	{regexp.MustCompile(`(?i)^deepseek`), "deepseek"},
	{regexp.MustCompile(`(?i)^(?:kimi|moonshot)`), "moonshot"},
	{regexp.MustCompile(`(?i)^grok`), "xai"},
	{regexp.MustCompile(`(?i)^glm-`), "zai"},
	{regexp.MustCompile(``), "openai"},
}

func owner(model string) string {
	for _, o := range owners {
		if o.model.MatchString(model) {
			return o.provider
		}
	}
	return ""
}

func (e *Emulator) routes() *http.ServeMux {
	mux := http.NewServeMux()
	for i := range routes {
		rt := &routes[i]
		mux.HandleFunc("POST "+rt.path, func(w http.ResponseWriter, r *http.Request) { e.serve(w, r, *rt, "") })
		mux.HandleFunc("POST /to/{provider}"+rt.path, func(w http.ResponseWriter, r *http.Request) {
			e.serve(w, r, *rt, policy.Fold(r.PathValue("provider")))
		})
	}
	return mux
}

// ServeHTTP answers as the provider would whose path is asked for.
func (e *Emulator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !guard.Host(r.Host, e.o.Hosts, e.o.Public) {
		http.Error(w, "the emulator is not reachable under this Host", http.StatusForbidden)
		return
	}
	if err := http.NewCrossOriginProtection().Check(r); err != nil {
		http.Error(w, err.Error(), http.StatusForbidden)
		return
	}
	e.mux.ServeHTTP(w, r)
}

// locate fills in what the path says about a request: model and what is asked.
func (rt *route) locate(r *http.Request) (model string, ok bool) {
	model = r.PathValue("model")
	if rt.mode != verb {
		return model, true
	}
	call := r.PathValue("call")
	i := strings.LastIndexByte(call, ':')
	if i < 0 {
		return "", false
	}
	model, rt.mode = call[:i], verbs[call[i+1:]]
	if model == "count-tokens" {
		model, rt.mode = "", count // Claude on Vertex, the model stands in the body
	}
	_, ok = verbs[call[i+1:]]
	return model, ok
}

// as makes the route that of a provider that was named.
func (rt *route) as(provider string) {
	if provider == "" {
		return
	}
	rt.provider = provider
	if h, ok := hosts[provider]; ok && h.path == rt.api {
		rt.shape = h.shape
		if h.api != "" {
			rt.api = h.api
		}
	}
}
