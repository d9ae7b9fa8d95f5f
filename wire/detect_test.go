package wire_test

import (
	"errors"
	"testing"

	"hygeia/internal/jsonline"
	"hygeia/wire"
)

// The shape of a body tells its API where only one has it.
func TestDetect(t *testing.T) {
	for body, want := range map[string]string{
		`{"messages":[],"anthropic_version":"vertex-2023-10-16"}`:                                              "anthropic-messages",
		`{"messages":[],"thinking":{"type":"enabled","budget_tokens":1024}}`:                                   "anthropic-messages",
		`{"messages":[],"system":"s"}`:                                                                         "anthropic-messages",
		`{"messages":[],"system":[{"type":"text","text":"s"}]}`:                                                "anthropic-messages",
		`{"messages":[],"tools":[{"name":"f","input_schema":{}}]}`:                                             "anthropic-messages",
		`{"messages":[],"tools":[{"type":"web_search_20250305","name":"web_search"}]}`:                         "anthropic-messages",
		`{"messages":[{"role":"user","content":"q"},{"role":"user","content":[{"type":"tool_result"}]}]}`:      "anthropic-messages",
		`{"messages":[],"tools":[{"type":"function","function":{"name":"f"}}]}`:                                "openai-completions",
		`{"messages":[{"role":"system","content":"s"}]}`:                                                       "openai-completions",
		`{"messages":[{"role":"user","content":[{"type":"text","text":"q"},{"type":"image_url"}]}]}`:           "openai-completions",
		`{"messages":[{"role":"assistant","tool_calls":[]}]}`:                                                  "openai-completions",
		`{"messages":[{"role":"assistant","content":"a","reasoning_content":"r"}]}`:                            "openai-completions",
		`{"messages":[{"role":"user","content":[{"text":"q"}]}]}`:                                              "bedrock-converse-stream",
		`{"messages":[],"system":[{"text":"s"}]}`:                                                              "bedrock-converse-stream",
		`{"messages":[],"toolConfig":{}}`:                                                                      "bedrock-converse-stream",
		`{"messages":[{"role":"user","content":"q","images":["AA=="]}]}`:                                       "ollama",
		`{"messages":[],"options":{}}`:                                                                         "ollama",
		`{"messages":[{"role":"assistant","content":"a","thinking":"t"}]}`:                                     "ollama",
		`{"messages":[{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":{}}}]}]}`:          "ollama",
		`{"messages":[{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"f","arguments":{}}}]}]}`: "openai-completions",
		`{"messages":[{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":"{}"}}]}]}`:        "openai-completions",
		`{"messages":[{"role":"assistant","content":[7,{"type":"thinking","thinking":"t"}]}]}`:                 "anthropic-messages",
		`{"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:"}}]}]}`:          "openai-completions",
		`{"messages":[{"role":"user","content":[{"type":"image","thinking":[]}]}]}`:                            "anthropic-messages",
		`{"messages":[{"role":"user","content":[{"type":"file","image_url":"data:"}]}]}`:                       "openai-completions",
		`{"messages":[],"think":true}`:                                                                         "ollama",
		`{"messages":[],"safe_prompt":true}`:                                                                   "mistral-conversations",
		`{"messages":[],"prompt_mode":"reasoning"}`:                                                            "mistral-conversations",
		`{"messages":[],"random_seed":7}`:                                                                      "mistral-conversations",
		`{"messages":[{"role":"user","content":[{"type":"document_url"}]}]}`:                                   "mistral-conversations",
		`{"messages":[{"role":"assistant","content":[{"type":"reference"}]}]}`:                                 "mistral-conversations",
		`{"messages":[{"role":"user","content":[{"type":"image_url","image_url":"data:"}]}]}`:                  "mistral-conversations",
		`{"messages":[{"role":"assistant","content":[{"type":"thinking","thinking":[]}]}]}`:                    "mistral-conversations",
		`{"contents":[]}`: "google-generative-ai",
		`{"project":"p","request":{"contents":[]}}`: "google-gemini-cli",
		`{"input":[]}`:              "openai-responses",
		`{"model":"m","input":"q"}`: "openai-responses",
	} {
		if got, err := wire.Detect([]byte(body)); got != want || err != nil {
			t.Errorf("%s: %q, %v", body, got, err)
		}
	}
	for body, want := range map[string]error{
		`{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"text","text":"a"}]}],"max_tokens":5}`: wire.ErrAmbiguous,
		`{"model":"m"}`: wire.ErrNoRequest, `7`: wire.ErrNoRequest, `{"messages":7}`: wire.ErrNoRequest, `{"input":"q"}`: wire.ErrNoRequest,
	} {
		if got, err := wire.Detect([]byte(body)); got != "" || !errors.Is(err, want) {
			t.Errorf("%s: %q, %v", body, got, err)
		}
	}
	var syntax *jsonline.SyntaxError
	if _, err := wire.Detect([]byte(`{`)); !errors.As(err, &syntax) {
		t.Errorf("no syntax error but %v", err)
	}
}
