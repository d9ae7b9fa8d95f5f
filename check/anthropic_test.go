package check

import (
	"slices"
	"strings"
	"testing"

	"hygeia/policy"
)

// Models of Claude that differ in what they take, and MiniMax behind the format.
var (
	claude37   = policy.Target{Provider: "anthropic", API: "anthropic-messages", Model: "claude-3-7-sonnet"}
	claudeO46  = policy.Target{Provider: "anthropic", API: "anthropic-messages", Model: "claude-opus-4-6"}
	claudeO47  = policy.Target{Provider: "anthropic", API: "anthropic-messages", Model: "claude-opus-4-7"}
	claudeO55  = policy.Target{Provider: "anthropic", API: "anthropic-messages", Model: "claude-opus-5-5"}
	minimaxA   = policy.Target{Provider: "minimax", API: "anthropic-messages", Model: "MiniMax-M2.7"}
	minimaxM3A = policy.Target{Provider: "minimax", API: "anthropic-messages", Model: "MiniMax-M3"}
)

const (
	askA      = `{"role":"user","content":"hi"}`
	sayA      = `{"role":"assistant","content":"ok"}`
	callA     = `{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"read","input":{}}]}`
	doneA     = `{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"x"}]}`
	textA     = `{"type":"text","text":"x"}`
	markedA   = `{"type":"text","text":"x","cache_control":{"type":"ephemeral"}}`
	thoughtA  = `{"type":"thinking","thinking":"t","signature":"U2ln"}`
	manualA   = `"thinking":{"type":"enabled","budget_tokens":1024},`
	adaptiveA = `"thinking":{"type":"adaptive"},`
)

// messagesBody is a body with these messages.
func messagesBody(head string, messages ...string) string {
	return `{"model":"m","max_tokens":4096,` + head + `"messages":[` + strings.Join(messages, ",") + `]}`
}

func userA(blocks ...string) string {
	return `{"role":"user","content":[` + strings.Join(blocks, ",") + `]}`
}

func modelA(blocks ...string) string {
	return `{"role":"assistant","content":[` + strings.Join(blocks, ",") + `]}`
}

func pictureA(mediaType, data string) string {
	return messagesBody("", userA(`{"type":"image","source":{"type":"base64","media_type":"`+mediaType+`","data":"`+data+`"}}`))
}

func toolA(members string) string { return `"tools":[{` + members + `}],` }

// roundA is a tool round in which a part of the call and of the result is
// another one.
func roundA(part, call, result string) string {
	return messagesBody("", askA, with(callA, part, call), with(doneA, part, result))
}

