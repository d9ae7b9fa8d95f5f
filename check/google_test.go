package check

import (
	"strings"
	"testing"

	"hygeia/policy"
)

// Targets of Google's format.
const (
	gemini2  = "google google-generative-ai gemini-2.5-pro"
	gemini3  = "google google-generative-ai gemini-3-pro-preview"
	gemini35 = "google google-generative-ai gemini-3.5-pro"
	vertex2  = "google-vertex google-vertex gemini-2.5-flash"
	cli2     = "google-gemini-cli google-gemini-cli gemini-2.5-pro"
	assist   = "google-antigravity google-gemini-cli claude-sonnet-4-5"
)

// Contents that many bodies hold.
const (
	gUser   = `{"role":"user","parts":[{"text":"hi"}]}`
	gModel  = `{"role":"model","parts":[{"text":"yes"}]}`
	gCall   = `{"role":"model","parts":[{"functionCall":{"name":"read","args":{}}}]}`
	gDone   = `{"role":"user","parts":[{"functionResponse":{"name":"read","response":{"output":"x"}}}]}`
	gCallID = `{"role":"model","parts":[{"functionCall":{"id":"a1","name":"read","args":{}},"thoughtSignature":"QUJD"}]}`
	gDoneID = `{"role":"user","parts":[{"functionResponse":{"id":"a1","name":"read","response":{"output":"x"}}}]}`
	gPNG    = `{"inlineData":{"mimeType":"image/png","data":"` + png8 + `"}}`
)

// google is a body of these contents, googleWith one with members in front of
// them; wrapped and wrappedWith are the same in an envelope.
func google(contents ...string) string { return googleWith("", contents...) }

func googleWith(members string, contents ...string) string {
	return `{` + members + `"contents":[` + strings.Join(contents, ",") + `]}`
}

func wrapped(contents ...string) string { return wrappedWith("", "", contents...) }

func wrappedWith(outer, inner string, contents ...string) string {
	return `{"project":"p","model":"m",` + outer + `"request":` + googleWith(inner, contents...) + `}`
}

// with is s with another part in the place of the first.
func with(s, part, other string) string {
	if !strings.Contains(s, part) {
		panic("no " + part + " in " + s)
	}
	return strings.Replace(s, part, other, 1)
}

func gParts(role string, parts ...string) string {
	return `{"role":"` + role + `","parts":[` + strings.Join(parts, ",") + `]}`
}

func gTool(function string) string {
	return `"tools":[{"functionDeclarations":[` + function + `]}],`
}

const gTwice = `{"functionCall":{"id":"a2","name":"read","args":{}}}`

