package endtoend_test

import (
	"bytes"
	"encoding/base64"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"hygeia/emulator"
)

// tooled are requests of each format with a tool NAME, and whether they ask for a
// STREAM. Where the rulebook has no rule on names a fault is put in beside a name that
// goes out as another one, in the place of FAULT.
var tooled = []struct {
	provider      string
	whole, stream string // paths, "" for none
	body, fault   string
}{
	{
		"anthropic", "/v1/messages", "/v1/messages",
		`{"model":"claude-opus-4-6","max_tokens":100,"stream":STREAM,"tools":[{"name":"NAME","input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"q"}]}`, "",
	},
	{
		"anthropic-vertex", "/v1/projects/p/locations/l/publishers/anthropic/models/claude-sonnet-4-5:rawPredict", "/v1/projects/p/locations/l/publishers/anthropic/models/claude-sonnet-4-5:streamRawPredict",
		`{"anthropic_version":"vertex-2023-10-16","max_tokens":100,"stream":STREAM,"tools":[{"name":"NAME","input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"q"}]}`, "",
	},
	{
		"amazon-bedrock", "/model/anthropic.claude-sonnet-4-5-20250929-v1%3A0/invoke", "/model/anthropic.claude-sonnet-4-5-20250929-v1%3A0/invoke-with-response-stream",
		`{"anthropic_version":"bedrock-2023-05-31","max_tokens":100,"tools":[{"name":"NAME","input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"q"}]}`, "",
	},
	{
		"amazon-bedrock", "/model/anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse", "/model/anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse-stream",
		`{"toolConfig":{"tools":[{"toolSpec":{"name":"NAME","inputSchema":{"json":{"type":"object"}}}}]},"messages":[{"role":"user","content":[{"text":"q"}]}]}`, "",
	},
	{
		"openai", "/v1/chat/completions", "/v1/chat/completions",
		`{"model":"gpt-4o","stream":STREAM,"tools":[{"type":"function","function":{"name":"NAME","parameters":{"type":"object","properties":{}}}}],"messages":[{"role":"user","content":"q"}]}`, "",
	},
	{
		"mistral", "/v1/chat/completions", "/v1/chat/completions",
		`{"model":"mistral-large-latest","stream":STREAM,"tools":[{"type":"function","function":{"name":"NAME","parameters":{"type":"object","properties":{}}}}],"messages":[{"role":"user","content":"q"}FAULT]}`,
		`,{"role":"tool","tool_call_id":"abcdefghi","content":"lost"}`,
	},
	{
		"openai", "/v1/responses", "/v1/responses",
		`{"model":"gpt-5.1","stream":STREAM,"tools":[{"type":"function","name":"NAME","parameters":{"type":"object","properties":{}}}],"input":[{"role":"user","content":"q"}]}`, "",
	},
	{
		"azure-openai", "/openai/v1/responses", "/openai/v1/responses",
		`{"model":"gpt-5.1","stream":STREAM,"tools":[{"type":"function","name":"NAME","parameters":{"type":"object","properties":{}}}],"input":[{"role":"user","content":"q"}]}`, "",
	},
	{
		"openai", "", "/backend-api/codex/responses",
		`{"model":"gpt-5.4","store":false,"instructions":"Be brief.","stream":true,"tools":[{"type":"function","name":"NAME","parameters":{"type":"object","properties":{}}}],"input":[{"role":"user","content":"q"}]}`, "",
	},
	{
		"google", "/v1beta/models/gemini-2.5-flash:generateContent", "/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse",
		`{"tools":[{"functionDeclarations":[{"name":"NAME"}]}],"contents":[{"role":"user","parts":[{"text":"q"}]}]}`, "",
	},
	{
		"google-vertex", "", "/v1/projects/p/locations/l/publishers/google/models/gemini-2.5-flash:streamGenerateContent",
		`{"tools":[{"functionDeclarations":[{"name":"NAME"}]}],"contents":[{"role":"user","parts":[{"text":"q"}]}]}`, "",
	},
	{
		"google-gemini-cli", "/v1internal:generateContent", "/v1internal:streamGenerateContent?alt=sse",
		`{"model":"gemini-2.5-pro","project":"p","request":{"tools":[{"functionDeclarations":[{"name":"NAME"}]}],"contents":[{"role":"user","parts":[{"text":"q"}]}]}}`, "",
	},
	{
		"ollama", "/api/chat", "/api/chat",
		`{"model":"qwen3","stream":STREAM,"tools":[{"type":"function","function":{"name":"NAME","parameters":{"type":"object","properties":{}}}}],"messages":[{"role":"user","content":"q"}FAULT]}`,
		`,{"role":"assistant","content":[{"type":"text","text":"a"}]},{"role":"user","content":"r"}`,
	},
}

var changedName = regexp.MustCompile(`my[._]tool_x_[0-9a-f]{8}`)

// callsTool answers with a call of the tool of the request, under its name on the
// wire.
func callsTool(r *emulator.Request) *emulator.Answer {
	name := "read"
	if wire := changedName.Find(r.Body); wire != nil {
		name = string(wire)
	}
	return &emulator.Answer{Content: []emulator.Part{{Text: "I call it."}, {Call: name, Arguments: []byte(`{"name":"x"}`)}}}
}

var inBase64 = regexp.MustCompile(`"bytes":"([^"]*)"`)

// unpacked returns an answer with what stands in base64 in plain text.
func unpacked(text string) string {
	return inBase64.ReplaceAllStringFunc(text, func(member string) string {
		plain, err := base64.StdEncoding.DecodeString(inBase64.FindStringSubmatch(member)[1])
		if err != nil {
			return err.Error()
		}
		return string(plain)
	})
}

// W-176: whatever the format of a request and of its answer, whole and streamed, the
// caller reads the name of its tool; an answer with legal names comes as it was sent,
// to the byte.
func TestToolNames(t *testing.T) {
	h := newHouse(t, emulator.Options{Respond: callsTool})
	for _, r := range tooled {
		for stream, path := range map[string]string{"false": r.whole, "true": r.stream} {
			if path == "" {
				continue
			}
			ask := func(name, fault string) (direct, through reply, body, arrived []byte) {
				body = []byte(strings.NewReplacer("NAME", name, "STREAM", stream, "FAULT", fault).Replace(r.body))
				direct, through, arrived, err := h.both(r.provider, path, body)
				if err != nil {
					t.Fatal(err)
				}
				return direct, through, body, arrived
			}
			direct, through, body, arrived := ask("read", "")
			if direct.status != http.StatusOK || through.text != direct.text || !bytes.Equal(arrived, body) || through.header.Get("Hygeia-Changes") != "" {
				t.Errorf("%s%s: a legal name does not go through as it is: %d %s\n%s", r.provider, path, direct.status, direct.text, through.text)
			}
			_, through, _, arrived = ask("my.tool/x", r.fault)
			if through.status != http.StatusOK || !changedName.Match(arrived) || bytes.Contains(arrived, []byte("my.tool/x")) {
				t.Errorf("%s%s: %d, %s went out", r.provider, path, through.status, arrived)
			}
			if text := unpacked(through.text); changedName.MatchString(text) || !strings.Contains(text, `"my.tool/x"`) {
				t.Errorf("%s%s: the answer is %s", r.provider, path, text)
			}
		}
	}
}
