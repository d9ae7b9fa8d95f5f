package check

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/png"
	"strings"
	"testing"

	"hygeia/policy"
)

// Models that differ in what they take.
const (
	sonnet45 = "global.anthropic.claude-sonnet-4-5-20250929-v1:0" // thinks with a budget
	opus46   = "us.anthropic.claude-opus-4-6-v1:0"                // thinks adaptively, no prefill
	opus47   = "anthropic.claude-opus-4-7-v1:0"                   // thinks adaptively only
	haiku3   = "anthropic.claude-3-haiku-20240307-v1:0"           // caches nothing
	llama    = "meta.llama3-1-70b-instruct-v1:0"
	nova     = "us.amazon.nova-pro-v1:0"
)

const (
	askC      = `{"role":"user","content":[{"text":"hi"}]}`
	sayC      = `{"role":"assistant","content":[{"text":"ok"}]}`
	callC     = `{"role":"assistant","content":[{"toolUse":{"toolUseId":"t1","name":"read","input":{}}}]}`
	doneC     = `{"role":"user","content":[{"toolResult":{"toolUseId":"t1","content":[{"text":"x"}]}}]}`
	toolsC    = `"toolConfig":{"tools":[{"toolSpec":{"name":"read","inputSchema":{"json":{"type":"object"}}}}]},`
	manualC   = `"additionalModelRequestFields":{"thinking":{"type":"enabled","budget_tokens":2048}},"inferenceConfig":{"maxTokens":4096},`
	adaptiveC = `"additionalModelRequestFields":{"thinking":{"type":"adaptive"}},`
	pointC    = `{"cachePoint":{"type":"default"}}`
	sealedC   = `{"reasoningContent":{"reasoningText":{"text":"t","signature":"U2ln"}}}`
)

// converseBody is a body with these messages.
func converseBody(head string, messages ...string) string {
	return `{` + head + `"messages":[` + strings.Join(messages, ",") + `]}`
}

// roundC is a tool round with another call and another result.
func roundC(call, result string) string {
	return converseBody(toolsC, askC, strings.Replace(callC, `{"toolUse":{"toolUseId":"t1","name":"read","input":{}}}`, call, 1),
		strings.Replace(doneC, `{"toolResult":{"toolUseId":"t1","content":[{"text":"x"}]}}`, result, 1))
}

func useC(id, name, input string) string {
	return `{"toolUse":{"toolUseId":"` + id + `","name":"` + name + `","input":` + input + `}}`
}

func resultC(id, more string) string { return `{"toolResult":{"toolUseId":"` + id + `"` + more + `}}` }

const textsC = `,"content":[{"text":"x"}]`

func userC(blocks ...string) string {
	return `{"role":"user","content":[` + strings.Join(blocks, ",") + `]}`
}

func modelC(blocks ...string) string {
	return `{"role":"assistant","content":[` + strings.Join(blocks, ",") + `]}`
}

func imageC(format, data string) string {
	return `{"image":{"format":"` + format + `","source":{"bytes":"` + data + `"}}}`
}

func documentC(name string) string {
	return `{"document":{"format":"txt","name":"` + name + `","source":{"bytes":"QQ=="}}}`
}

// pngOf is a PNG of that size in base64; more bytes are put behind it.
func pngOf(width, height, more int) string {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))); err != nil {
		panic(err)
	}
	return base64.StdEncoding.EncodeToString(append(b.Bytes(), make([]byte, more)...))
}

