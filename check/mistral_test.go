package check

import (
	"slices"
	"strings"
	"testing"

	"hygeia/policy"
)

const (
	askM  = `{"role":"user","content":"hi"}`
	sayM  = `{"role":"assistant","content":"ok"}`
	callM = `{"role":"assistant","tool_calls":[{"id":"abcdef123","type":"function","function":{"name":"read","arguments":"{}"}}]}`
	doneM = `{"role":"tool","tool_call_id":"abcdef123","name":"read","content":"x"}`
)

// chatBodyOf is a chat body with these messages.
func chatBodyOf(messages ...string) string {
	return `{"model":"m","messages":[` + strings.Join(messages, ",") + `]}`
}

// withID is callM and doneM with another id.
func withID(message, id string) string { return strings.Replace(message, "abcdef123", id, 1) }

// twoCalls is a turn with two calls of those ids.
func twoCalls(a, b string) string {
	return strings.Replace(withID(callM, a), `[{`, `[{"id":"`+b+`","type":"function","function":{"name":"read","arguments":"{}"}},{`, 1)
}

func imagesM(urls ...string) string {
	var parts []string
	for _, url := range urls {
		parts = append(parts, `{"type":"image_url","image_url":`+url+`}`)
	}
	return `{"role":"user","content":[` + strings.Join(parts, ",") + `]}`
}

const pngURL = `"data:image/png;base64,` + png8 + `"`

// mistralTable has, for each rule that a body alone can show, a body that breaks
// nothing else and the nearest one that breaks nothing.
var mistralTable = []struct {
	rule, bad, good string
	native          bool // only for Mistral's own API
}{
	{rule: "MI-01", bad: chatBodyOf(askM, withID(callM, "abc"), withID(doneM, "abc")), good: chatBodyOf(askM, callM, doneM)},
	{rule: "MI-01", bad: chatBodyOf(askM, withID(callM, "abcdef12_"), withID(doneM, "abcdef12_")), good: chatBodyOf(askM, withID(callM, "ABCDEF129"), withID(doneM, "ABCDEF129"))},
	{rule: "MI-02", bad: chatBodyOf(askM, callM, doneM, askM), good: chatBodyOf(askM, callM, doneM, sayM, askM)},
	{rule: "MI-03", bad: chatBodyOf(askM, doneM), good: chatBodyOf(askM, callM, doneM)},
	{rule: "MI-03", bad: chatBodyOf(askM, sayM, doneM), good: chatBodyOf(askM, sayM, askM)},
	{rule: "MI-03", bad: chatBodyOf(askM, sayM, `{"role":"system","content":"s"}`, askM), good: chatBodyOf(`{"role":"system","content":"s"}`, askM, sayM, askM)},
	{rule: "MI-04", bad: chatBodyOf(askM, sayM), good: chatBodyOf(askM, strings.Replace(sayM, `"ok"`, `"ok","prefix":true`, 1))},
	{rule: "MI-05", bad: chatBodyOf(askM, callM, sayM, askM), good: chatBodyOf(askM, callM, doneM, sayM, askM)},
	{rule: "MI-05", bad: chatBodyOf(askM, callM, doneM, doneM), good: chatBodyOf(askM, callM, doneM)},
	{
		rule: "MI-05",
		bad:  chatBodyOf(askM, twoCalls("abcdef123", "abcdef124"), doneM),
		good: chatBodyOf(askM, twoCalls("abcdef123", "abcdef124"), doneM, withID(doneM, "abcdef124")),
	},
	{rule: "MI-06", bad: chatBodyOf(askM, `{"role":"assistant","content":""}`, askM), good: chatBodyOf(askM, callM, doneM, sayM, askM)},
	{rule: "MI-06", bad: chatBodyOf(askM, `{"role":"assistant","content":[]}`, askM), good: chatBodyOf(askM, `{"role":"assistant","content":[{"type":"text","text":"x"}]}`, askM)},
	{rule: "MI-07", native: true, bad: chatBodyOf(askM, strings.Replace(callM, `"tool_calls"`, `"content":"x","tool_calls"`, 1), doneM), good: chatBodyOf(askM, callM, doneM)},
	{rule: "MI-08", native: true, bad: chatBodyOf(strings.Replace(askM, `"content"`, `"x":1,"content"`, 1)), good: chatBodyOf(askM)},
	{rule: "MI-08", native: true, bad: chatBodyOf(`{"role":"user","content":[{"type":"input_text","text":"x"}]}`), good: chatBodyOf(`{"role":"user","content":[{"type":"text","text":"x"}]}`)},
	{
		rule: "MI-08", native: true,
		bad:  chatBodyOf(`{"role":"user","content":[{"type":"thinking","thinking":[]}]}`),
		good: chatBodyOf(askM, `{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"t"}]}]}`, askM),
	},
	{
		rule: "MI-09",
		bad:  chatBodyOf(askM, callM, withID(doneM, "abcdef124")),
		good: chatBodyOf(askM, withID(callM, "abcdef124"), withID(doneM, "abcdef124")),
	},
	{rule: "MI-10", bad: chatBodyOf(askM, callM, doneM, callM, doneM), good: chatBodyOf(askM, callM, doneM, withID(callM, "abcdef124"), withID(doneM, "abcdef124"))},
	{rule: "MI-11", native: true, bad: chatBodyOf(sayM, askM), good: chatBodyOf(`{"role":"system","content":"s"}`, askM)},
	{rule: "MI-12", native: true, bad: chatBodyOf(imagesM(slices.Repeat([]string{pngURL}, 9)...)), good: chatBodyOf(imagesM(slices.Repeat([]string{pngURL}, 8)...))},
	{rule: "MI-12", native: true, bad: chatBodyOf(imagesM(`{"url":"data:image/bmp;base64,Qk0="}`)), good: chatBodyOf(imagesM(`{"url":` + pngURL + `}`))},
	{rule: "MI-12", native: true, bad: chatBodyOf(imagesM(`"data:image/jpeg;base64,` + png8 + `"`)), good: chatBodyOf(imagesM(`"https://example.org/a.bmp"`))},
	{
		rule: "MI-12", native: true,
		bad:  chatBodyOf(imagesM(`"data:image/png;base64,` + pngOf(1, 1, 10_000_000) + `"`)),
		good: chatBodyOf(imagesM(`"data:image/png;base64,` + pngOf(1, 1, 9_990_000) + `"`)),
	},
}

