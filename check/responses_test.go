package check

import (
	"slices"
	"strings"
	"testing"

	"hygeia/policy"
)

// Items that many bodies hold.
const (
	hello  = `{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}`
	answer = `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"ok","annotations":[]}]}`
	call1  = `{"type":"function_call","call_id":"call_1","name":"read","arguments":"{}"}`
	done1  = `{"type":"function_call_output","call_id":"call_1","output":"x"}`

	customCall = `{"type":"custom_tool_call","call_id":"call_1","name":"patch","input":"x"}`
	customDone = `{"type":"custom_tool_call_output","call_id":"call_1","output":"x"}`
	png8       = "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVQI12P8z4AdMDEMKQkAzUEBD9aGuoAAAAAASUVORK5CYII="
)

// responsesBody is a body with these items behind a user message.
func responsesBody(params string, items ...string) string {
	return `{"model":"m","stream":true` + params + `,"input":[` + strings.Join(append([]string{hello}, items...), ",") + `]}`
}

const codexHead = `{"model":"m","stream":true,"store":false,"instructions":"Be brief.","input":[` + hello + `]}`

// pad is s followed by as many x as make it n characters long.
func pad(s string, n int) string { return s + strings.Repeat("x", n-len(s)) }

// asCall is call1 with another part; asOutput, asMessage and thought are likewise.
func asCall(id, member string) string {
	return strings.Replace(strings.Replace(call1, `"call_1"`, `"`+id+`"`, 1), `"type":"function_call"`, `"type":"function_call"`+member, 1)
}

func asOutput(id, value string) string {
	return `{"type":"function_call_output","call_id":"` + id + `","output":` + value + `}`
}

func asMessage(role, part string) string {
	return `{"type":"message","role":"` + role + `","content":[` + part + `]}`
}

func thought(members string) string { return `{"type":"reasoning"` + members + `}` }

func picture(url string) string {
	return asMessage("user", `{"type":"input_image","detail":"auto","image_url":"`+url+`"}`)
}