// bedrockTable has, for each rule that a body alone can show, a body that breaks
// nothing else and the nearest one that breaks nothing.
var bedrockTable = []struct {
	rule      string
	model     string // "" for Claude Sonnet 4.5
	bad, good string
}{
	{rule: "BR-01", bad: converseBody("", userC(`{"text":" \n"}`)), good: converseBody("", userC(`{"text":" x"}`))},
	{rule: "BR-01", bad: converseBody(`"system":[{"text":""}],`, askC), good: converseBody(`"system":[{"text":"s"}],`, askC)},
	{
		rule: "BR-01",
		bad:  roundC(useC("t1", "read", `{}`), resultC("t1", `,"content":[{"text":"x"},{"text":""}]`)),
		good: roundC(useC("t1", "read", `{}`), resultC("t1", `,"content":[{"text":"x"},{"json":{}}]`)),
	},
	{rule: "BR-02", bad: converseBody("", askC, modelC(), askC), good: converseBody("", askC, sayC, askC)},
	{rule: "BR-03", bad: converseBody(toolsC, askC, callC, askC), good: converseBody(toolsC, askC, callC, doneC)},
	{rule: "BR-03", bad: converseBody(toolsC, askC, callC), good: converseBody(toolsC, askC, callC, doneC, askC)},
	{
		rule: "BR-03",
		bad:  roundC(useC("t1", "read", `{}`)+`,`+useC("t2", "read", `{}`), resultC("t1", textsC)),
		good: roundC(useC("t1", "read", `{}`)+`,`+useC("t2", "read", `{}`), resultC("t2", textsC)+`,`+resultC("t1", textsC)),
	},
	{rule: "BR-04", bad: converseBody("", askC, callC, doneC), good: converseBody(toolsC, askC, callC, doneC)},
	{rule: "BR-05", bad: converseBody(toolsC, askC, sayC, doneC), good: converseBody(toolsC, askC, callC, doneC)},
	{
		rule: "BR-05",
		bad:  roundC(useC("t1", "read", `{}`), resultC("t1", textsC)+`,`+resultC("t1", textsC)),
		good: roundC(useC("t1", "read", `{}`), resultC("t1", textsC)+`,{"text":"and"}`),
	},
	{
		rule: "BR-06",
		bad:  roundC(useC("t1", "read", `{}`), resultC("t1", `,"content":[],"status":"error"`)),
		good: roundC(useC("t1", "read", `{}`), resultC("t1", `,"content":[],"status":"success"`)),
	},
	{
		rule: "BR-07",
		bad:  roundC(useC("t1", "read", `{}`)+`,`+useC("t1", "read", `{}`), resultC("t1", textsC)),
		good: converseBody(toolsC, askC, callC, doneC, callC, doneC),
	},
	{rule: "BR-08", bad: converseBody("", askC, askC), good: converseBody("", askC, sayC, askC)},
	{rule: "BR-09", bad: converseBody("", sayC, askC), good: converseBody("", askC)},
	{
		rule: "BR-10",
		bad:  roundC(useC("t:1", "read", `{}`), resultC("t:1", textsC)),
		good: roundC(useC("t_1-A", "read", `{}`), resultC("t_1-A", textsC)),
	},
	{rule: "BR-10", bad: roundC(useC("t1", "a.b", `{}`), resultC("t1", textsC)), good: roundC(useC("t1", "a-b", `{}`), resultC("t1", textsC))},
	{
		rule: "BR-10",
		bad:  roundC(useC(pad("t", 65), "read", `{}`), resultC(pad("t", 65), textsC)),
		good: roundC(useC(pad("t", 64), "read", `{}`), resultC(pad("t", 64), textsC)),
	},
	{rule: "BR-10", bad: converseBody(strings.Replace(toolsC, "read", "re ad", 1), askC), good: converseBody(toolsC, askC)},
	{
		rule: "BR-11", model: llama,
		bad:  converseBody(toolsC, askC, callC, userC(resultC("t1", textsC), `{"text":"and"}`)),
		good: converseBody(toolsC, askC, callC, doneC, sayC, askC),
	},
	{rule: "BR-12", bad: converseBody("", `{"role":"user","content":null}`), good: converseBody("", askC)},
	{
		rule: "BR-12",
		bad:  roundC(`{"toolUse":{"toolUseId":"t1","name":"read"}}`, resultC("t1", textsC)),
		good: roundC(useC("t1", "read", `{}`), resultC("t1", textsC)),
	},
	{rule: "BR-13", bad: converseBody("", userC(`{"text":"x"}`, sealedC)), good: converseBody("", askC, modelC(sealedC, `{"text":"x"}`), askC, sayC, askC)},
	{
		rule: "BR-13", model: llama,
		bad:  converseBody("", askC, modelC(`{"reasoningContent":{"reasoningText":{"text":"t"}}}`, `{"text":"x"}`), askC),
		good: converseBody("", askC, sayC, askC),
	},
	{
		rule: "BR-14", model: llama,
		bad:  converseBody("", askC, modelC(sealedC, `{"text":"x"}`), askC),
		good: converseBody("", askC, modelC(`{"text":"x"}`), askC),
	},
	{rule: "BR-15", model: llama, bad: converseBody("", askC, sayC), good: converseBody("", askC, sayC, askC)},
	{rule: "BR-15", model: opus46, bad: converseBody("", askC, sayC), good: converseBody("", askC, sayC, askC)},
	{rule: "BR-15", bad: converseBody(manualC, askC, sayC), good: converseBody("", askC, sayC)},
	{rule: "BR-16", bad: converseBody("", userC(imageC("bmp", png8))), good: converseBody("", userC(imageC("png", png8)))},
	{rule: "BR-16", bad: converseBody("", userC(imageC("jpeg", png8))), good: converseBody("", userC(`{"image":{"format":"jpeg","source":{"s3Location":{}}}}`))},
	{rule: "BR-16", bad: converseBody("", askC, modelC(imageC("png", png8)), askC), good: converseBody("", userC(imageC("png", png8)), sayC, askC)},
	{
		rule: "BR-16",
		bad:  converseBody("", userC(strings.TrimSuffix(strings.Repeat(imageC("png", png8)+",", 21), ","))),
		good: converseBody("", userC(strings.TrimSuffix(strings.Repeat(imageC("png", png8)+",", 20), ","))),
	},
	{rule: "BR-16", bad: converseBody("", userC(imageC("png", pngOf(8001, 1, 0)))), good: converseBody("", userC(imageC("png", pngOf(8000, 1, 0))))},
	{rule: "BR-16", bad: converseBody("", userC(imageC("png", pngOf(1, 1, 15<<18)))), good: converseBody("", userC(imageC("png", pngOf(1, 1, 14<<18))))},
	{
		rule: "BR-16",
		bad:  roundC(useC("t1", "read", `{}`), resultC("t1", `,"content":[{"text":"x"},`+imageC("png", "QQ==")+`]`)),
		good: roundC(useC("t1", "read", `{}`), resultC("t1", `,"content":[{"text":"x"},`+imageC("png", png8)+`]`)),
	},
	{rule: "BR-17", bad: converseBody("", userC(documentC("a b"))), good: converseBody("", userC(documentC("a b"), `{"text":"x"}`))},
	{rule: "BR-17", bad: converseBody("", userC(documentC("a.b"), `{"text":"x"}`)), good: converseBody("", userC(documentC("a (b) [c]-d"), `{"text":"x"}`))},
	{rule: "BR-17", bad: converseBody("", userC(documentC("a  b"), `{"text":"x"}`)), good: converseBody("", userC(documentC("ab"), `{"text":"x"}`))},
	{
		rule: "BR-17",
		bad:  converseBody("", userC(strings.Repeat(documentC("d")+",", 6)+`{"text":"x"}`)),
		good: converseBody("", userC(strings.Repeat(documentC("d")+",", 5)+`{"text":"x"}`)),
	},
	{rule: "BR-18", bad: converseBody(`"toolConfig":{"tools":[]},`, askC), good: converseBody(toolsC, askC)},
	{rule: "BR-19", model: llama, bad: converseBody("", userC(`{"text":"x"}`, pointC)), good: converseBody("", userC(`{"text":"x"}`))},
	{rule: "BR-19", model: haiku3, bad: converseBody("", userC(`{"text":"x"}`, pointC)), good: converseBody("", userC(`{"text":"x"}`))},
	{
		rule: "BR-19", model: nova,
		bad:  converseBody(`"system":[{"text":"s"},`+pointC+`],`, userC(strings.Repeat(`{"text":"x"},`+pointC+`,`, 3)+`{"text":"x"}`, pointC)),
		good: converseBody(`"system":[{"text":"s"},`+pointC+`],`, userC(strings.Repeat(`{"text":"x"},`+pointC+`,`, 2)+`{"text":"x"}`, pointC)),
	},
	{rule: "BR-20", bad: converseBody(strings.Replace(manualC, "2048", "1023", 1), askC), good: converseBody(strings.Replace(manualC, "2048", "1024", 1), askC)},
	{rule: "BR-20", bad: converseBody(strings.Replace(manualC, "2048", "4096", 1), askC), good: converseBody(strings.Replace(manualC, "2048", "4095", 1), askC)},
	{
		rule: "BR-20", // AN-15
		bad:  converseBody(manualC+toolsC, askC, callC, userC(resultC("t1", textsC), `{"text":"and"}`)),
		good: converseBody(manualC+toolsC, askC, modelC(sealedC, useC("t1", "read", `{}`)), userC(resultC("t1", textsC), `{"text":"and"}`)),
	},
	{rule: "BR-20", model: opus47, bad: converseBody(manualC, askC), good: converseBody(adaptiveC+toolsC, askC, callC, doneC)}, // AN-25, AN-15
	{
		rule: "BR-20", // AN-17
		bad:  converseBody("", askC, modelC(strings.Replace(sealedC, "U2ln", " ", 1), `{"text":"x"}`), askC, sayC, askC),
		good: converseBody("", askC, modelC(sealedC, `{"text":"x"}`), askC, sayC, askC),
	},
	{
		rule: "BR-20", // AN-19
		bad:  converseBody(manualC, askC, modelC(`{"reasoningContent":{"redactedContent":"a-b"}}`, `{"text":"x"}`), askC),
		good: converseBody(manualC, askC, modelC(`{"reasoningContent":{"redactedContent":"QQ=="}}`, `{"text":"x"}`), askC),
	},
	{
		rule: "BR-20", // AN-22
		bad:  converseBody(strings.Replace(manualC, `"maxTokens"`, `"temperature":0.5,"maxTokens"`, 1), askC),
		good: converseBody(strings.Replace(manualC, `"maxTokens"`, `"temperature":1,"maxTokens"`, 1), askC),
	},
	{rule: "BR-20", bad: converseBody("", askC, modelC(sealedC, `{"text":"x"}`), askC), good: converseBody(manualC, askC, modelC(sealedC, `{"text":"x"}`), askC)}, // AN-50
	{
		rule: "BR-20", // AN-51
		bad:  converseBody(manualC, askC, modelC(`{"text":"x"}`, sealedC), askC),
		good: converseBody(manualC, askC, modelC(sealedC, `{"text":"x"}`, sealedC), askC),
	},
	{rule: "BR-21", bad: roundC(useC("t1", "read", `"{}"`), resultC("t1", textsC)), good: roundC(useC("t1", "read", `{}`), resultC("t1", textsC))},
	{rule: "BR-22", bad: converseBody(""), good: converseBody("", askC)},
	{
		rule: "BR-23",
		bad:  roundC(useC("t1", "read", `{}`)+`,{"text":"x"}`, resultC("t1", textsC)),
		good: roundC(`{"text":"x"},`+useC("t1", "read", `{}`), resultC("t1", textsC)),
	},
	{
		rule: "BR-24", model: llama,
		bad:  roundC(useC("t1", "read", `{}`), resultC("t1", textsC+`,"status":"success"`)),
		good: roundC(useC("t1", "read", `{}`), resultC("t1", textsC)),
	},
}