// TestMistralRouted holds what models of Mistral's bring with them behind a
// router, and that other models do not.
func TestMistralRouted(t *testing.T) {
	for _, c := range mistralTable {
		for i, text := range []string{c.bad, c.good} {
			p := pair{rule: c.rule, target: routedM}
			if found := p.found(t, text); !c.native && slices.Contains(found, c.rule) != (i == 0) {
				t.Errorf("%s behind a router: found %v in body %d\n%.400s", c.rule, found, i, text)
			}
		}
	}
	other := pair{rule: "MI-01", target: chatAt("openrouter", "qwen/qwen3")}
	if found := other.found(t, chatBodyOf(askM, withID(callM, "abc"), withID(doneM, "abc"), askM)); len(found) > 0 {
		t.Errorf("another model: found %v", found)
	}
}

// TestMistralText holds that findings carry the text of the service.
func TestMistralText(t *testing.T) {
	for _, c := range []struct{ body, path, want string }{
		{
			chatBodyOf(askM, withID(callM, "abc"), withID(doneM, "abc")), "/messages/1/tool_calls/0/id",
			"Tool call id was abc but must be a-z, A-Z, 0-9, with a length of 9.",
		},
		{chatBodyOf(askM, callM, doneM, askM), "/messages/3", "Unexpected role 'user' after role 'tool'"},
		{chatBodyOf(doneM), "/messages/0", "Unexpected role 'tool' after role ''"},
		{chatBodyOf(askM, sayM, `{"role":"system","content":"s"}`, askM), "/messages/2", "Unexpected role 'system' after role 'assistant'"},
		{
			chatBodyOf(strings.Replace(askM, `"content"`, `"x":1,"content"`, 1)), "/messages/0/x",
			`detail:[{type:"extra_forbidden", loc:["body","user.x"], msg:"Extra inputs are not permitted"}]`,
		},
	} {
		found, err := Payload([]byte(c.body), policy.Target{API: "mistral-conversations"}, Options{})
		if err != nil || len(found) == 0 || found[0].Message != c.want || found[0].Path != c.path {
			t.Errorf("%s: found %+v, %v", c.want, found, err)
		}
	}
}