// googleTable has, for each rule that a body alone can show, a body that breaks
// nothing else and the nearest one that breaks nothing.
var googleTable = []struct {
	rule, target string
	bad, good    string
}{
	{"GG-01", gemini2, google(gUser, gModel, gCall, gDone), google(gUser, gModel, gUser, gCall, gDone)},
	{"GG-01", gemini2, google(gCall, gDone), google(gUser, gCall, gDone, gCall, gDone)},
	{"GG-03", gemini2, google(gUser, gCall, gUser), google(gUser, gCall, gDone, gUser)},
	{"GG-03", gemini2, google(gUser, gCall), google(gUser, gCall, gDone)},
	{"GG-03", gemini3, google(gUser, with(gCallID, `"QUJD"}`, `"QUJD"},`+gTwice), gDoneID), google(gUser, with(gCallID, `"QUJD"}`, `"QUJD"},`+gTwice), with(gDoneID, `}}}`, `}}},`+`{"functionResponse":{"id":"a2","name":"read","response":{}}}`))},
	{"GG-04", gemini2, google(gUser, gDone), google(gUser, gCall, gDone)},
	{"GG-04", gemini2, google(gUser, gCall, gDone, gDone), google(gUser, gCall, gDone, gUser)},
	{"GG-05", gemini3, google(gUser, gCallID, with(gDoneID, "a1", "a2")), google(gUser, gCallID, gDoneID)},
	{"GG-05", gemini3, google(gUser, gCallID, with(gDoneID, "a1", "a2")), google(gUser, gCallID, with(gDoneID, `"id":"a1",`, ""))},
	{"GG-06", gemini2, google(`{"role":"user","parts":[]}`), google(gUser)},
	{"GG-06", gemini2, google(`{"role":"user"}`), google(`{"parts":[{"text":""}]}`)},
	{"GG-07", gemini2, google(gParts("user", `{}`)), google(gParts("user", `{"text":"x"}`))},
	{"GG-07", gemini2, google(gParts("user", `{"text":"x","inline_data":{"mimeType":"audio/wav"}}`)), google(gParts("user", `{"text":"x"}`, `{"inline_data":{"mimeType":"audio/wav"}}`))},
	{"GG-07", vertex2, google(gParts("user", `{"text":""}`)), google(gParts("user", `{"text":" "}`))},
	{"GG-08", gemini3, google(gUser, without(gCallID, `,"thoughtSignature":"QUJD"`), gDoneID), google(gUser, with(gCallID, "QUJD", "skip_thought_signature_validator"), gDoneID)},
	{"GG-08", gemini3, google(gUser, gCallID, gDoneID, gCall, gDone), google(gUser, gCall, gDone, gUser)},
	{"GG-08", gemini3, google(gUser, gParts("model", `{"text":"x","thoughtSignature":"QUJD"}`, gTwice), with(gDoneID, "a1", "a2")), google(gUser, with(gCallID, `"QUJD"}`, `"QUJD"},`+gTwice), gParts("user", `{"functionResponse":{"name":"read","response":{}}}`, `{"functionResponse":{"name":"read","response":{}}}`))},
	{"GG-09", gemini2, google(gUser, with(gModel, `"yes"`, `"yes","thoughtSignature":"{\"id\":1}"`)), google(gUser, with(gModel, `"yes"`, `"yes","thoughtSignature":"ab-_"`))},
	{"GG-09", gemini2, google(gUser, with(gModel, `"yes"`, `"yes","thoughtSignature":"QUJDR"`)), google(gUser, with(gModel, `"yes"`, `"yes","thought_signature":"QUJDRA"`))},
	{"GG-11", gemini2, google(with(gUser, `"user"`, `"system"`), gUser), google(with(gUser, `"role":"user",`, ""), gModel, gUser)},
	{"GG-11", gemini2, google(gUser, gCall, with(gDone, `"user"`, `"tool"`)), google(gUser, gCall, with(gDone, `"user"`, `"function"`))},
	{"GG-13", gemini2, googleWith(gTool(`{"name":"f","parameters":{"type":"object","properties":{"a":{"type":"array","items":{"const":1}}}}}`), gUser), googleWith(gTool(`{"name":"f","parametersJsonSchema":{"type":"object","properties":{"a":{"const":1}}}}`), gUser)},
	{"GG-13", gemini2, googleWith(gTool(`{"name":"f","parameters":{"anyOf":[{"type":"object","$id":"x"}]}}`), gUser), googleWith(gTool(`{"name":"f","parameters":{"anyOf":[{"type":"object","properties":{"$id":{}}}]}}`), gUser)},
	{"GG-14", gemini2, google(), google(gUser)},
	{"GG-15", gemini2, google(gUser, with(gCall, "read", "2fa"), gDone), google(gUser, with(gCall, "read", "_2fa.b:c-d"), gDone)},
	{"GG-15", gemini2, google(gUser, gCall, with(gDone, "read", "a b")), google(gUser, gCall, with(gDone, "read", "a_b"))},
	{"GG-15", gemini2, googleWith(gTool(`{"name":"`+strings.Repeat("n", 65)+`"}`), gUser), googleWith(gTool(`{"name":"`+strings.Repeat("n", 64)+`"}`), gUser)},
	{"GG-16", gemini2, google(gParts("user", with(gPNG, "image/png", "image/gif"))), google(gParts("user", gPNG))},
	{"GG-16", gemini2, google(gParts("user", with(gPNG, png8, "aGVsbG8="))), google(gParts("user", with(gPNG, "image/png", "audio/wav")))},
	{"GG-16", gemini3, google(gUser, gCallID, with(gDoneID, `"x"}`, `"x"},"parts":[`+with(gPNG, png8, "!")+`]`)), google(gUser, gCallID, with(gDoneID, `"x"}`, `"x"},"parts":[`+with(gPNG, "image/png", "image/webp")+`]`))},
	{"GG-17", gemini2, google(with(gUser, "hi", strings.Repeat("x", 20<<20))), google(with(gUser, "hi", strings.Repeat("x", 20<<20-100)))},
	{"GG-18", gemini2, googleWith(`"cachedContent":"c","tools":[],`, gUser), googleWith(`"cachedContent":"c",`, gUser)},
	{"GG-19", gemini3, googleWith(`"generationConfig":{"thinkingConfig":{"thinkingBudget":1024,"thinkingLevel":"low"}},`, gUser), googleWith(`"generationConfig":{"thinkingConfig":{"thinkingLevel":"low"}},`, gUser)},
	{"GG-19", gemini2, googleWith(`"generationConfig":{"thinkingConfig":{"thinkingBudget":0}},`, gUser), googleWith(`"generationConfig":{"thinkingConfig":{"thinkingBudget":128}},`, gUser)},
	{"GG-20", gemini2, google(gUser, with(gCall, `"args":{}`, `"args":"{}"`), gDone), google(gUser, with(gCall, `,"args":{}`, ``), gDone)},
	{"GG-20", gemini2, google(gUser, gCall, with(gDone, `{"output":"x"}`, `"x"`)), google(gUser, gCall, with(gDone, `{"output":"x"}`, `{}`))},
	{"GG-22", gemini2, google(gUser, gCall, with(gDone, `"x"}`, `"x"},"parts":[`+gPNG+`]`)), google(gUser, gCall, gDone, gParts("user", gPNG))},
	{"GG-22", vertex2, google(gUser, gCall, with(gDone, `"x"}`, `"x"},"parts":[]`)), google(gUser, gCall, gDone)},
	{"GG-23", gemini35, google(gUser, gCallID, with(gDoneID, `"id":"a1",`, "")), google(gUser, gCallID, gDoneID)},
	{"GG-23", gemini35, google(gUser, with(gCallID, `"id":"a1",`, ""), with(gDoneID, `"id":"a1",`, "")), google(gUser, gModel)},

	// The rules of Gemini hold in the envelope.
	{"CA-06", cli2, wrapped(gCall, gDone), wrapped(gUser, gCall, gDone)},
	{"GG-03", cli2, wrapped(gUser, gCall, gUser), wrapped(gUser, gCall, gDone)},
	{"GG-09", cli2, wrapped(gUser, with(gModel, `"yes"`, `"yes","thoughtSignature":"…"`)), wrapped(gUser, gModel)},

	{"CA-01", assist, wrapped(gUser, gParts("model", `{"thought":true,"text":"t"}`), gUser), wrapped(gUser, gParts("model", `{"thought":true,"text":"t","thoughtSignature":"QUJD"}`), gUser)},
	{"CA-01", assist, wrapped(gUser, gParts("model", `{"thought":true,"text":"t","thought_signature":""}`), gUser), wrapped(gUser, gParts("model", `{"text":"t"}`), gUser)},
	{"CA-02", assist, wrappedWith("", gTool(`{"name":"f","parametersJsonSchema":{"type":"object"}}`), gUser), wrappedWith("", gTool(`{"name":"f","parameters":{"type":"object"}}`), gUser)},
	{"CA-03", assist, wrapped(gUser, gCallID, gUser), wrapped(gUser, gCallID, gDoneID, gUser)},
	{"CA-03", assist, wrapped(gUser, gCallID), wrapped(gUser, gCallID, gDoneID)},
	{"CA-03", assist, wrapped(gUser, with(gCallID, `"id":"a1",`, ""), gUser), wrapped(gUser, gModel, gUser)},
	{"CA-03", assist, wrapped(gUser, gDoneID), wrapped(gUser, gCallID, gDoneID)},
	{"CA-03", assist, wrapped(gUser, gCallID, gDoneID, gCallID, gDoneID), wrapped(gUser, gCallID, gDoneID, with(gCallID, "a1", "a2"), with(gDoneID, "a1", "a2"))},
	{"CA-03", assist, wrapped(gUser, gCallID, gParts("user", `{"text":"x"}`, gDoneID[len(`{"role":"user","parts":[`):len(gDoneID)-2])), wrapped(gUser, gCallID, with(gDoneID, `}}}`, `}}},{"text":"x"}`))},
	{"CA-03", assist, wrapped(gUser, gCallID, with(gDoneID, `}}}`, `}}},`+gDoneID[len(`{"role":"user","parts":[`):len(gDoneID)-2])), wrapped(gUser, gCallID, gDoneID)},
	{"CA-03", assist, wrapped(gUser, with(gCallID, "a1", "a.1"), with(gDoneID, "a1", "a.1")), wrapped(gUser, with(gCallID, "a1", "a_1"), with(gDoneID, "a1", "a_1"))},
	{"CA-04", cli2, wrappedWith(`"stream":true,`, "", gUser), wrappedWith(`"user_prompt_id":"x","requestId":"y",`, "", gUser)},
	{"CA-04", cli2, wrappedWith("", `"messages":[],`, gUser), wrappedWith("", `"sessionId":"s","systemInstruction":{"parts":[{"text":"x"}]},`, gUser)},
	{"CA-04", assist, wrappedWith("", gTool(`{"name":"f","parameters":{"type":"object","$schema":"x"}}`), gUser), wrappedWith("", gTool(`{"name":"f","parameters":{"type":"object","title":"x"}}`), gUser)},
	{"CA-05", assist, wrapped(gUser, with(gCallID, "QUJD", "skip_thought_signature_validator"), gDoneID), wrapped(gUser, gCallID, gDoneID)},
}

