package hygeia

import (
	"strings"
	"testing"
)

// said is a conversation in each format that can be read, and its API under
// other names. Every one of them says "the question" and "the answer", calls the
// tool "f" and has its result "the result".
var said = []struct {
	api, body string
	to        Target
}{
	{"anthropic-messages", `{"model":"m","max_tokens":50,"tools":[{"name":"f","input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"the question"},{"role":"assistant","content":[{"type":"text","text":"the answer"},{"type":"tool_use","id":"toolu1","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu1","content":"the result"}]}]}`, Target{Provider: "anthropic", Model: "claude-sonnet-4-5"}},
	{"openai-completions", chatSaid, Target{Provider: "openai", API: "openai-completions", Model: "gpt-4o"}},
	{"openai-chat", chatSaid, Target{Provider: "openai", API: "openai-completions", Model: "gpt-4o"}},
	{"openai-responses", responsesSaid, Target{Provider: "openai", Model: "gpt-5.1"}},
	{"azure-openai-responses", responsesSaid, Target{Provider: "azure-openai", Model: "gpt-5.1"}},
	{"openai-chatgpt-responses", responsesSaid, Target{Provider: "openai-codex", Model: "gpt-5.4"}},
	{"openai-codex-responses", responsesSaid, Target{Provider: "openai-codex", Model: "gpt-5.4"}},
	{"google-generative-ai", googleSaid, Target{Provider: "google", Model: "gemini-2.5-flash"}},
	{"google-vertex", googleSaid, Target{Provider: "google-vertex", Model: "gemini-2.5-flash"}},
	{"google-gemini-cli", `{"project":"p","model":"m","request":` + googleSaid + `}`, Target{Provider: "google-gemini-cli", Model: "gemini-2.5-flash"}},
	{"bedrock-converse", bedrockSaid, Target{Provider: "amazon-bedrock", Model: "anthropic.claude-sonnet-4-5-20250929-v1:0"}},
	{"bedrock-converse-stream", bedrockSaid, Target{Provider: "amazon-bedrock", Model: "anthropic.claude-sonnet-4-5-20250929-v1:0"}},
	{"mistral-conversations", `{"model":"m","safe_prompt":true,"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}],"messages":[{"role":"user","content":"the question"},{"role":"assistant","content":"the answer","tool_calls":[{"id":"abcdef121","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"abcdef121","name":"f","content":"the result"}]}`, Target{Provider: "mistral", API: "mistral-conversations", Model: "mistral-large-latest"}},
	{"ollama", `{"model":"m","options":{"num_predict":9},"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}],"messages":[{"role":"user","content":"the question"},{"role":"assistant","content":"the answer","tool_calls":[{"function":{"name":"f","arguments":{}}}]},{"role":"tool","tool_name":"f","content":"the result"}]}`, Target{Provider: "ollama", Model: "devstral"}},
}

const (
	chatSaid      = `{"model":"m","tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}],"messages":[{"role":"user","content":"the question"},{"role":"assistant","content":"the answer","tool_calls":[{"id":"call1","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"call1","content":"the result"}]}`
	responsesSaid = `{"model":"m","store":false,"stream":true,"instructions":"i","include":["reasoning.encrypted_content"],"tools":[{"type":"function","name":"f","parameters":{"type":"object"}}],"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"the question"}]},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"the answer","annotations":[]}]},{"type":"function_call","call_id":"call_1","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"call_1","output":"the result"}]}`
	googleSaid    = `{"tools":[{"functionDeclarations":[{"name":"f","parametersJsonSchema":{"type":"object"}}]}],"contents":[{"role":"user","parts":[{"text":"the question"}]},{"role":"model","parts":[{"text":"the answer"},{"functionCall":{"name":"f","args":{}}}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"the result"}}}]}]}`
	bedrockSaid   = `{"inferenceConfig":{"maxTokens":50},"toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":{"type":"object"}}}}]},"messages":[{"role":"user","content":[{"text":"the question"}]},{"role":"assistant","content":[{"text":"the answer"},{"toolUse":{"toolUseId":"tooluse1","name":"f","input":{}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"tooluse1","content":[{"text":"the result"}]}}]}]}`
)

// Every API that a body can be built for is read too, under its other names as
// well: to its own target a request goes out as it came (D-38), to each other
// with all that was said in it.
func TestRequestFormats(t *testing.T) {
	read := map[string]bool{}
	for _, from := range said {
		read[from.api] = true
		for _, to := range said {
			tr, err := Read(strings.NewReader(from.body), "body", OpenOptions{Format: FormatRequest(from.api)})
			if err != nil {
				t.Fatalf("%s: %v", from.api, err)
			}
			r, err := tr.Replay(to.to, ReplayOptions{})
			if err != nil {
				t.Fatalf("%s to %+v: %v", from.api, to.to, err)
			}
			if from.to == to.to && (string(r.Body) != from.body || !r.Report.Empty()) {
				t.Errorf("%s: to its own target goes out\n%s", from.api, r.Body)
			}
			for _, text := range []string{"the question", "the answer", `"f"`, "the result"} {
				if !strings.Contains(string(r.Body), text) {
					t.Errorf("%s to %+v: %s is lost\n%s", from.api, to.to, text, r.Body)
				}
			}
		}
	}
	for api := range converters {
		if !read[api] || decoders[api].decode == nil {
			t.Errorf("no request of %s was read", api)
		}
	}
}

// W-177: a request that goes to another format takes each tool along once, and none
// without a name.
func TestCarriedTools(t *testing.T) {
	const tool = `{"type":"function","function":{"name":"read","parameters":{"type":"object","properties":{}}}}`
	body := `{"model":"m","tools":[` + tool + `,` + tool + `,{"type":"function","function":{"name":""}},{"type":"function","function":{}}],"messages":[{"role":"user","content":"q"}]}`
	in, err := Read(strings.NewReader(body), "body", OpenOptions{Format: FormatRequest("openai-completions")})
	if err != nil {
		t.Fatal(err)
	}
	for _, to := range []string{"anthropic/claude-opus-4-6", "google/gemini-2.5-flash", "amazon-bedrock/anthropic.claude-sonnet-4-5-20250929-v1:0", "openai/gpt-5.1"} {
		target, err := ParseTarget(to)
		if err != nil {
			t.Fatal(err)
		}
		r, err := in.Replay(target, ReplayOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(r.Body), `"name":`); n != 1 || r.Report.Counts()["W-177"] != 3 {
			t.Errorf("%s: %d tools, %v: %s", to, n, r.Report.Counts(), r.Body)
		}
	}
}
