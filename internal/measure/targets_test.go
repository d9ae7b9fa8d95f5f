package measure

import (
	"cmp"

	"hygeia"
	"hygeia/internal/jsonline"
	"hygeia/policy"
)

// kinds are one target of each kind of policy, wire format and model.
var kinds = []hygeia.Target{
	{Provider: "anthropic", Model: "claude-opus-4-6"},
	{Provider: "anthropic", Model: "claude-sonnet-4-5"},
	{Provider: "anthropic", Model: "claude-3-7-sonnet"},
	{Provider: "anthropic", Model: "claude-3-5-haiku"},
	{Provider: "anthropic", Model: "claude-opus-5-5"},
	{Provider: "anthropic", Model: "claude-sonnet-5-5"},
	{Provider: "minimax", Model: "MiniMax-M2.7"},
	{Provider: "minimax", Model: "MiniMax-M3"},
	{Provider: "minimax", API: "openai-completions", Model: "MiniMax-M2.7"},
	{Provider: "cloudflare-ai-gateway", Model: "claude-sonnet-4-5"},
	{Provider: "cloudflare-ai-gateway", Model: "gpt-4o"},
	{Provider: "kimi", Model: "kimi-for-coding"},
	{Provider: "kimi", API: "openai-completions", Model: "kimi-for-coding"},
	{Provider: "anthropic-vertex", Model: "claude-sonnet-4-5"},
	{Provider: "amazon-bedrock", API: "anthropic-messages", Model: "claude-sonnet-4-5"},
	{Provider: "amazon-bedrock", Model: "anthropic.claude-sonnet-4-5-20250929-v1:0"},
	{Provider: "amazon-bedrock", Model: "anthropic.claude-opus-4-6-v1:0"},
	{Provider: "amazon-bedrock", Model: "anthropic.claude-3-haiku-20240307-v1:0"},
	{Provider: "amazon-bedrock", Model: "meta.llama4-maverick-17b-instruct-v1:0"},
	{Provider: "amazon-bedrock", Model: "amazon.nova-pro-v1:0"},
	{Provider: "openai", API: "openai-completions", Model: "gpt-4o"},
	{Provider: "openai", API: "openai-completions", Model: "gpt-5.1"},
	{Provider: "openai", Model: "gpt-5.1"},
	{Provider: "openai", Model: "gpt-4o"},
	{Provider: "openai", Model: "o4-mini"},
	{Provider: "openai-codex", Model: "gpt-5.4"},
	{Provider: "azure-openai", Model: "gpt-5.1"},
	{Provider: "xai", API: "openai-responses", Model: "grok-4"},
	{Provider: "github-copilot", API: "openai-responses", Model: "claude-opus-4"},
	{Provider: "nobody", API: "openai-responses", Model: "nothing"},
	{Provider: "google", Model: "gemini-3-pro-preview"},
	{Provider: "google", Model: "gemini-3.5-flash"},
	{Provider: "google", Model: "gemini-2.5-pro"},
	{Provider: "google", Model: "gemini-2.0-flash"},
	{Provider: "google", API: "openai-completions", Model: "gemini-3-pro-preview"},
	{Provider: "google-vertex", Model: "gemini-3-pro-preview"},
	{Provider: "google-gemini-cli", Model: "gemini-2.5-pro"},
	{Provider: "google-antigravity", Model: "claude-sonnet-4-5"},
	{Provider: "google-antigravity", Model: "gemini-3-pro-preview"},
	{Provider: "mistral", Model: "mistral-large-latest"},
	{Provider: "mistral", Model: "pixtral-large-latest"},
	{Provider: "mistral", API: "mistral-conversations", Model: "magistral-medium-latest"},
	{Provider: "openrouter", Model: "anthropic/claude-sonnet-4.5"},
	{Provider: "openrouter", Model: "google/gemini-2.5-pro"},
	{Provider: "openrouter", Model: "google/gemini-3-pro-preview"},
	{Provider: "openrouter", Model: "mistralai/mistral-large"},
	{Provider: "openrouter", Model: "deepseek/deepseek-v4-pro"},
	{Provider: "openrouter", Model: "x-ai/grok-4"},
	{Provider: "deepseek", Model: "deepseek-reasoner"},
	{Provider: "deepseek", Model: "deepseek-v4-pro"},
	{Provider: "moonshot", Model: "kimi-k2.5"},
	{Provider: "groq", Model: "openai/gpt-oss-120b"},
	{Provider: "vllm", Model: "qwen3"},
	{Provider: "vllm", Model: "mistral-7b-instruct-v0.3"},
	{Provider: "ollama", Model: "devstral"},
	{Provider: "ollama", API: "openai-completions", Model: "gemma3"},
	{Provider: "github-copilot", API: "openai-completions", Model: "claude-opus-4"},
	{Provider: "nobody", API: "anthropic-messages", Model: "claude-sonnet-4-5"},
	{Provider: "nobody", Model: "nothing"},
}

// models are names that a provider without a kind of its own is asked for, by the
// provider or its API.
var models = map[string]string{
	"litellm":            "claude-sonnet-4-5", // W-412
	"anthropic-messages": "claude-sonnet-4-5", "google-generative-ai": "gemini-2.5-flash", "openai-responses": "gpt-5.1",
}

// allTargets are the kinds and every provider that the profiles know.
func allTargets() []hygeia.Target {
	list := kinds
	for _, p := range policy.Profiles() {
		for _, id := range append([]string{p.ID}, p.AlsoAnswersTo...) {
			list = append(list, hygeia.Target{Provider: id, Model: cmp.Or(models[id], models[p.DefaultAPI], "some-model-1")})
		}
	}
	return list
}

// tools are definitions of the same three tools in the forms of the formats.
// The name of the last is not legal everywhere.
var tools = map[string]jsonline.Value{
	"anthropic-messages": jsonline.Parse([]byte(`[{"name":"read","input_schema":` + schema + `},{"name":"bash","input_schema":` + schema + `},
		{"name":"functions.exec","input_schema":` + schema + `}]`)),
	"openai-completions": chatTools, "mistral-conversations": chatTools, "ollama": chatTools,
	"openai-responses": responsesTools, "openai-chatgpt-responses": responsesTools, "azure-openai-responses": responsesTools,
	"google-generative-ai": googleTools, "google-vertex": googleTools, "google-gemini-cli": googleTools,
	"bedrock-converse-stream": jsonline.Parse([]byte(`[{"toolSpec":{"name":"read","inputSchema":{"json":` + schema + `}}},
		{"toolSpec":{"name":"functions.exec","inputSchema":{"json":` + schema + `}}}]`)),
}

const schema = `{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`

var (
	chatTools = jsonline.Parse([]byte(`[{"type":"function","function":{"name":"read","parameters":` + schema + `}},
		{"type":"function","function":{"name":"bash","parameters":` + schema + `}},
		{"type":"function","function":{"name":"functions.exec","parameters":` + schema + `}}]`))
	responsesTools = jsonline.Parse([]byte(`[{"type":"function","name":"read","parameters":` + schema + `},
		{"type":"function","name":"functions.exec","parameters":` + schema + `}]`))
	googleTools = jsonline.Parse([]byte(`[{"functionDeclarations":[{"name":"read","parametersJsonSchema":` + schema + `},
		{"name":"functions.exec","parametersJsonSchema":` + schema + `}]}]`))
)