// anthropicPairs are those of file 90 §1 and §2.
var anthropicPairs = []pair{
	{rule: "AN-01", target: claude37, bad: messagesBody("", askA, askA), good: messagesBody("", askA, sayA, askA)},
	{rule: "AN-02", target: claudeTarget, bad: messagesBody("", sayA, askA), good: messagesBody("", askA, sayA, askA)},
	{rule: "AN-03", target: claudeTarget, bad: messagesBody("", askA, callA, askA), good: messagesBody("", askA, callA, doneA)},
	{rule: "AN-03", target: claudeTarget, bad: messagesBody("", askA, callA), good: messagesBody("", askA, callA, doneA)},
	{
		rule: "AN-04", target: claudeTarget,
		bad:  messagesBody("", askA, callA, with(doneA, `[{`, `[`+textA+`,{`)),
		good: messagesBody("", askA, callA, with(doneA, `}]`, `},`+textA+`]`)),
	},
	{rule: "AN-05", target: claudeTarget, bad: messagesBody("", askA, doneA), good: messagesBody("", askA, callA, doneA)},
	{rule: "AN-05", target: claudeTarget, bad: messagesBody("", askA, callA, doneA, sayA, doneA), good: messagesBody("", askA, callA, doneA, sayA, askA)},
	{
		rule: "AN-06", target: claudeTarget,
		bad:  messagesBody("", askA, callA, doneA, callA, doneA),
		good: messagesBody("", askA, callA, doneA, with(callA, "t1", "t2"), with(doneA, "t1", "t2")),
	},
	{
		rule: "AN-07", target: claudeTarget,
		bad:  messagesBody("", askA, callA, with(doneA, `}]`, `},{"type":"tool_result","tool_use_id":"t1","content":"x"}]`)),
		good: messagesBody("", askA, callA, doneA),
	},
	{rule: "AN-08", target: claudeTarget, bad: roundA("t1", "functions.read:1", "functions.read:1"), good: roundA("t1", "functions_read-1", "functions_read-1")},
	{rule: "AN-08", target: claudeTarget, bad: roundA("t1", pad("t", 65), pad("t", 65)), good: roundA("t1", pad("t", 64), pad("t", 64))},
	{rule: "AN-09", target: claudeTarget, bad: messagesBody("", askA, with(callA, "read", "a b"), doneA), good: messagesBody("", askA, with(callA, "read", "a_b"), doneA)},
	{
		rule: "AN-09", target: claudeTarget,
		bad:  messagesBody(toolA(`"name":"`+pad("n", 129)+`","input_schema":{"type":"object"}`), askA),
		good: messagesBody(toolA(`"name":"`+pad("n", 128)+`","input_schema":{"type":"object"}`), askA),
	},
	{rule: "AN-10", target: claudeTarget, bad: messagesBody("", `{"role":"system","content":"s"}`, askA), good: messagesBody(`"system":"s",`, askA)},
	{rule: "AN-10", target: claudeTarget, bad: messagesBody("", askA, `{"role":"tool","content":"x"}`), good: messagesBody("", askA)},
	{rule: "AN-10", target: claudeTarget, bad: messagesBody("", askA, `7`), good: messagesBody("", askA)},
	{rule: "AN-13", target: claudeTarget, bad: messagesBody("", `{"role":"user","content":7}`), good: messagesBody("", askA)},
	{rule: "AN-11", target: claudeTarget, bad: messagesBody("", askA, with(callA, `{}`, `"{}"`), doneA), good: messagesBody("", askA, callA, doneA)},
	{rule: "AN-12", target: claudeTarget, bad: messagesBody("", userA(`{"type":"text","text":" \n"}`)), good: messagesBody("", userA(textA))},
	{rule: "AN-12", target: claudeTarget, bad: messagesBody(`"system":[{"type":"text","text":""}],`, askA), good: messagesBody(`"system":"",`, askA)},
	{
		rule: "AN-12", target: claudeTarget,
		bad:  messagesBody("", askA, callA, with(doneA, `"x"`, `[{"type":"text","text":""}]`)),
		good: messagesBody("", askA, callA, with(doneA, `"x"`, `""`)),
	},
	{rule: "AN-13", target: claudeTarget, bad: messagesBody("", askA, sayA, userA()), good: messagesBody("", askA, sayA, userA(textA))},
	{rule: "AN-13", target: claudeTarget, bad: messagesBody("", askA, modelA(), askA), good: messagesBody("", askA, modelA())},
	{rule: "AN-14", target: claudeO46, bad: messagesBody("", askA, sayA), good: messagesBody("", askA, sayA, askA)},
	{rule: "AN-14", target: claude37, bad: messagesBody(manualA, askA, sayA), good: messagesBody("", askA, sayA)},
	{rule: "AN-15", target: claude37, bad: messagesBody(manualA, askA, callA, doneA), good: messagesBody(manualA, askA, with(callA, `[`, `[`+thoughtA+`,`), doneA)},
	{
		rule: "AN-15", target: claude37,
		bad:  messagesBody(manualA, askA, callA, with(doneA, `}]`, `},`+textA+`]`)),
		good: messagesBody(manualA, askA, callA, doneA, sayA, askA),
	},
	{rule: "AN-16", target: claude37, bad: messagesBody("", askA, with(sayA, "ok", "ok ")), good: messagesBody("", askA, with(sayA, "ok", " ok"))},
	{rule: "AN-17", target: claudeTarget, bad: claudeBody(manualA, without(thoughtA, `,"signature":"U2ln"`)), good: claudeBody(manualA, thoughtA)},
	{rule: "AN-17", target: claudeTarget, bad: claudeBody(manualA, with(thoughtA, "U2ln", " ")), good: claudeBody(manualA, with(thoughtA, `"t"`, `""`))},
	{
		rule: "AN-19", target: claudeTarget,
		bad:  claudeBody(manualA, `{"type":"redacted_thinking","data":""}`),
		good: claudeBody(manualA, `{"type":"redacted_thinking","data":"RW5j"}`),
	},
	{rule: "AN-21", target: claudeTarget, bad: messagesBody(with(manualA, "1024", "1023"), askA), good: messagesBody(manualA, askA)},
	{rule: "AN-21", target: claudeTarget, bad: messagesBody(with(manualA, "1024", "4096"), askA), good: messagesBody(with(manualA, "1024", "4095"), askA)},
	{rule: "AN-22", target: claudeTarget, bad: messagesBody(manualA+`"temperature":0.5,`, askA), good: messagesBody(manualA+`"temperature":1,`, askA)},
	{rule: "AN-22", target: claudeO46, bad: messagesBody(adaptiveA+`"top_p":0.9,`, askA), good: messagesBody(adaptiveA+`"top_p":0.95,`, askA)},
	{rule: "AN-22", target: claudeTarget, bad: messagesBody(manualA+`"top_k":5,`, askA), good: messagesBody(`"top_k":5,`, askA)},
	{rule: "AN-23", target: claudeTarget, bad: messagesBody(manualA+`"tool_choice":{"type":"any"},`, askA), good: messagesBody(manualA+`"tool_choice":{"type":"none"},`, askA)},
	{rule: "AN-23", target: claudeO55, bad: messagesBody(adaptiveA+`"tool_choice":{"type":"tool"},`, askA), good: messagesBody(adaptiveA+`"tool_choice":{"type":"auto"},`, askA)},
	{rule: "AN-24", target: claudeTarget, bad: without(messagesBody("", askA), `"max_tokens":4096,`), good: with(messagesBody("", askA), "4096", "1")},
	{rule: "AN-24", target: claudeTarget, bad: with(messagesBody("", askA), "4096", "0"), good: with(messagesBody("", askA), "4096", "1")},
	{rule: "AN-25", target: claudeO47, bad: messagesBody(manualA, askA), good: messagesBody(adaptiveA, askA)},
	{rule: "AN-25", target: claude37, bad: messagesBody(adaptiveA, askA), good: messagesBody(manualA, askA)},
	{rule: "AN-25", target: claudeO55, bad: messagesBody(`"thinking":{"type":"disabled"},`, askA), good: messagesBody("", askA)},
	{rule: "AN-26", target: claudeO47, bad: messagesBody(`"temperature":0.5,`, askA), good: messagesBody("", askA)},
	{rule: "AN-27", target: claudeTarget, bad: messagesBody("", with(askA, "hi", `hi\ud83d`)), good: messagesBody("", with(askA, "hi", `\ud83d\ude00`))},
	{rule: "AN-27", target: claudeTarget, bad: messagesBody("", with(askA, "hi", `\u0000`)), good: messagesBody("", with(askA, "hi", `\u0001`))},
	{rule: "AN-28", target: claudeTarget, bad: messagesBody("", userA(slices.Repeat([]string{markedA}, 5)...)), good: messagesBody("", userA(slices.Repeat([]string{markedA}, 4)...))},
	{rule: "AN-29", target: claudeTarget, bad: claudeBody(manualA, with(thoughtA, `"t"`, `"t","cache_control":{"type":"ephemeral"}`)), good: claudeBody(manualA, thoughtA+`,`+markedA)},
	{rule: "AN-31", target: claudeTarget, bad: messagesBody(""), good: messagesBody("", askA)},
	{
		rule: "AN-32", target: claudeTarget,
		bad:  claudeBody("", `{"type":"server_tool_use","id":"toolu_1","name":"web_search","input":{}}`),
		good: claudeBody("", `{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}}`),
	},
	{
		rule: "AN-33", target: claudeTarget,
		bad:  messagesBody(`"tools":[{"name":"a","input_schema":{}},{"name":"a","input_schema":{}}],`, askA),
		good: messagesBody(`"tools":[{"name":"a","input_schema":{}},{"name":"A","input_schema":{}}],`, askA),
	},
	{
		rule: "AN-34", target: claudeTarget,
		bad:  messagesBody("", askA, callA, doneA),
		good: messagesBody(toolA(`"name":"read","input_schema":{}`), askA, callA, doneA),
	},
	{rule: "AN-37", target: claudeTarget, bad: claudeBody("", `{"type":"image","source":{"type":"url","url":"x"}}`), good: messagesBody("", userA(`{"type":"image","source":{"type":"url","url":"x"}}`))},
	{rule: "AN-40", target: claudeTarget, bad: pictureA("image/bmp", png8), good: pictureA("image/png", png8)},
	{rule: "AN-41", target: claudeTarget, bad: pictureA("image/jpeg", png8), good: pictureA("image/png", png8)},
	{rule: "AN-42", target: claudeTarget, bad: pictureA("image/png", ""), good: pictureA("image/png", png8)},
	{rule: "AN-42", target: claudeTarget, bad: pictureA("image/png", "aGVsbG8="), good: pictureA("image/png", png8)},
	{rule: "AN-44", target: claudeTarget, bad: pictureA("image/png", pngOf(1, 1, 7_864_320)), good: pictureA("image/png", pngOf(1, 1, 7_864_000))},
	{rule: "AN-45", target: claudeTarget, bad: pictureBody(101, 1), good: pictureBody(100, 1)},
	{rule: "AN-46", target: claudeTarget, bad: messagesBody("", with(askA, "hi", pad("", 32<<20))), good: messagesBody("", with(askA, "hi", pad("", 32<<20-200)))},
	{
		rule: "AN-47", target: claudeTarget,
		bad:  messagesBody("", askA, callA, with(doneA, `}]`, `},{"type":"tool_result","content":"x"}]`)),
		good: messagesBody("", askA, callA, doneA),
	},
	{rule: "AN-48", target: claudeTarget, bad: messagesBody(`"temperature":0.5,"top_p":0.5,`, askA), good: messagesBody(`"temperature":0.5,`, askA)},
	{rule: "AN-49", target: minimaxA, bad: messagesBody("", askA, modelA(textA, thoughtA)), good: messagesBody("", askA, modelA(thoughtA, textA))},
	{rule: "AN-50", target: claudeO46, bad: claudeBody("", thoughtA+`,`+textA), good: claudeBody(adaptiveA, thoughtA+`,`+textA)},
	{
		rule: "AN-50", target: claude37,
		bad:  messagesBody("", askA, with(callA, `[`, `[`+thoughtA+`,`), doneA),
		good: messagesBody("", askA, with(callA, `[`, `[`+thoughtA+`,`), doneA, sayA, askA),
	},
	{rule: "AN-51", target: claudeTarget, bad: claudeBody(manualA, textA+`,`+thoughtA), good: claudeBody(manualA, thoughtA+`,`+textA)},
	{rule: "MM-01", finds: "AN-05", target: minimaxA, bad: messagesBody("", askA, doneA), good: messagesBody("", askA, callA, doneA)},
	{rule: "MM-02", target: minimaxA, bad: messagesBody("", askA, `{"role":"system","content":"s"}`), good: messagesBody(`"system":"s",`, askA)},
	{rule: "MM-04", target: minimaxA, bad: messagesBody(toolA(`"name":"a","input_schema":{}`), askA), good: messagesBody(toolA(`"name":"a","input_schema":{"type":"object"}`), askA)},
	{rule: "MM-06", target: minimaxM3A, bad: messagesBody(manualA, askA), good: messagesBody(adaptiveA, askA)},
	{rule: "MM-07", finds: "AN-03", target: minimaxA, bad: messagesBody("", askA, callA, askA), good: messagesBody("", askA, callA, doneA)},
	{rule: "MM-08", finds: "AN-13", target: minimaxA, bad: messagesBody("", askA, modelA(), askA), good: messagesBody("", askA, sayA, askA)},
}