// responsesTable has, for each rule that a body alone can show, a body that
// breaks nothing else and the nearest one that breaks nothing.
var responsesTable = []struct {
	rule      string
	api       string // "" for OpenAI's own
	bad, good string
}{
	{
		rule: "OR-01",
		bad:  responsesBody("", thought(`,"id":"rs_1","summary":[],"encrypted_content":"gAAA"`), hello),
		good: responsesBody("", thought(`,"id":"rs_1","summary":[],"encrypted_content":"gAAA"`), thought(`,"id":"rs_2","summary":[]`), answer, hello),
	},
	{
		rule: "OR-01",
		bad:  responsesBody("", thought(`,"id":"rs_1","summary":[]`)),
		good: responsesBody("", thought(`,"summary":[],"encrypted_content":"gAAA"`)),
	},
	{
		rule: "OR-02",
		bad:  responsesBody("", thought(`,"summary":[],"encrypted_content":"gAAA"`), asCall("call_1", `,"id":"fc_1"`), done1),
		good: responsesBody("", thought(`,"id":"rs_1","summary":[]`), asCall("call_1", `,"id":"fc_1"`), asCall("call_2", `,"id":"fc_2"`), done1, asOutput("call_2", `"y"`)),
	},
	{
		rule: "OR-02",
		bad:  responsesBody("", thought(`,"summary":[]`), strings.Replace(answer, `"role"`, `"id":"msg_1","role"`, 1)),
		good: responsesBody("", thought(`,"summary":[]`), hello, strings.Replace(answer, `"role"`, `"id":"msg_1","role"`, 1)),
	},
	{rule: "OR-03", bad: responsesBody("", call1), good: responsesBody("", call1, done1)},
	{
		rule: "OR-03",
		bad:  responsesBody(`,"previous_response_id":"resp_1"`, done1, call1),
		good: responsesBody(`,"previous_response_id":"resp_1"`, done1, asCall("call_2", ""), asOutput("call_2", `"y"`)),
	},
	{rule: "OR-03", bad: responsesBody("", customCall), good: responsesBody("", customCall, customDone)},
	{rule: "OR-04", bad: responsesBody("", customDone), good: responsesBody("", customCall, customDone)},
	{rule: "OR-04", bad: responsesBody("", done1), good: responsesBody(`,"previous_response_id":"resp_1"`, done1)},
	{rule: "OR-04", bad: responsesBody("", done1, answer), good: responsesBody("", `{"type":"item_reference","id":"fc_1"}`, done1, answer)},
	{
		rule: "OR-05",
		bad:  responsesBody("", thought(`,"id":"rs_1","summary":[]`), answer, thought(`,"id":"rs_1","summary":[]`), answer),
		good: responsesBody("", thought(`,"id":"rs_1","summary":[]`), answer, thought(`,"id":"rs_2","summary":[]`), answer),
	},
	{rule: "OR-06", bad: responsesBody("", asCall("call_1", `,"id":"call_1"`), done1), good: responsesBody("", asCall("call_1", `,"id":"fc_1"`), done1)},
	{rule: "OR-06", bad: responsesBody("", thought(`,"id":"msg_1","summary":[]`), answer), good: responsesBody("", thought(`,"id":"rs_1","summary":[]`), answer)},
	{
		rule: "OR-07",
		bad:  responsesBody("", asCall("call_1", `,"id":"`+pad("fc_", 65)+`"`), done1),
		good: responsesBody("", asCall("call_1", `,"id":"`+pad("fc_", 64)+`"`), done1),
	},
	{rule: "OR-07", bad: responsesBody("", asCall("call_1", `,"id":"fc_1.2"`), done1), good: responsesBody("", asCall("call_1", `,"id":"fc_1-2"`), done1)},
	{
		rule: "OR-08",
		bad:  responsesBody(`,"store":false`, thought(`,"id":"rs_1","summary":[]`), answer),
		good: responsesBody(`,"store":false`, thought(`,"id":"rs_1","summary":[],"encrypted_content":"gAAA"`), answer),
	},
	{
		rule: "OR-08",
		bad:  responsesBody(`,"store":false`, `{"type":"item_reference","id":"rs_1"}`),
		good: responsesBody(`,"store":true`, `{"type":"item_reference","id":"rs_1"}`),
	},
	{ // W-335: it goes on from a response that is stored
		rule: "OR-08",
		bad:  responsesBody(`,"store":false`, `{"type":"item_reference","id":"rs_1"}`),
		good: responsesBody(`,"store":false,"previous_response_id":"resp_1"`, `{"type":"item_reference","id":"rs_1"}`),
	},
	{rule: "OR-09", bad: responsesBody("", thought(`,"summary":[],"encrypted_content":""`), answer), good: responsesBody("", thought(`,"summary":[],"encrypted_content":null`), answer)},
	{rule: "OR-10", bad: responsesBody(`,"prompt_cache_key":"` + pad("", 65) + `"`), good: responsesBody(`,"prompt_cache_key":"` + pad("", 64) + `"`)},
	{
		rule: "OR-11",
		bad:  responsesBody("", asCall(pad("call_", 65), ""), asOutput(pad("call_", 65), `"x"`)),
		good: responsesBody("", asCall(pad("call_", 64), ""), asOutput(pad("call_", 64), `"x"`)),
	},
	{rule: "OR-11", bad: responsesBody("", asCall("", ""), asOutput("", `"x"`)), good: responsesBody("", asCall("c", ""), asOutput("c", `"x"`))},
	{rule: "OR-12", bad: responsesBody(`,"messages":[]`), good: responsesBody(``)},
	{rule: "OR-13", bad: responsesBody("", asMessage("tool", `{"type":"input_text","text":"x"}`)), good: responsesBody("", asMessage("developer", `{"type":"input_text","text":"x"}`))},
	{rule: "OR-14", bad: responsesBody("", asMessage("assistant", `{"type":"input_text","text":"x"}`)), good: responsesBody("", asMessage("assistant", `{"type":"refusal","refusal":"x"}`))},
	{rule: "OR-14", bad: responsesBody("", asMessage("user", `{"type":"output_text","text":"x"}`)), good: responsesBody("", `{"role":"user","content":"x"}`)},
	{rule: "OR-15", bad: responsesBody("", thought(`,"encrypted_content":"gAAA"`), answer), good: responsesBody("", thought(`,"summary":[],"encrypted_content":"gAAA"`), answer)},
	{rule: "OR-16", bad: responsesBody("", strings.Replace(call1, "read", "fs.read", 1), done1), good: responsesBody("", strings.Replace(call1, "read", "fs_read", 1), done1)},
	{rule: "OR-16", bad: responsesBody("", strings.Replace(call1, `"{}"`, `{}`, 1), done1), good: responsesBody("", call1, done1)},
	{rule: "OR-16", bad: responsesBody(`,"tools":[{"type":"function","name":"a b"}]`), good: responsesBody(`,"tools":[{"type":"function","name":"a_b"}]`)},
	{rule: "OR-17", bad: responsesBody("", call1, asOutput("call_1", `[]`)), good: responsesBody("", call1, asOutput("call_1", `""`))},
	{rule: "OR-17", bad: responsesBody("", call1, asOutput("call_1", `[{"type":"output_text","text":"x"}]`)), good: responsesBody("", call1, asOutput("call_1", `[{"type":"input_text","text":"x"}]`))},
	{rule: "OR-20", bad: responsesBody("", picture("data:image/png;base64,aGVsbG8=")), good: responsesBody("", picture("data:image/png;base64,"+png8))},
	{rule: "OR-20", bad: responsesBody("", picture("data:image/svg+xml;base64,"+png8)), good: responsesBody("", picture("https://example.org/x.svg"))},
	{
		rule: "OR-20",
		bad:  responsesBody("", call1, asOutput("call_1", `[{"type":"input_image","image_url":"`+png8+`"}]`)),
		good: responsesBody("", call1, asOutput("call_1", `[{"type":"input_image","image_url":"data:image/webp;base64,`+png8+`"}]`)),
	},
	{rule: "OR-22", bad: `{"model":"m","input":[]}`, good: `{"model":"m","input":[],"previous_response_id":"resp_1"}`},
	{rule: "OR-22", bad: `{"model":"m"}`, good: `{"model":"m","input":"hi"}`},
	{rule: "OR-23", bad: responsesBody(`,"tools":[{"type":"function","function":{"name":"read"}}]`), good: responsesBody(`,"tools":[{"type":"web_search"},{"type":"function","name":"read"}]`)},

	{rule: "CX-01", api: codexAPI, bad: without(codexHead, `"instructions":"Be brief.",`), good: codexHead},
	{rule: "CX-01", api: codexAPI, bad: strings.Replace(codexHead, "Be brief.", " ", 1), good: strings.Replace(codexHead, "Be brief.", ".", 1)},
	{rule: "CX-03", api: codexAPI, bad: without(codexHead, `"store":false,`), good: codexHead},
	{rule: "CX-04", api: codexAPI, bad: strings.Replace(codexHead, `"stream":true`, `"stream":false`, 1), good: codexHead},
	{rule: "CX-05", api: codexAPI, bad: strings.Replace(codexHead, `"model"`, `"max_output_tokens":9,"model"`, 1), good: strings.Replace(codexHead, `"model"`, `"prompt_cache_key":"k","text":{"verbosity":"low"},"model"`, 1)},
	{rule: "CX-05", api: codexAPI, bad: strings.Replace(codexHead, `"model"`, `"metadata":{},"model"`, 1), good: strings.Replace(codexHead, `"model"`, `"metadata":null,"model"`, 1)},
	{rule: "CX-06", api: codexAPI, bad: strings.Replace(codexHead, `[`+hello+`]`, `"hi"`, 1), good: codexHead},
	{
		rule: "CX-07", api: codexAPI,
		bad:  strings.Replace(codexHead, `"role":"user"`, `"role":"system"`, 1),
		good: strings.Replace(codexHead, `"role":"user"`, `"role":"developer"`, 1),
	},
	{
		rule: "CX-08", api: codexAPI,
		bad:  strings.Replace(codexHead, hello, thought(`,"id":"rs_1","summary":[]`)+`,`+answer, 1),
		good: strings.Replace(codexHead, hello, thought(`,"summary":[],"encrypted_content":"gAAA"`)+`,`+answer, 1),
	},

	{
		rule: "AZ-01", api: azureAPI,
		bad:  responsesBody("", thought(`,"id":"rs_1","summary":[],"encrypted_content":"gAAA"`), answer),
		good: responsesBody("", thought(`,"summary":[],"encrypted_content":"gAAA"`), answer),
	},
	{
		rule: "AZ-01", api: azureAPI,
		bad:  responsesBody(`,"store":false`, asCall("call_1", `,"id":"fc_1"`), done1),
		good: responsesBody(`,"store":true`, asCall("call_1", `,"id":"fc_1"`), done1),
	},
	{rule: "AZ-03", api: azureAPI, bad: responsesBody(`,"reasoning_effort":"low"`), good: responsesBody(`,"reasoning":{"effort":"low"}`)},
}