// googleOptional are rules that are off by default, and GG-05 for names: most
// services take other names.
var googleOptional = []pair{
	{rule: "GG-02", target: geminiTarget, bad: google(gUser, gUser), good: google(gUser, gCall, gDone, gUser)},
	{rule: "GG-02", target: geminiTarget, bad: google(gUser, gModel, gModel), good: google(gUser, gModel, gUser)},
	{rule: "GG-05", target: geminiTarget, bad: google(gUser, gCall, with(gDone, "read", "write")), good: google(gUser, gCall, gDone)},
	{rule: "GG-12", target: geminiTarget, bad: google(gUser, gModel), good: google(gUser, gCall, gDone)},
	{rule: "GG-21", target: geminiTarget, bad: google(gModel, gUser), good: google(gUser, gModel)},
}

var geminiTarget = policy.Target{Provider: "google", API: "google-generative-ai", Model: "gemini-2.5-pro"}

// TestGoogleModels holds the facts about models that GG-08, GG-19, GG-22 and
// GG-23 hang on.
func TestGoogleModels(t *testing.T) {
	budget := func(tokens string) string {
		return googleWith(`"generationConfig":{"thinkingConfig":{"thinkingBudget":`+tokens+`}},`, gUser)
	}
	level := googleWith(`"generationConfig":{"thinkingConfig":{"thinkingLevel":"low"}},`, gUser)
	calls := google(gUser, gCall, gDone)
	for _, c := range []struct{ model, text, want string }{
		{"gemini-2.5-pro", budget("32768"), ""},
		{"gemini-2.5-pro", budget("127"), "GG-19"},
		{"gemini-2.5-pro", budget("-1"), ""},
		{"gemini-2.5-flash", budget("0"), ""},
		{"gemini-2.5-flash", budget("24577"), "GG-19"},
		{"gemini-2.5-flash", budget("1"), ""},
		{"gemini-2.5-flash-lite", budget("511"), "GG-19"},
		{"gemini-2.5-flash-lite", budget("0"), ""},
		{"gemini-3-flash-preview", budget("0"), "GG-19"},
		{"gemini-3-flash-preview", budget("8192"), ""},
		{"gemini-2.0-flash", budget("0"), "GG-19"},
		{"gemini-2.5-flash", level, "GG-19"},
		{"gemini-3.1-pro", level, ""},
		{"gemini-2.0-flash", calls, ""},
		{"gemini-pro", calls, ""},
		{"gemini-3.1-pro", calls, "GG-08"},
		{"gemini-3.5-pro", calls, "GG-23 GG-08"},
		{"gemini-flash-latest", calls, "GG-23 GG-08"},
		{"gemma-3-27b-it", calls, ""},
	} {
		found := rulesOf(t, c.text, policy.Target{Provider: "google", API: "google-generative-ai", Model: c.model}, "")
		if got := strings.Join(found, " "); got != c.want {
			t.Errorf("%s: found %q, want %q\n%s", c.model, got, c.want, c.text)
		}
	}
}

