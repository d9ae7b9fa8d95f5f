package hygeia_test

import (
	"fmt"
	"strings"
	"testing"

	"hygeia"
	"hygeia/internal/jsonline"
	"hygeia/payload"
)

// TestToolName maps the names of an answer back, in every format (W-176).
func TestToolName(t *testing.T) {
	const name = "read the file"
	schema := `{"type":"object","properties":{}}`
	for api, tool := range map[string]string{
		"anthropic-messages":       `{"name":%q,"input_schema":%s}`,
		"openai-responses":         `{"type":"function","name":%q,"parameters":%s}`,
		"openai-chatgpt-responses": `{"type":"function","name":%q,"parameters":%s}`,
		"openai-completions":       `{"type":"function","function":{"name":%q,"parameters":%s}}`,
		"mistral-conversations":    `{"type":"function","function":{"name":%q,"parameters":%s}}`,
		"ollama":                   `{"type":"function","function":{"name":%q,"parameters":%s}}`,
		"google-generative-ai":     `{"functionDeclarations":[{"name":%q,"parametersJsonSchema":%s}]}`,
		"google-gemini-cli":        `{"functionDeclarations":[{"name":%q,"parametersJsonSchema":%s}]}`,
		"bedrock-converse-stream":  `{"toolSpec":{"name":%q,"inputSchema":{"json":%s}}}`,
	} {
		t.Run(api, func(t *testing.T) {
			in, err := hygeia.Read(strings.NewReader(`[{"role":"user","content":"Hi"}]`), "stored", hygeia.OpenOptions{})
			if err != nil {
				t.Fatal(err)
			}
			r, err := in.Replay(hygeia.Target{Provider: "somebody", API: api, Model: "m"}, hygeia.ReplayOptions{
				Payload: payload.Options{Tools: jsonline.Parse([]byte("[" + fmt.Sprintf(tool, name, schema) + "]"))},
			})
			if err != nil {
				t.Fatal(err)
			}
			_, rest, ok := strings.Cut(string(r.Body), `"name":"`)
			wire, _, _ := strings.Cut(rest, `"`)
			if !ok || wire == name || r.ToolName(wire) != name || r.ToolName("list") != "list" {
				t.Errorf("%q on the wire is %q here: %s", wire, r.ToolName(wire), r.Body)
			}
		})
	}
}
