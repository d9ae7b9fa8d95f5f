package emulator

import (
	"strings"
	"testing"
)

// smallest are requests of each API that are accepted.
var smallest = map[string]string{
	"anthropic-messages":       `{"model":"claude-sonnet-4-5","max_tokens":100,"messages":[{"role":"user","content":"hi"}]}`,
	"openai-completions":       `{"model":"gpt-4o","messages":[{"role":"user","content":"hi"}]}`,
	"openai-responses":         `{"model":"gpt-5.1","store":false,"input":[{"role":"user","content":"hi"}]}`,
	"azure-openai-responses":   `{"model":"gpt-5.1","store":false,"input":[{"role":"user","content":"hi"}]}`,
	"openai-chatgpt-responses": `{"model":"gpt-5.4","instructions":"i","store":false,"stream":true,"input":[{"role":"user","content":"hi"}]}`,
	"google-generative-ai":     `{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}`,
	"google-vertex":            `{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}`,
	"google-gemini-cli":        `{"project":"p","model":"gemini-3-pro","request":{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}}`,
	"bedrock-converse-stream":  `{"messages":[{"role":"user","content":[{"text":"hi"}]}]}`,
	"mistral-conversations":    `{"model":"mistral-large-latest","messages":[{"role":"user","content":"hi"}]}`,
	"ollama":                   `{"model":"llama3.3","messages":[{"role":"user","content":"hi"}]}`,
}

// roads are bodies on paths that want another one than the API has elsewhere.
var roads = map[string]string{
	"/model/{model}/count-tokens":                `{"input":{"converse":{"messages":[{"role":"user","content":[{"text":"hi"}]}]}}}`,
	"/model/{model}/invoke":                      `{"anthropic_version":"bedrock-2023-05-31","max_tokens":100,"messages":[{"role":"user","content":"hi"}]}`,
	"/model/{model}/invoke-with-response-stream": `{"anthropic_version":"bedrock-2023-05-31","max_tokens":100,"messages":[{"role":"user","content":"hi"}]}`,
	"/v1internal:countTokens":                    `{"request":{"model":"models/gemini-3-pro","contents":[{"role":"user","parts":[{"text":"hi"}]}]}}`,
	"/v1/projects/{project}/locations/{location}/publishers/anthropic/models/{call}": `{"anthropic_version":"vertex-2023-10-16","max_tokens":100,"messages":[{"role":"user","content":"hi"}]}`,
}

// Every path is served, by the provider and the API that are meant, also where
// the provider is named in front of it.
func TestRoutes(t *testing.T) {
	s := start(t, Options{})
	for _, rt := range routes {
		verb := "gemini-3-pro:generateContent"
		if rt.provider == "anthropic-vertex" {
			verb = "claude-sonnet-4-5@20250929:rawPredict"
		}
		path := strings.NewReplacer("{account}", "a", "{gateway}", "g", "{project}", "p", "{location}", "l",
			"{model}", "anthropic.claude-sonnet-4-5-20250929-v1:0", "{call}", verb).Replace(rt.path)
		if strings.HasPrefix(rt.path, "/openai/deployments/") {
			path = strings.Replace(path, "anthropic.claude-sonnet-4-5-20250929-v1:0", "gpt-4o", 1)
		}
		body := roads[rt.path]
		if body == "" {
			body = smallest[rt.api]
		}
		provider := rt.provider
		if provider == "" {
			provider = "google"
			if rt.api == "openai-completions" {
				provider = "openai"
			}
		}
		ask := func(path, provider string) {
			t.Helper()
			a := post(t, s.URL+path, body)
			seen := s.Requests()
			last := seen[len(seen)-1]
			if a.status != 200 || last.Target.API != rt.api || rt.provider != "" && last.Target.Provider != provider {
				t.Errorf("%s: %d %.200s, asked %+v", path, a.status, a.text, last.Target)
			}
		}
		ask(path, provider)
		ask("/to/"+provider+path, provider)
	}
}