// TestGoogleFinding holds what a finding says: where, and in the words of the
// service.
func TestGoogleFinding(t *testing.T) {
	for _, c := range []struct{ target, text, path, message string }{
		{gemini3, google(gUser, gCall, gDone), "/contents/1/parts/0", "Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call `default_api:read` , position 1. …"},
		{gemini2, google(gUser, with(gModel, `"yes"`, `"yes","thoughtSignature":"a!"`)), "/contents/1/parts/0/thoughtSignature", `Invalid value at 'contents[1].parts[0].thought_signature' (TYPE_BYTES), Base64 decoding failed for "a!"`},
		{assist, wrapped(gUser, with(gCallID, "QUJD", "skip_thought_signature_validator"), gDoneID), "/request/contents/1/parts/0/thoughtSignature", "messages.1.content.0: Invalid `signature` in `thinking` block"},
		{cli2, wrappedWith(`"stream":true,`, "", gUser), "/stream", `Invalid JSON payload received. Unknown name "stream" at 'request'…`},
		{cli2, wrapped(`{"parts":[]}`), "/request/contents/0/parts", "* GenerateContentRequest.contents[0].parts: contents.parts must not be empty."},
		{gemini2, googleWith(gTool(`{"name":"f","parameters":{"properties":{"a/b":{"const":1}}}}`), gUser), "/tools/0/functionDeclarations/0/parameters/properties/a~1b/const", `Invalid JSON payload received. Unknown name "const" at '…parameters…': Cannot find field.`},
	} {
		name := strings.Fields(c.target)
		found, err := Payload([]byte(c.text), policy.Target{Provider: name[0], API: name[1], Model: name[2]}, Options{})
		if err != nil || len(found) != 1 || found[0].Path != c.path || found[0].Message != c.message {
			t.Errorf("%+v %v\nwant %s %s", found, err, c.path, c.message)
		}
	}
}