const (
	codexAPI = "openai-chatgpt-responses"
	azureAPI = "azure-openai-responses"
)

func without(s, part string) string { return strings.Replace(s, part, "", 1) }

// rulesOf returns the rules that a body breaks, each once. For a rule that is
// not about Azure's ids, ids may stand in a body for Azure.
func rulesOf(t *testing.T, text string, target policy.Target, rule string) []string {
	t.Helper()
	o := Options{Rules: map[string]bool{"AZ-01": rule == "AZ-01"}}
	found, err := Payload([]byte(text), target, o)
	if err != nil {
		t.Fatal(err)
	}
	return distinct(t, found, target)
}

// TestResponsesModels holds OR-18 and OR-19 to what models of OpenAI take.
func TestResponsesModels(t *testing.T) {
	for _, c := range []struct {
		model, params, rule string
	}{
		{"gpt-4o", `,"reasoning":{"effort":"low"}`, "OR-18"},
		{"gpt-4.1", `,"include":["reasoning.encrypted_content"]`, "OR-18"},
		{"gpt-5-chat-latest", `,"reasoning":{"effort":"low"}`, "OR-18"},
		{"gpt-4o", `,"temperature":0.5,"reasoning":null`, ""},
		{"gpt-5", `,"temperature":0.5`, "OR-18"},
		{"openai/o3", `,"top_p":0.5`, "OR-18"},
		{"gpt-5.1", `,"temperature":0.5,"reasoning":{"effort":"none"}`, ""},
		{"gpt-5.1", `,"temperature":1,"reasoning":{"effort":"low"}`, ""},
		{"gpt-5", `,"reasoning":{"effort":"none"}`, "OR-19"},
		{"gpt-5", `,"reasoning":{"effort":"minimal"}`, ""},
		{"gpt-5", `,"reasoning":{"effort":"minimal"},"tools":[{"type":"web_search"}]`, "OR-19"},
		{"gpt-5.1", `,"reasoning":{"effort":"minimal"}`, "OR-19"},
		{"gpt-5.4", `,"reasoning":{"effort":"xhigh"}`, ""},
		{"o3", `,"reasoning":{"effort":"xhigh"}`, "OR-19"},
		{"some-model", `,"reasoning":{"effort":"odd"},"temperature":0`, ""},
	} {
		found := rulesOf(t, responsesBody(c.params), policy.Target{Provider: "openai", API: "openai-responses", Model: c.model}, "")
		if want := strings.Join(found, " "); want != c.rule {
			t.Errorf("%s %s: found %q, want %q", c.model, c.params, want, c.rule)
		}
	}
	text := responsesBody("", thought(`,"summary":[]`), answer)
	if found := rulesOf(t, text, policy.Target{Provider: "openai", API: "openai-responses", Model: "gpt-4o"}, ""); !slices.Equal(found, []string{"OR-18"}) {
		t.Errorf("found %v in a reasoning item for gpt-4o, want OR-18", found)
	}
}

