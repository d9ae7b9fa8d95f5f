package conformance_test

import (
	"errors"
	"iter"
	"testing"

	"pgregory.net/rapid"

	"hygeia"
	"hygeia/internal/gen"
	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/policy"
)

// targets are one of each wire format, kind of model and kind of policy.
var targets = []policy.Target{
	{Provider: "anthropic", Model: "claude-sonnet-4-5"},
	{Provider: "anthropic", Model: "claude-opus-4-6"},
	{Provider: "anthropic", Model: "claude-3-7-sonnet"},
	{Provider: "anthropic", Model: "claude-opus-5-5"},
	{Provider: "anthropic", Model: "claude-sonnet-5-5"},
	{Provider: "anthropic", Model: "claude-fable-5-1"},
	{Provider: "anthropic-vertex", Model: "claude-sonnet-4-5"},
	{Provider: "amazon-bedrock", API: "anthropic-messages", Model: "anthropic.claude-sonnet-4-5-20250929-v1:0"},
	{Provider: "kimi", Model: "kimi-for-coding"},
	{Provider: "minimax", Model: "MiniMax-M2.7"},
	{Provider: "minimax", Model: "MiniMax-M3"},
	{Provider: "cloudflare-ai-gateway", Model: "claude-sonnet-4-5"},
	{Provider: "openai", API: "openai-completions", Model: "gpt-4o"},
	{Provider: "openai", API: "openai-completions", Model: "gpt-5.1"},
	{Provider: "google", API: "openai-completions", Model: "gemini-3-pro-preview"},
	{Provider: "mistral", API: "openai-completions", Model: "mistral-large-latest"},
	{Provider: "openrouter", Model: "anthropic/claude-sonnet-4.5"},
	{Provider: "openrouter", Model: "google/gemini-3-pro-preview"},
	{Provider: "openrouter", Model: "openai/gpt-5.1"},
	{Provider: "deepseek", Model: "deepseek-v4-pro"},
	{Provider: "moonshot", Model: "kimi-k2.5"},
	{Provider: "zai", Model: "glm-4.7"},
	{Provider: "xai", Model: "grok-4"},
	{Provider: "xiaomi", Model: "mimo-v2.5-pro"},
	{Provider: "groq", Model: "openai/gpt-oss-120b"},
	{Provider: "cerebras", Model: "gpt-oss-120b"},
	{Provider: "vllm", Model: "qwen3"},
	{Provider: "llama.cpp", Model: "qwen3"},
	{Provider: "nobody", Model: "nothing"},
	{Provider: "openai", Model: "gpt-5.1"},
	{Provider: "openai", Model: "gpt-4o"},
	{Provider: "openai-codex", Model: "gpt-5.4"},
	{Provider: "azure-openai", Model: "gpt-5.1"},
	{Provider: "github-copilot", API: "openai-responses", Model: "gpt-5.1"},
	{Provider: "xai", API: "openai-responses", Model: "grok-4"},
	{Provider: "google", Model: "gemini-3-pro-preview"},
	{Provider: "google", Model: "gemini-2.5-pro"},
	{Provider: "google-vertex", Model: "gemini-2.5-flash"},
	{Provider: "google-gemini-cli", Model: "gemini-3-pro-preview"},
	{Provider: "google-antigravity", Model: "claude-sonnet-4-5"},
	{Provider: "amazon-bedrock", Model: "anthropic.claude-sonnet-4-5-20250929-v1:0"},
	{Provider: "amazon-bedrock", Model: "anthropic.claude-opus-5-5-v1:0"},
	{Provider: "amazon-bedrock", Model: "amazon.nova-pro-v1:0"},
	{Provider: "amazon-bedrock", Model: "mistral.mistral-large-2407-v1:0"},
	{Provider: "amazon-bedrock", Model: "deepseek.r1-v1:0"},
	{Provider: "amazon-bedrock", Model: "meta.llama4-maverick-17b-instruct-v1:0"},
}

