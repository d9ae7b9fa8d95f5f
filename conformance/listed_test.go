package conformance_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"reflect"
	"slices"
)

// entry is a difference that may be.
type entry struct {
	sdk      *sdk
	op, path string
	// at says at which providers, nil: all.
	at func(provider string) bool
	// fits says with which values, nil: any.
	fits func(sent, again any) bool
	why  string
}

// mybox is the provider of the cases of Chat Completions, which try out what
// other providers take.
const mybox = "mybox"

// strict providers take no reasoning back (W-409).
var strict = []string{"openai", "azure-openai", "groq", "cerebras", "mistral"}

var listed = []entry{
	// Other spellings of the same.
	{&anthropicSDK, changed, "messages[].content", nil, promoted, "the SDK has lists only"},
	{&anthropicSDK, changed, "messages[].content[].content", nil, promoted, "the SDK has lists only"},
	{&chatSDK, lost, "messages[].content", nil, null, "the SDK leaves null out, which means the same (W-403)"},
	{&responsesSDK, lost, "input[].status", nil, null, "a recorded reasoning item goes out as it was (W-320); the SDK leaves null out"},
	{&genaiSDK, lost, "contents[].parts[].functionCall.args", nil, empty, "the SDK leaves an empty object out (W-603)"},
	{&codeAssistSDK, lost, "contents[].parts[].functionCall.args", nil, empty, "as above"},
	{&genaiSDK, changed, "contents[].parts[].thoughtSignature", nil, sameSentinel, "the sentinel in the other alphabet of base64 (W-612)"},
	{&codeAssistSDK, changed, "contents[].parts[].thoughtSignature", nil, sameSentinel, "as above"},
	{&bedrockSDK, changed, "messages[].content[].image.source.bytes", nil, sameBytes, "the SDK sets the unused bits at the end of base64 to zero"},

	// What SDKs add.
	{&genaiSDK, added, "systemInstruction.role", nil, user, "the SDK names a role, of which the service needs none (W-601)"},
	{&codeAssistSDK, added, "systemInstruction.role", nil, user, "as above"},

	// What SDKs cannot hold.
	{&anthropicSDK, changed, "messages[].content[].input.a", nil, double, "the SDK reads numbers of arguments as float64"},

	// What only some hosts have.
	{&anthropicSDK, lost, "anthropic_version", only("anthropic-vertex", "amazon-bedrock"), nil, "set by the SDK's packages for these hosts (W-233)"},
	{&codeAssistSDK, lost, "sessionId", nil, nil, "Cloud Code Assist only (W-631)"},
	{&chatSDK, lost, "messages[].name", only("mistral", mybox), nil, "name of the tool in a result (W-406)"},
	{&chatSDK, lost, "messages[].content[].cache_control", only("openrouter", mybox), nil, "W-522"},
	{&chatSDK, lost, "messages[].reasoning_content", but(strict...), nil, "W-422, W-424, W-531"},
	{&chatSDK, lost, "messages[].reasoning", but(strict...), nil, "W-422, W-501"},
	{&chatSDK, lost, "messages[].reasoning_text", but(strict...), nil, "W-422"},
	{&chatSDK, lost, "messages[].reasoning_details", only("openrouter"), nil, "W-501"},
	{&chatSDK, lost, "messages[].tool_calls[].extra_content", only("google"), nil, "W-431"},
	{&chatSDK, lost, "reasoning", only("openrouter", mybox), nil, "W-502"},
	{&chatSDK, lost, "thinking", only("deepseek", "moonshot", "zai", mybox), nil, "W-532"},
	{&chatSDK, lost, "chat_template_kwargs", only("vllm", mybox), nil, "W-542"},
	{&responsesSDK, lost, "input[].content[].n", nil, nil, "a case has a stored part of this API with a member that nobody knows (W-124)"},
}

// members compares what we wrote with what the SDK sends, and reports what is not
// listed.
func (j *judge) members(t reporter, b body, sent, again []byte) {
	t.Helper()
	compare("", parse(t, sent), parse(t, again), func(d diff) {
		i := slices.IndexFunc(listed, func(e entry) bool { return e.covers(b, d) })
		if i < 0 {
			t.Errorf("%s to %s/%s on %s: %s", b.name, b.target.Provider, b.target.Model, b.target.API, d)
			return
		}
		j.used[i] = true
	})
}

func (e *entry) covers(b body, d diff) bool {
	return e.sdk == sdks[b.target.API] && e.op == d.op && e.path == d.path &&
		(e.at == nil || e.at(b.target.Provider)) &&
		(e.fits == nil || e.fits(d.sent, d.again))
}

// idle reports entries that nothing needed, so that the list stays true.
func (j *judge) idle(t reporter) {
	t.Helper()
	for i, used := range j.used {
		if e := listed[i]; !used {
			t.Errorf("%s: %s %s is listed and never happens", e.sdk.name, e.op, e.path)
		}
	}
}

// promoted: a string went out as a list of one text block.
func promoted(sent, again any) bool {
	return reflect.DeepEqual(again, []any{map[string]any{"type": "text", "text": sent}})
}

// double: the SDK reads numbers as float64, and these are the same as such.
func double(sent, again any) bool {
	a, okA := sent.(json.Number)
	b, okB := again.(json.Number)
	if !okA || !okB {
		return false
	}
	x, errA := a.Float64()
	y, errB := b.Float64()
	return errA == nil && errB == nil && x == y
}

func only(providers ...string) func(string) bool {
	return func(p string) bool { return slices.Contains(providers, p) }
}

func but(providers ...string) func(string) bool {
	return func(p string) bool { return !slices.Contains(providers, p) }
}

func null(sent, _ any) bool  { return sent == nil }
func empty(sent, _ any) bool { return reflect.DeepEqual(sent, map[string]any{}) }
func user(_, again any) bool { return again == "user" }

func sameSentinel(sent, again any) bool { return sent == sentinel && again == sentinelRead }

// sameBytes: both are base64 of the same bytes.
func sameBytes(sent, again any) bool {
	a, okA := sent.(string)
	b, okB := again.(string)
	x, errA := base64.StdEncoding.DecodeString(a)
	y, errB := base64.StdEncoding.DecodeString(b)
	return okA && okB && errA == nil && errB == nil && bytes.Equal(x, y)
}