// TestBedrockText holds that findings carry the text of the service, with the
// values of the body in it.
func TestBedrockText(t *testing.T) {
	for _, c := range []struct{ body, path, want string }{
		{converseBody(toolsC, askC, callC), "/messages/1/content/0", "Expected toolResult blocks at messages.2.content for the following Ids: t1"},
		{
			converseBody("", askC, modelC(`{"text":"a"}`, `{"text":" "}`), askC), "/messages/1/content/1/text",
			"The text field in the ContentBlock object at messages.1.content.1 is blank. Add text to the text field, and try again.",
		},
		{
			roundC(useC("t1", "a.b", `{}`), resultC("t1", textsC)), "/messages/1/content/0/toolUse/name",
			"1 validation error detected: Value 'a.b' at 'messages.1.member.content.0.member.toolUse.name' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+",
		},
		{
			roundC(`{"toolUse":{"toolUseId":"t1","name":"read"}}`, resultC("t1", textsC)), "/messages/1/content/0/toolUse/input",
			"1 validation error detected: Value null at 'messages.1.member.content.0.member.toolUse.input' failed to satisfy constraint: Member must not be null",
		},
		{
			converseBody(manualC+toolsC, askC, callC, doneC), "/messages/1/content/0",
			"The model returned the following errors: messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`.",
		},
	} {
		found, err := Payload([]byte(c.body), policy.Target{API: "bedrock-converse-stream", Model: sonnet45}, Options{})
		if err != nil || len(found) == 0 || !strings.HasPrefix(found[0].Message, c.want) || found[0].Path != c.path {
			t.Errorf("%s: found %+v, %v", c.want, found, err)
		}
	}
}