// schema is the parameters of the tools in every request that offers some.
const schema = `{"type":"object","properties":{"path":{"type":"string","description":"File."},"n":{"type":"integer"}},"required":["path"]}`

// tools is a tool definition in the form of each wire format.
var tools = map[string]string{
	"anthropic-messages":       `[{"name":"read","description":"Reads.","input_schema":` + schema + `}]`,
	"openai-completions":       `[{"type":"function","function":{"name":"read","description":"Reads.","parameters":` + schema + `}}]`,
	"openai-responses":         `[{"type":"function","name":"read","description":"Reads.","parameters":` + schema + `,"strict":false}]`,
	"google-generative-ai":     `[{"functionDeclarations":[{"name":"read","description":"Reads.","parametersJsonSchema":` + schema + `}]}]`,
	"bedrock-converse-stream":  `[{"toolSpec":{"name":"read","description":"Reads.","inputSchema":{"json":` + schema + `}}}]`,
	"google-vertex":            `[{"functionDeclarations":[{"name":"read","description":"Reads.","parametersJsonSchema":` + schema + `}]}]`,
	"google-gemini-cli":        `[{"functionDeclarations":[{"name":"read","description":"Reads.","parametersJsonSchema":` + schema + `}]}]`,
	"openai-chatgpt-responses": `[{"type":"function","name":"read","description":"Reads.","parameters":` + schema + `,"strict":false}]`,
	"azure-openai-responses":   `[{"type":"function","name":"read","description":"Reads.","parameters":` + schema + `,"strict":false}]`,
}

// requests returns what callers may say besides the session: nothing, and all
// there is with each level of thinking.
func requests(api string) []payload.Options {
	list := []payload.Options{{}}
	for _, level := range []payload.Level{payload.ThinkDefault, payload.ThinkOff, payload.ThinkMinimal, payload.ThinkHigh, payload.ThinkMax} {
		list = append(list, payload.Options{
			System: "Be kind.\n<!-- OPENCLAW_CACHE_BOUNDARY -->\nToday is Monday.", Tools: jsonline.Parse([]byte(tools[api])),
			MaxTokens: 20_000, Thinking: level, SessionID: "session-1", Project: "project-1",
		})
	}
	return list
}

// replay builds the body of a transcript; false where nothing is left to send.
func replay(t reporter, in *hygeia.Transcript, target policy.Target, o payload.Options) (body, bool) {
	t.Helper()
	r, err := in.Replay(target, hygeia.ReplayOptions{Payload: o})
	if errors.Is(err, payload.ErrNothingToSend) {
		return body{}, false
	}
	if err != nil {
		t.Fatalf("%s to %+v: %v", in.Name, target, err)
	}
	return body{in.Name, r.Resolution.Target, r.Body}, true
}

// resolved is a target with its API.
func resolved(t reporter, target policy.Target) policy.Target {
	t.Helper()
	r, err := policy.Resolve(target, policy.Options{})
	if err != nil {
		t.Fatalf("%v", err)
	}
	return r.Target
}

// bodies are those of stored transcripts, each asked for with nothing and with one
// of the other requests in turn, and those that the cases of the converters want.
func bodies(t *testing.T) iter.Seq[body] {
	t.Helper()
	return func(yield func(body) bool) {
		for i, in := range transcripts(t) {
			for j, target := range targets {
				all := requests(resolved(t, target).API)
				for _, o := range []payload.Options{all[0], all[1+(i+j)%(len(all)-1)]} {
					if b, ok := replay(t, in, target, o); ok && !yield(b) {
						return
					}
				}
			}
		}
		for _, b := range golden(t) {
			if !yield(b) {
				return
			}
		}
	}
}

// drawn is the body of a generated transcript.
func drawn(t *rapid.T) (body, bool) {
	in := &hygeia.Transcript{Name: "generated", Format: hygeia.FormatMessages, Context: gen.Context(t)}
	target := rapid.SampledFrom(targets).Draw(t, "target")
	o := rapid.SampledFrom(requests(resolved(t, target).API)).Draw(t, "request")
	return replay(t, in, target, o)
}
