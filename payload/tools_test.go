package payload

import (
	"errors"
	"strings"
	"testing"

	"hygeia/internal/jsonline"
	"hygeia/wire"
)

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