// TestRolesInARow holds that the answer of AN-01 names the role that stands twice.
func TestRolesInARow(t *testing.T) {
	for role, turn := range map[string]string{"user": askA, "assistant": sayA} {
		found, err := Payload([]byte(messagesBody("", askA, sayA, turn, turn, askA)), claude37, Options{Rules: map[string]bool{"AN-01": true}})
		if err != nil || len(found) == 0 || found[0].Rule != "AN-01" || !strings.Contains(found[0].Message, `multiple "`+role+`"`) {
			t.Errorf("two turns of the %s: %+v, %v", role, found, err)
		}
	}
}

// TestOpenInOrder holds that calls without results are named in their order, so
// that a report is the same each time (G-3).
func TestOpenInOrder(t *testing.T) {
	text := messagesBody("", askA, modelA(`{"type":"tool_use","id":"c","name":"n","input":{}}`, `{"type":"tool_use","id":"a","name":"n","input":{}}`, `{"type":"tool_use","id":"b","name":"n","input":{}}`), askA)
	for range 20 {
		found, err := Payload([]byte(text), claudeTarget, Options{})
		if err != nil || len(found) != 3 {
			t.Fatal(found, err)
		}
		for i, id := range []string{"c", "a", "b"} {
			if !strings.Contains(found[i].Message, id) {
				t.Fatalf("finding %d is %q, want that of %s", i, found[i].Message, id)
			}
		}
	}
}
