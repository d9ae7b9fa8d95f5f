package hygeia

import (
	"slices"

	"hygeia/hygiene"
	"hygeia/payload"
	"hygeia/payload/anthropicmessages"
	"hygeia/payload/bedrock"
	"hygeia/payload/google"
	"hygeia/payload/mistral"
	"hygeia/payload/ollama"
	"hygeia/payload/openaichat"
	"hygeia/payload/openairesponses"
)

// format is a wire format that a body can be built in.
type format struct {
	name  string   // as changes name the stage
	apis  []string // that speak it
	build func(*payload.Input) ([]byte, error)
	rules []hygiene.Rule
	// once reports that the converter goes over the messages once, so that it makes the
	// changes of one in front of those of the next.
	once bool
}

var formats = []format{
	{"anthropic-messages", []string{"anthropic-messages"}, anthropicmessages.Build, anthropicmessages.Rules, false},
	{"openai-completions", []string{"openai-completions"}, openaichat.Build, openaichat.Rules, true},
	{
		"openai-responses",
		[]string{"openai-responses", "openai-chatgpt-responses", "azure-openai-responses"},
		openairesponses.Build, openairesponses.Rules, true,
	},
	{
		"google-generative-ai",
		[]string{"google-generative-ai", "google-vertex", "google-gemini-cli"},
		google.Build, google.Rules, true,
	},
	{"bedrock-converse-stream", []string{"bedrock-converse-stream"}, bedrock.Build, bedrock.Rules, false},
	{"mistral-conversations", []string{"mistral-conversations"}, mistral.Build, mistral.Rules, true},
	{"ollama", []string{"ollama"}, ollama.Build, ollama.Rules, true},
}

// wireOf returns the format of an API, one without a name where there is none.
func wireOf(api string) format {
	for _, f := range formats {
		if slices.Contains(f.apis, api) {
			return f
		}
	}
	return format{}
}

// converters are the functions that build a body, by API.
var converters = func() map[string]func(*payload.Input) ([]byte, error) {
	m := map[string]func(*payload.Input) ([]byte, error){}
	for _, f := range formats {
		for _, api := range f.apis {
			m[api] = f.build
		}
	}
	return m
}()
