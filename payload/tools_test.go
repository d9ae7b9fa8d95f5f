package payload

import (
	"errors"
	"strings"
	"testing"

	"hygeia/internal/jsonline"
	"hygeia/wire"
)

// TestTools writes definitions in the words of each format; a tool that says
// nothing of its arguments takes none (W-254).
func TestTools(t *testing.T) {
	tools := []wire.Tool{
		{Name: "f", Description: jsonline.Text("d"), Schema: jsonline.Parse([]byte(`{"type":"object"}`))},
		{Name: "g", Description: jsonline.Parse([]byte(`7`)), Schema: jsonline.Parse([]byte(`true`))},
	}
	const none = `{"type":"object","properties":{}}`
	for api, want := range map[string]string{
		"anthropic-messages":      `[{"name":"f","description":"d","input_schema":{"type":"object"}},{"name":"g","input_schema":` + none + `}]`,
		"openai-completions":      `[{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object"}}},{"type":"function","function":{"name":"g","parameters":` + none + `}}]`,
		"openai-responses":        `[{"type":"function","name":"f","description":"d","parameters":{"type":"object"}},{"type":"function","name":"g","parameters":` + none + `}]`,
		"bedrock-converse-stream": `[{"toolSpec":{"name":"f","description":"d","inputSchema":{"json":{"type":"object"}}}},{"toolSpec":{"name":"g","inputSchema":{"json":` + none + `}}}]`,
		"nothing":                 "",
	} {
		if got := Tools(api, tools); string(got.Raw) != want {
			t.Errorf("%s: %s, want %s", api, got.Raw, want)
		}
		if got := Tools(api, nil); got.Exists() {
			t.Errorf("%s: no tools are %s", api, got.Raw)
		}
	}
}

// What defines no tool is an error that names the element; what [Tools] writes,
// and tools of the services, are definitions (AN-09, W-254).
func TestCheckTools(t *testing.T) {
	for api := range toolForms {
		if err := CheckTools(api, Tools(api, []wire.Tool{{Name: "f"}, {Name: "g"}})); err != nil {
			t.Errorf("%s: %v", api, err)
		}
		for _, bad := range []string{`5`, `null`, `"f"`, `{}`, `{"foo":1}`, `{"name":""}`, `{"name":7}`, `{"type":"function","function":{}}`, `{"toolSpec":{}}`, `{"functionDeclarations":[{}]}`} {
			err := CheckTools(api, jsonline.Parse([]byte(`[{"name":"f"},`+bad+`]`)))
			if !errors.Is(err, ErrTool) || !strings.HasPrefix(err.Error(), "element 1: ") {
				t.Errorf("%s: %s: %v", api, bad, err)
			}
		}
	}
	for api, tool := range map[string]string{
		"anthropic-messages":      `{"type":"mcp_toolset","mcp_server_name":"s"}`,
		"openai-responses":        `{"type":"web_search"}`,
		"openai-completions":      `{"type":"custom","custom":{"name":"f"}}`,
		"google-generative-ai":    `{"googleSearch":{}}`,
		"bedrock-converse-stream": `{"cachePoint":{"type":"default"}}`,
	} {
		if err := CheckTools(api, jsonline.Parse([]byte(`[`+tool+`]`))); err != nil {
			t.Errorf("%s: %v", api, err)
		}
	}
}