// TestResponsesText holds that findings carry the text of the service, with the
// values of the body in it.
func TestResponsesText(t *testing.T) {
	for _, c := range []struct{ api, body, path, want string }{
		{"", responsesBody("", call1), "/input/1", "No tool output found for function call call_1."},
		{"", responsesBody("", asCall("call_1", `,"id":"x_1"`), done1), "/input/1/id", "Invalid 'input[1].id': 'x_1'. Expected an ID that begins with 'fc'."},
		{
			"", responsesBody("", asCall("call_1", `,"id":"fc_é"`), done1), "/input/1/id",
			"Invalid 'input[1].id': 'fc_é'. Expected an ID that contains letters, numbers, underscores, or dashes, but this value contained additional characters.",
		},
		{"", responsesBody("", asCall("", ""), asOutput("", `"x"`)), "/input/1/call_id", "Invalid 'input[1].call_id': empty string…"},
		{codexAPI, strings.Replace(codexHead, `"model"`, `"user":"u","model"`, 1), "/user", `{"detail":"Unsupported parameter: user"}`},
		{
			codexAPI, strings.Replace(codexHead, hello, thought(`,"id":"rs_7","summary":[]`)+`,`+answer, 1), "/input/0/id",
			"Item with id 'rs_7' not found. Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input.",
		},
		{azureAPI, responsesBody(`,"x":1`), "/x", "Unknown parameter: 'x'."},
	} {
		target := policy.Target{API: c.api}
		if c.api == "" {
			target.API = "openai-responses"
		}
		found, err := Payload([]byte(c.body), target, Options{})
		if err != nil || len(found) == 0 || found[0].Message != c.want || found[0].Path != c.path {
			t.Errorf("%s: found %+v, %v", c.want, found, err)
		}
	}
}

// responsesPairs are those that hang on the model or are off by default.
var responsesPairs = []pair{
	{
		rule: "OR-18", target: policy.Target{Provider: "openai", API: "openai-responses", Model: "gpt-5"},
		bad: responsesBody(`,"temperature":0.5`), good: responsesBody(""),
	},
	{
		rule: "OR-19", target: policy.Target{Provider: "openai", API: "openai-responses", Model: "gpt-5"},
		bad: responsesBody(`,"reasoning":{"effort":"none"}`), good: responsesBody(`,"reasoning":{"effort":"minimal"}`),
	},
	{
		rule: "CX-02", target: policy.Target{Provider: "openai", API: codexAPI, Model: "gpt-5.4"},
		bad: codexHead, good: strings.Replace(codexHead, "Be brief.", "You are Codex, a coding agent.", 1),
	},
}
