package check

import (
	"strings"
	"testing"

	"hygeia/policy"
)

// Targets of edges.
var (
	mistralNative   = policy.Target{Provider: "mistral", API: "mistral-conversations", Model: "mistral-large-latest"}
	converseTarget  = policy.Target{Provider: "amazon-bedrock", API: "bedrock-converse-stream", Model: sonnet45}
	llamaC          = policy.Target{Provider: "amazon-bedrock", API: "bedrock-converse-stream", Model: llama}
	responsesTarget = policy.Target{Provider: "openai", API: "openai-responses", Model: "some-model"}
	codexTarget     = policy.Target{Provider: "openai", API: codexAPI, Model: "some-model"}
	gemini3Target   = googleAt("gemini-3-pro-preview")
	flashG          = googleAt("gemini-2.5-flash")
	flashLiteG      = googleAt("gemini-2.5-flash-lite")
)

func googleAt(model string) policy.Target {
	return policy.Target{Provider: "google", API: "google-generative-ai", Model: model}
}

func openaiAt(model string) policy.Target {
	return policy.Target{Provider: "openai", API: "openai-responses", Model: model}
}

// effortR asks for an effort.
func effortR(effort string) string { return responsesBody(`,"reasoning":{"effort":"` + effort + `"}`) }

// minimaxAt is MiniMax behind the format of Anthropic, by one of its names.
func minimaxAt(provider string) policy.Target {
	return policy.Target{Provider: provider, API: "anthropic-messages", Model: "MiniMax-M3"}
}

// budgetG asks Gemini to think for so many tokens.
func budgetG(tokens string) string {
	return googleWith(`"generationConfig":{"thinkingConfig":{"thinkingBudget":`+tokens+`}},`, gUser)
}

// deepA is a call whose arguments are deeper than what is recorded of a body.
func deepA(inside string) string {
	return with(callA, `{}`, strings.Repeat(`{"a":`, 12)+inside+strings.Repeat(`}`, 12))
}

// edgePairs stand at the limits of rules that other pairs show in the middle:
// absent and null members, other types, the last value that is taken, and hosts
// that have the rule under another name.
var edgePairs = []pair{
	// AN-27 in what is deeper than a message, and on every host.
	{rule: "AN-27", target: claudeTarget, bad: messagesBody("", askA, deepA(`"\ud83d"`), doneA), good: messagesBody("", askA, deepA(`"\ud83d\ude00"`), doneA)},
	{rule: "AN-27", target: claudeTarget, bad: messagesBody("", askA) + `x`, good: messagesBody("", askA) + ` `},
	{rule: "AN-27", target: openaiC, bad: chatBodyOf(with(askM, "hi", `\ud83d`)), good: chatBodyOf(askM)},
	{rule: "AN-27", target: mistralNative, bad: chatBodyOf(with(askM, "hi", `\ud83d`)), good: chatBodyOf(askM)},
	{rule: "AN-27", target: ollamaTarget, bad: chatBodyOf(with(askM, "hi", `\u0000`)), good: chatBodyOf(askM)},
	{rule: "AN-27", target: geminiTarget, bad: google(with(gUser, "hi", `\ud83d`)), good: google(gUser)},
	{rule: "AN-27", target: converseTarget, bad: converseBody("", with(askC, "hi", `hi\ud83d`)), good: converseBody("", askC)},
	{rule: "AN-27", target: responsesTarget, bad: responsesBody(`,"instructions":"\ude00"`), good: responsesBody(`,"instructions":"x"`)},

	// Anthropic and MiniMax.
	{rule: "AN-06", target: claudeTarget, bad: messagesBody("", askA, with(callA, `}]`, `},`+callA[len(`{"role":"assistant","content":[`):len(callA)-2]+`]`), doneA), good: messagesBody("", askA, callA, doneA)},
	{rule: "AN-08", target: claudeTarget, bad: messagesBody("", askA, with(callA, `"id":"t1",`, ``), askA), good: messagesBody("", askA), off: "AN-03"},
	{rule: "AN-09", target: claudeTarget, bad: messagesBody("", askA, with(callA, `"name":"read",`, ``), doneA), good: messagesBody("", askA, callA, doneA)},
	{rule: "AN-09", target: claudeTarget, bad: messagesBody(toolA(`"type":"custom","name":""`), askA), good: messagesBody(toolA(`"type":"web_search_20250305","name":"web search"`), askA)},
	{rule: "AN-33", target: claudeTarget, bad: messagesBody(`"tools":[{"type":"custom","name":"a"},{"name":"a"}],`, askA), good: messagesBody(`"tools":[{"type":"bash_20250124","name":"a"},{"name":"a"}],`, askA)},
	{rule: "AN-11", target: claudeTarget, bad: messagesBody("", askA, with(callA, `{}`, `null`), doneA), good: messagesBody("", askA, with(callA, `{}`, `{"a":null}`), doneA)},
	{rule: "AN-12", target: claudeTarget, bad: messagesBody("", with(askA, "hi", ` \n\t`)), good: messagesBody("", with(askA, "hi", ` x`))},
	{rule: "AN-12", target: claudeTarget, bad: messagesBody("", userA(`{"type":"text","text":null}`)), good: messagesBody("", userA(textA))},
	{rule: "AN-12", target: claudeTarget, bad: messagesBody("", askA, callA, with(doneA, `"x"`, `" "`)), good: messagesBody("", askA, callA, with(doneA, `"x"`, `" x"`))},
	{rule: "AN-13", target: claudeTarget, bad: messagesBody("", with(askA, "hi", "")), good: messagesBody("", askA, with(sayA, "ok", ""))},
	{rule: "AN-13", target: claudeTarget, bad: messagesBody("", with(askA, `"hi"`, "null")), good: messagesBody("", askA)},
	{rule: "AN-13", target: claudeTarget, bad: messagesBody("", askA, sayA, `{"role":"user"}`), good: messagesBody("", askA, sayA, askA)},
	{rule: "AN-14", target: claude37, bad: messagesBody(with(manualA, `"enabled"`, `"between_tools"`), askA, sayA), good: messagesBody(offA, askA, sayA)},
	{rule: "AN-16", target: claude37, bad: messagesBody("", askA, modelA(textA, with(textA, `"x"`, `"x\n"`))), good: messagesBody("", askA, modelA(with(textA, `"x"`, `"x\n"`), textA))},
	{rule: "AN-17", target: claudeTarget, bad: claudeBody(manualA, with(thoughtA, `"U2ln"`, "7")), good: claudeBody(manualA, thoughtA)},
	{rule: "AN-17", target: claudeTarget, bad: claudeBody(manualA, with(thoughtA, `"U2ln"`, "null")), good: claudeBody(manualA, thoughtA)},
	{rule: "AN-19", target: claudeTarget, bad: claudeBody(manualA, `{"type":"redacted_thinking"}`), good: claudeBody(manualA, `{"type":"redacted_thinking","data":"RW5j"}`)},
	{rule: "AN-19", target: claudeTarget, bad: claudeBody(manualA, `{"type":"redacted_thinking","data":7}`), good: claudeBody(manualA, `{"type":"redacted_thinking","data":"RW5j"}`)},
	{rule: "AN-20", target: claudeTarget, bad: claudeBody(manualA, with(thoughtA, "U2ln", "reasoning")), good: claudeBody(manualA, with(thoughtA, "U2ln", "reasonings"))},
	{rule: "AN-21", target: claudeTarget, bad: messagesBody(`"thinking":{"type":"enabled"},`, askA), good: messagesBody(manualA, askA)},
	{rule: "AN-22", target: claudeTarget, bad: messagesBody(manualA+`"top_p":1.1,`, askA), good: messagesBody(manualA+`"top_p":1,`, askA)},
	{rule: "AN-22", target: claudeTarget, bad: messagesBody(manualA+`"temperature":0,`, askA), good: messagesBody(manualA+`"temperature":null,`, askA)},
	{rule: "AN-22", target: claudeO46, bad: messagesBody(adaptiveA+`"temperature":0,`, askA), good: messagesBody(offA+`"temperature":0,`, askA)},
	{rule: "AN-24", target: claudeTarget, bad: with(messagesBody("", askA), "4096", `"1"`), good: messagesBody("", askA)},
	{rule: "AN-26", target: claudeO47, bad: messagesBody(`"temperature":0,`, askA), good: messagesBody(`"temperature":1,`, askA)},
	{rule: "AN-26", target: claudeO47, bad: messagesBody(`"top_p":0.99,`, askA), good: messagesBody(`"top_p":1,"top_k":null,`, askA)},
	{rule: "AN-29", target: claudeTarget, off: "AN-12", bad: messagesBody("", userA(with(markedA, `"x"`, `""`))), good: messagesBody("", userA(with(textA, `"x"`, `""`)))},
	{rule: "AN-28", target: claudeTarget, bad: messagesBody("", askA, callA, with(doneA, `"x"`, `[`+strings.Repeat(markedA+",", 4)+markedA+`]`)), good: messagesBody("", askA, callA, with(doneA, `"x"`, `[`+strings.Repeat(markedA+",", 3)+markedA+`]`))},
	{rule: "AN-28", target: claudeTarget, bad: messagesBody(toolA(`"name":"a","input_schema":{},"cache_control":{"type":"ephemeral"}`), userA(strings.Repeat(markedA+",", 3)+markedA)), good: messagesBody(toolA(`"name":"a","input_schema":{},"cache_control":null`), userA(strings.Repeat(markedA+",", 3)+markedA))},
	{rule: "AN-32", target: claudeTarget, bad: claudeBody("", `{"type":"server_tool_use","id":"srvtoolu_","name":"x","input":{}}`), good: claudeBody("", `{"type":"server_tool_use","id":"srvtoolu_a_1","name":"x","input":{}}`)},
	{rule: "AN-32", target: claudeTarget, bad: claudeBody("", `{"type":"server_tool_use","id":"srvtoolu_a-1","name":"x","input":{}}`), good: claudeBody("", `{"type":"server_tool_use","id":"srvtoolu_a1","name":"x","input":{}}`)},
	{rule: "AN-35", target: claudeTarget, bad: messagesBody("", with(askA, `"content"`, `"name":"bob","content"`)), good: messagesBody("", askA)},
	{rule: "AN-35", target: claudeTarget, bad: messagesBody("", askA, callA, with(doneA, `"x"`, `[`+with(textA, `"x"`, `"x","phase":1`)+`]`)), good: messagesBody("", askA, callA, with(doneA, `"x"`, `[`+textA+`]`))},
	{rule: "AN-37", target: claudeTarget, off: "AN-50", bad: messagesBody("", userA(textA, thoughtA)), good: messagesBody("", userA(textA))},
	{rule: "AN-37", target: claudeTarget, bad: messagesBody("", userA(textA, `{"type":"server_tool_use","id":"srvtoolu_1","name":"x","input":{}}`)), good: messagesBody("", userA(textA))},
	{rule: "AN-42", target: claudeTarget, bad: messagesBody("", askA, callA, with(doneA, `"x"`, `[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"!"}}]`)), good: messagesBody("", askA, callA, with(doneA, `"x"`, `[{"type":"image","source":{"type":"url","url":"x"}}]`))},
	{rule: "AN-47", target: claudeTarget, bad: messagesBody("", askA, callA, with(doneA, `}]`, `},{"type":"tool_result","tool_use_id":null,"content":"x"}]`)), good: messagesBody("", askA, callA, doneA)},
	{rule: "AN-34", target: claudeTarget, off: "AN-03", bad: messagesBody(`"tools":[],`, askA, callA), good: messagesBody("", askA)},
	{rule: "AN-34", target: claudeTarget, off: "AN-05", bad: messagesBody("", doneA), good: messagesBody("", askA)},
	{rule: "AN-50", target: claudeTarget, bad: messagesBody(offA, askA, modelA(thoughtA, textA)), good: messagesBody(offA, askA, modelA(thoughtA, textA), askA, sayA)},
	{rule: "MM-02", target: minimaxAt("minimax-portal-cn"), bad: messagesBody("", askA, `{"role":"system","content":"s"}`), good: messagesBody("", askA)},
	{rule: "MM-04", target: minimaxAt("minimax-cn"), bad: messagesBody(toolA(`"name":"a"`), askA), good: messagesBody(toolA(`"name":"a","input_schema":{"type":"object"}`), askA)},
	{rule: "MM-06", target: minimaxAt("minimax-cn"), bad: messagesBody(manualA, askA), good: messagesBody(offA, askA)},
	{rule: "MM-03", target: chatAt("minimax-portal-cn", "MiniMax-M3"), bad: chatBodyOf(systemM, askM, sayM, systemM, askM), good: chatBodyOf(systemM, askM, sayM, askM)},

	// Chat Completions and its hosts.
	{rule: "CC-05", target: chatAt("azure-openai", "gpt-4o"), bad: chatBodyOf(askM, withID(callM, pad("", 41)), withID(doneM, pad("", 41))), good: chatBodyOf(askM, withID(callM, pad("", 40)), withID(doneM, pad("", 40)))},
	{rule: "CC-15", target: groqC, bad: chatBodyOf(with(systemM, "system", "developer"), askM), good: chatBodyOf(systemM, askM)},
	{rule: "CC-06", target: openaiC, bad: chatBodyOf(askM, `{"role":"assistant"}`, askM), good: chatBodyOf(askM, `{"role":"assistant","refusal":"no"}`, askM)},
	{rule: "CC-06", target: openaiC, bad: chatBodyOf(askM, `{"role":"assistant","audio":null}`, askM), good: chatBodyOf(askM, `{"role":"assistant","audio":{"id":"a"}}`, askM)},
	{rule: "CC-06", target: openaiC, bad: chatBodyOf(`{"role":"user","refusal":"no"}`), good: chatBodyOf(askM)},
	{rule: "CC-10", target: chatAt("cerebras", "x"), bad: chatBodyOf(askM, reasonedM, askM), good: chatBodyOf(askM, with(sayM, `"ok"`, `"ok","name":"bob"`), askM)},
	{rule: "CC-03", target: openaiC, off: "CC-01", bad: chatBodyOf(askM, callM, withID(doneM, "")), good: chatBodyOf(askM, callM)},
	{rule: "CC-03", target: openaiC, off: "CC-01", bad: chatBodyOf(askM, callM, withID(doneM, "other")), good: chatBodyOf(askM, callM)},
	{rule: "CC-02", target: openaiC, bad: chatBodyOf(callM[:len(`{"role":"`)]+`user","content":"x"`+callM[len(`{"role":"assistant"`):], doneM), good: chatBodyOf(askM, callM, doneM)},
	{rule: "CC-12", target: chatAt("kimi", "kimi-k2.7-code"), bad: chatBodyOf(askM, callM, doneM), good: chatWith(`"thinking":{"type":"disabled"},`, askM, callM, doneM)},
	{rule: "CC-12", target: chatAt("moonshot", "kimi-k2-thinking"), bad: chatBodyOf(askM, callM, doneM), good: chatBodyOf(askM, sayM, askM)},
	{rule: "CC-12", target: chatAt("moonshot", "kimi-for-coding"), bad: chatBodyOf(askM, callM, doneM), good: chatBodyOf(askM, sayM, askM)},
	{rule: "CC-12", target: chatAt("moonshot", "kimi-k2.6"), bad: chatBodyOf(askM, callM, doneM), good: chatBodyOf(askM, sayM, askM)},
	{rule: "CC-13", target: kimiC, bad: chatWith(`"thinking":{"type":"disabled"},"reasoning_effort":"low",`, askM), good: chatWith(`"reasoning_effort":"low",`, askM)},
	{rule: "CC-24", target: kimiC, off: "CC-06", bad: chatBodyOf(askM, `{"role":"assistant","content":null}`, askM), good: chatBodyOf(with(askM, "hi", ""), sayM, askM)},
	{rule: "CC-17", target: openaiC, bad: chatBodyOf(askM, with(strings.ReplaceAll(callM, `"function"`, `"custom"`), "read", "a b"), doneM), good: chatBodyOf(askM, `{"role":"assistant","tool_calls":[{"id":"abcdef123","type":"custom","custom":{"name":"read","input":"free"}}]}`, doneM)},
	{rule: "CC-18", target: openaiC, bad: chatBodyOf(askM, calledM(`"{}"`, `"[]"`), doneM), good: chatBodyOf(askM, calledM(`"{}"`, `"{\"a\":1}"`), doneM)},
	{rule: "OR-20", target: openaiC, bad: chatBodyOf(imagesM(`{"url":"data:image/png;base64,QQ=="}`)), good: chatBodyOf(imagesM(`{"url":` + pngURL + `}`))},
	{rule: "OR-20", target: openaiC, bad: chatBodyOf(imagesM(`{"url":"data:image/png,x"}`)), good: chatBodyOf(imagesM(`{"url":"https://example.com/;base64,x"}`))},
	{rule: "CC-25", target: vllmC, bad: chatBodyOf(askM, `{"content":"x"}`), good: chatBodyOf(askM)},
	{rule: "LO-02", target: chatAt("vllm", "qwen3"), bad: chatBodyOf(askM, sayM, sayM), good: chatBodyOf(askM, sayM, askM)},
	{rule: "LO-02", target: lmStudio, bad: chatBodyOf(sayM, sayM), good: chatBodyOf(sayM)},
	{rule: "LO-01", target: llamaServer, bad: chatWith(`"chat_template_kwargs":{"enable_thinking":true},`, sayM), good: chatWith(`"chat_template_kwargs":{"enable_thinking":true},`, askM)},
	{rule: "OP-03", target: routedClaude, bad: chatWith(`"reasoning":{},`, askM, sayM), good: chatWith(`"reasoning":{"effort":" OFF "},`, askM, sayM)},
	{rule: "OP-03", target: routedClaude, bad: chatWith(`"reasoning":true,`, askM, sayM), good: chatWith(`"reasoning":"",`, askM, sayM)},
	{rule: "OP-03", target: chatAt("openrouter", "openrouter/anthropic/claude-opus-4.5"), bad: chatWith(`"reasoning_effort":"low",`, askM, sayM), good: chatWith(`"reasoning_effort":"low",`, askM, sayM, askM)},
	{rule: "OP-02", target: chatAt("openrouter", "x-ai/grok-4"), bad: routed(`"reasoning_content":"r"`), good: chatBodyOf(with(askM, `"content"`, `"reasoning":"r","content"`), sayM, askM)},
	{rule: "OP-02", target: routedClaude, bad: routed(`"reasoning_details":[{"type":"reasoning.encrypted"}]`), good: routed(`"reasoning_details":[{"type":"reasoning.summary"}]`)},
	{rule: "OP-04", target: routedGemini, bad: routed(`"reasoning_details":[{"type":"reasoning.encrypted","data":" "}]`), good: routed(`"reasoning":"r","reasoning_details":[{"type":"reasoning.text","data":"not base64!"}]`)},

	// The Responses API.
	{rule: "OR-22", target: responsesTarget, bad: `{"input":""}`, good: `{"input":"","prompt":{"id":"p"}}`},
	{rule: "OR-22", target: responsesTarget, bad: `{"input":null}`, good: `{"conversation":"c"}`},
	{rule: "OR-05", target: responsesTarget, bad: responsesBody("", `{"type":"item_reference","id":"x"}`, `{"type":"item_reference","id":"x"}`), good: responsesBody("", `{"type":"item_reference","id":"x"}`, `{"type":"item_reference","id":"y"}`)},
	{rule: "OR-08", target: responsesTarget, bad: responsesBody(`,"store":false`, `{"id":"msg_1"}`), good: responsesBody(`,"store":false`, `{"type":"web_search_call","id":"ws_1","status":"completed"}`)},
	{rule: "OR-08", target: responsesTarget, bad: responsesBody(`,"store":false`, `{"type":"web_search_call","id":"ws_1"}`), good: responsesBody(``, `{"type":"web_search_call","id":"ws_1"}`)},
	{rule: "OR-08", target: responsesTarget, bad: responsesBody(`,"store":false,"conversation":"c"`, thought(`,"id":"rs_1","summary":[]`), answer), good: responsesBody(`,"store":false,"conversation":"c"`, `{"type":"item_reference","id":"rs_1"}`, answer)},
	{rule: "OR-09", target: responsesTarget, bad: responsesBody("", thought(`,"summary":[],"encrypted_content":7`), answer), good: responsesBody("", thought(`,"summary":[],"encrypted_content":"gAAA"`), answer)},
	{rule: "OR-11", target: responsesTarget, off: "OR-04", bad: responsesBody("", asOutput("", `"x"`)), good: responsesBody("", call1, done1)},
	{rule: "OR-16", target: responsesTarget, bad: responsesBody(`,"tools":[{"name":"` + pad("", 129) + `"}]`), good: responsesBody(`,"tools":[{"name":"` + pad("", 128) + `"}]`)},
	{rule: "OR-20", target: responsesTarget, bad: responsesBody("", asMessage("user", `{"type":"input_image"}`)), good: responsesBody("", asMessage("user", `{"type":"input_image","file_id":"f"}`))},
	{rule: "CX-06", target: codexTarget, off: "OR-22", bad: with(codexHead, `[`+hello+`]`, `{}`), good: without(codexHead, `"input":[`+hello+`]`)[:len(codexHead)-len(`"input":[`+hello+`]`)-2] + `}`},
	{rule: "CX-07", target: codexTarget, bad: with(codexHead, `"type":"message","role":"user"`, `"role":"system"`), good: with(codexHead, `"type":"message","role":"user"`, `"role":"user"`)},

	// Gemini.
	{rule: "GG-01", target: geminiTarget, off: "GG-12", bad: google(gUser, gModel, gCall, gDone), good: google(gUser, gCall, gDone, gModel)},
	{rule: "GG-07", target: geminiTarget, bad: google(gParts("user", `7`)), good: google(gUser)},
	{rule: "GG-09", target: geminiTarget, bad: google(gUser, with(gModel, `"yes"`, `"yes","thoughtSignature":7`)), good: google(gUser, with(gModel, `"yes"`, `"yes","thoughtSignature":"a+/="`))},
	{rule: "GG-09", target: geminiTarget, bad: google(gUser, with(gModel, `"yes"`, `"yes","thoughtSignature":"a+-_"`)), good: google(gUser, with(gModel, `"yes"`, `"yes","thoughtSignature":""`))},
	{rule: "GG-09", target: geminiTarget, bad: google(gUser, with(gModel, `"yes"`, `"yes","thoughtSignature":"!","thought_signature":"QUJD"`)), good: google(gUser, with(gModel, `"yes"`, `"yes","thoughtSignature":"QUJD","thought_signature":"!"`))},
	{rule: "GG-15", target: geminiTarget, bad: google(gUser, with(gCall, "read", "-a"), gDone), good: google(gUser, with(gCall, "read", "a9Z"), gDone)},
	{rule: "GG-15", target: geminiTarget, bad: google(gUser, with(gCall, "read", "9a"), gDone), good: google(gUser, with(gCall, "read", "Z"), gDone)},
	{rule: "GG-15", target: geminiTarget, bad: google(gUser, with(gCall, "read", ".a"), gDone), good: google(gUser, with(gCall, "read", "_"), gDone)},
	{rule: "GG-15", target: geminiTarget, bad: google(gUser, with(gCall, "read", ":a"), gDone), good: google(gUser, with(gCall, "read", "a:"), gDone)},
	{rule: "GG-15", target: geminiTarget, bad: google(gUser, with(gCall, `"name":"read",`, ""), gDone), good: google(gUser, gCall, gDone)},
	{rule: "GG-15", target: geminiTarget, bad: google(gUser, with(gCall, "read", "0"), gDone), good: google(gUser, with(gCall, "read", "A0"), gDone)},
	{rule: "GG-16", target: geminiTarget, bad: google(gParts("user", with(with(gPNG, "image/png", "image/heic"), png8, "!"))), good: google(gParts("user", with(with(gPNG, "image/png", "image/heic"), png8, "QUJD")))},
	{rule: "GG-16", target: geminiTarget, bad: google(gParts("user", with(with(gPNG, "image/png", "image/heif"), png8, ""))), good: google(gParts("user", with(with(gPNG, "image/png", "image/heif"), png8, "QUJD")))},
	{rule: "GG-19", target: geminiTarget, bad: budgetG("127"), good: budgetG("-1")},
	{rule: "GG-19", target: geminiTarget, bad: budgetG("32769"), good: budgetG("32768")},
	{rule: "GG-19", target: flashG, bad: budgetG("24577"), good: budgetG("24576")},
	{rule: "GG-19", target: flashG, bad: budgetG("-2"), good: budgetG("0")},
	{rule: "GG-19", target: flashLiteG, bad: budgetG("511"), good: budgetG("512")},
	{rule: "GG-19", target: flashLiteG, bad: budgetG("24577"), good: budgetG("0")},
	{rule: "GG-19", target: gemini3Target, bad: budgetG("0"), good: budgetG("1")},
	{rule: "GG-19", target: geminiTarget, bad: googleWith(`"generationConfig":{"thinkingConfig":{"thinkingLevel":"low"}},`, gUser), good: googleWith(`"generationConfig":{"thinkingConfig":{"includeThoughts":true}},`, gUser)},
	{rule: "GG-13", target: geminiTarget, bad: googleWith(gTool(`{"name":"f","parameters":{"properties":{"a":{"anyOf":[{},{"$ref":"x"}]}}}}`), gUser), good: googleWith(gTool(`{"name":"f","parameters":{"properties":{"a":{"anyOf":[{},{"type":"string"}]}}}}`), gUser)},

	// Bedrock.
	{rule: "BR-01", target: converseTarget, bad: converseBody("", userC(`{"text":null}`)), good: converseBody("", userC(`{"text":"x"}`))},
	{rule: "BR-10", target: converseTarget, off: "BR-03", bad: roundC(useC("a:b", "read", `{}`), `{"text":"x"}`), good: converseBody("", askC)},
	{rule: "BR-10", target: converseTarget, off: "BR-05", bad: converseBody(toolsC, userC(resultC("a:b", textsC))), good: converseBody("", askC)},
	{rule: "BR-09", target: converseTarget, off: "BR-15", bad: converseBody("", with(sayC, "assistant", "system"), askC), good: converseBody("", askC)},
	{rule: "BR-04", target: converseTarget, off: "BR-03", bad: converseBody("", askC, callC, askC), good: converseBody("", askC)},
	{rule: "BR-04", target: converseTarget, off: "BR-05", bad: converseBody("", doneC), good: converseBody("", askC)},
	{rule: "BR-03", target: converseTarget, off: "BR-09", bad: converseBody(toolsC, callC, with(doneC, `"user"`, `"assistant"`), askC), good: converseBody(toolsC, callC, doneC)},
	{rule: "BR-20", target: converseTarget, bad: converseBody(with(manualC, `"maxTokens"`, `"topP":1.1,"maxTokens"`), askC), good: converseBody(with(manualC, `"maxTokens"`, `"topP":0.95,"maxTokens"`), askC)},
	{rule: "BR-20", target: converseTarget, bad: converseBody(with(manualC, `"maxTokens"`, `"topP":0.9,"maxTokens"`), askC), good: converseBody(with(manualC, `"maxTokens"`, `"topP":null,"maxTokens"`), askC)},
	{rule: "BR-20", target: converseTarget, bad: converseBody(with(manualC, `{"thinking"`, `{"top_k":5,"thinking"`), askC), good: converseBody(`"additionalModelRequestFields":{"top_k":5},"inferenceConfig":{"temperature":0,"topP":0.5},`, askC)},
	{rule: "BR-20", target: converseTarget, bad: converseBody("", askC, modelC(with(sealedC, "U2ln", "reasoning_content"), `{"text":"x"}`), askC, sayC, askC), good: converseBody("", askC, sayC, askC)},
	{rule: "BR-20", target: converseTarget, bad: converseBody("", askC, modelC(with(sealedC, `"U2ln"`, "7"), `{"text":"x"}`), askC, sayC, askC), good: converseBody("", askC, sayC, askC)},
	{rule: "BR-15", target: converseTarget, bad: converseBody(with(manualC, `"enabled"`, `"between_tools"`), askC, sayC), good: converseBody(offC, askC, sayC)},
	{rule: "BR-19", target: converseTarget, bad: converseBody(with(toolsC, `[`, `[`+pointC+`,`), userC(strings.Repeat(`{"text":"x"},`+pointC+`,`, 4)+`{"text":"x"}`)), good: converseBody(with(toolsC, `[`, `[`+pointC+`,`), userC(strings.Repeat(`{"text":"x"},`+pointC+`,`, 3)+`{"text":"x"}`))},
	{rule: "BR-24", target: llamaC, bad: roundC(useC("t1", "read", `{}`), resultC("t1", textsC+`,"status":"error"`)), good: roundC(useC("t1", "read", `{}`), resultC("t1", textsC+`,"status":null`))},
	{rule: "BR-17", target: converseTarget, bad: converseBody("", askC, modelC(documentC("d"), `{"text":"x"}`), askC), good: converseBody("", userC(documentC("d"), `{"text":"x"}`), sayC, askC)},
	{rule: "BR-16", target: converseTarget, bad: roundC(useC("t1", "read", `{}`), resultC("t1", `,"content":[`+strings.TrimSuffix(strings.Repeat(imageC("png", png8)+",", 21), ",")+`]`)), good: roundC(useC("t1", "read", `{}`), resultC("t1", `,"content":[`+strings.TrimSuffix(strings.Repeat(imageC("png", png8)+",", 20), ",")+`]`))},

	// Mistral and Ollama.
	{rule: "MI-01", target: mistralNative, off: "MI-09", bad: chatBodyOf(askM, callM, withID(doneM, "abc")), good: chatBodyOf(askM, callM, doneM)},
	{rule: "MI-03", target: mistralNative, bad: chatBodyOf(askM, callM, doneM, systemM, sayM, askM), good: chatBodyOf(systemM, systemM, askM)},
	{rule: "MI-04", target: mistralNative, off: "MI-11", bad: chatBodyOf(sayM), good: chatBodyOf(askM)},
	{rule: "MI-05", target: mistralNative, bad: chatBodyOf(callM, askM), good: chatBodyOf(callM, doneM)},
	{rule: "MI-08", target: mistralNative, bad: chatBodyOf(askM, `7`), good: chatBodyOf(askM)},
	{rule: "MI-08", target: mistralNative, bad: chatBodyOf(`{"role":"user","content":7}`), good: chatBodyOf(`{"role":"user","content":null}`)},
	{rule: "MI-08", target: mistralNative, bad: chatBodyOf(`{"role":"user","content":[{"type":"text","text":7}]}`), good: chatBodyOf(`{"role":"user","content":[{"type":"text","text":""}]}`)},
	{rule: "MI-08", target: mistralNative, bad: chatBodyOf(askM, `{"role":"assistant","content":[{"type":"thinking","thinking":"t"}]}`, askM), good: chatBodyOf(askM, `{"role":"assistant","content":[{"type":"thinking","thinking":[]}]}`, askM)},
	{rule: "MI-08", target: mistralNative, bad: chatBodyOf(askM, calledM(`"{}"`, `7`), doneM), good: chatBodyOf(askM, calledM(`"{}"`, `{}`), doneM)},
	{rule: "MI-12", target: chatAt("mistral", "x"), bad: chatBodyOf(imagesM(`"data:image/jpeg;base64,` + png8 + `"`)), good: chatBodyOf(imagesM(pngURL), `{"role":"user","content":[{"type":"text","text":"x"}]}`)},
	{rule: "LO-03", target: ollamaTarget, bad: chatBodyOf(sayM, askM), good: chatBodyOf(systemM, askM)},
	{rule: "LO-06", target: ollamaTarget, bad: chatBodyOf(askM, with(callO, `{}`, `[]`), doneO), good: chatBodyOf(askM, with(callO, `,"arguments":{}`, ``), doneO)},
	{rule: "LO-07", target: ollamaTarget, bad: chatBodyOf(`{"role":"user","content":7}`), good: chatBodyOf(`{"role":"user","content":null}`)},
	{rule: "LO-09", target: vllmC, bad: chatBodyOf(askM, callM, doneM, systemM, askM), good: chatBodyOf(askM, callM, doneM, sayM, askM)},
	{rule: "AN-10", target: claudeO55, bad: messagesBody("", `{"role":"system","content":"s"}`, askA), good: messagesBody("", askA, `{"role":"system","content":"s"}`, askA)},
	{rule: "GG-23", target: googleAt("gemini-3.5-pro"), bad: google(gUser, with(gCallID, `"id":"a1",`, ""), gDoneID), good: google(gUser, gCallID, gDoneID)},
	{rule: "MI-03", target: routedM, off: "CC-02", bad: chatBodyOf(with(callM, `"assistant"`, `"user","content":"x"`), doneM), good: chatBodyOf(askM, callM, doneM)},
	{rule: "MI-05", target: mistralNative, bad: chatBodyOf(askM, callM), good: chatBodyOf(askM, with(callM, `"tool_calls"`, `"content":"x","tool_calls"`), doneM)},
	{rule: "MI-11", target: mistralNative, bad: chatBodyOf(systemM, sayM, askM), good: chatBodyOf(systemM, askM, sayM, askM)},
	{rule: "BR-20", target: policy.Target{Provider: "amazon-bedrock", API: "bedrock-converse-stream", Model: opus46}, bad: converseBody(adaptiveC+`"inferenceConfig":{"temperature":0},`, askC), good: converseBody(adaptiveC+`"inferenceConfig":{"temperature":1},`, askC)},
	{rule: "BR-11", target: policy.Target{Provider: "amazon-bedrock", API: "bedrock-converse-stream", Model: nova}, bad: converseBody(toolsC, askC, callC, userC(resultC("t1", textsC), `{"text":"and"}`)), good: converseBody(toolsC, askC, callC, userC(resultC("t1", textsC), pointC))},
	{rule: "OR-01", target: responsesTarget, bad: responsesBody("", thought(`,"id":"rs_1","summary":[]`), done1, call1, done1), off: "OR-04", good: responsesBody("", thought(`,"id":"rs_1","summary":[]`), `{"type":"item_reference","id":"fc_1"}`)},
	{rule: "OR-08", target: responsesTarget, bad: responsesBody(`,"store":false`, `{"type":"item_reference","id":"rs_1","status":null}`), good: responsesBody(`,"store":false`, `{"type":"web_search_call","id":"ws_1","status":"completed"}`)},
	{rule: "OR-19", target: openaiAt("gpt-5"), bad: effortR("none"), good: effortR("minimal")},
	{rule: "OR-19", target: openaiAt("gpt-5.1"), bad: effortR("minimal"), good: effortR("none")},
	{rule: "OR-19", target: openaiAt("gpt-5.1"), bad: effortR("xhigh"), good: effortR("high")},
	{rule: "OR-19", target: openaiAt("gpt-5.2"), bad: effortR("minimal"), good: effortR("xhigh")},
	{rule: "OR-19", target: openaiAt("gpt-6"), bad: effortR("minimal"), good: effortR("xhigh")},
	{rule: "OR-19", target: openaiAt("gpt-6.1"), bad: effortR("minimal"), good: effortR("xhigh")},
	{rule: "OR-19", target: openaiAt("o3-mini"), bad: effortR("minimal"), good: effortR("low")},
	{rule: "OR-19", target: openaiAt("openai/gpt-oss-20b"), bad: effortR("none"), good: effortR("medium")},
	{rule: "OR-19", target: openaiAt("some-model"), bad: responsesBody(`,"reasoning":{"effort":"minimal"},"tools":[{"type":"web_search"}]`), good: responsesBody(`,"reasoning":{"effort":"low"},"tools":[{"type":"web_search"}]`)},
	{rule: "OR-18", target: openaiAt("o1"), bad: responsesBody(`,"temperature":0`), good: responsesBody(`,"temperature":1`)},
}

// fine are bodies that break nothing, with rules that are off by default on:
// what one host refuses another takes.
var fine = []struct {
	target policy.Target
	rules  string // with spaces between
	body   string
}{
	{vllmC, "", chatWith(`"max_tokens":9,"thinking":{"type":"enabled"},"reasoning_effort":"low",`, askM, withID(callM, pad("", 41)), withID(doneM, pad("", 41)))},
	{vllmC, "CC-21", chatBodyOf(askM, reasonedM, askM)},
	{vllmC, "", chatWith(`"chat_template_kwargs":{"enable_thinking":true},`, askM, sayM)},
	{vllmC, "", chatWith(strings.Replace(chatToolsM, `,"parameters":{"type":"object"}`, "", 1), askM)},
	{llamaServer, "", chatWith(`"chat_template_kwargs":{"enable_thinking":true},`, askM, callM, doneM)},
	{chatAt("moonshot", "kimi-k2-0905"), "", chatBodyOf(askM, callM, doneM)},
	{kimiC, "", chatBodyOf(askM, sayM, askM)},
	{nobodyC, "", chatBodyOf(askM, sayM, sayM)},
	{chatAt("nobody", "anthropic/claude-sonnet-4.5"), "", routed(`"reasoning":"r","reasoning_details":[{"type":"reasoning.text"}]`)},
	{chatAt("openrouter", "openai/gpt-5"), "", routed(`"reasoning":"r","reasoning_details":[{"type":"reasoning.text"}]`)},
	{chatAt("openrouter", "openai/gpt-5"), "", chatWith(`"reasoning":{"effort":"high"},`, askM, sayM)},
	{routedGemini, "", routed(`"reasoning":"r"`)},
	{chatAt("nobody", "anthropic/claude-sonnet-4.5"), "", chatWith(`"reasoning":{"effort":"high"},`, askM, sayM)},
	{chatAt("openrouter", "mistralai/mistral-large"), "", chatBodyOf(imagesM(`"data:image/jpeg;base64,` + png8 + `"`))},
	{mistralNative, "", chatBodyOf(`{"role":"user","content":[` + strings.Repeat(`{"type":"text","text":"x"},`, 9) + `{"type":"text","text":"x"}]}`)},
	{ollamaTarget, "", chatBodyOf()},
	{policy.Target{Provider: "xiaomi", API: "anthropic-messages", Model: "mimo-v2-pro"}, "", claudeBody(manualA, with(thoughtA, "U2ln", "reasoning_content"))},
	{policy.Target{Provider: "nobody", API: "anthropic-messages", Model: "nothing"}, "", messagesBody(manualA, askA, callA, doneA)},
	{minimaxA, "", messagesBody(manualA, askA)},
	{llamaC, "", converseBody(with(manualC, `"maxTokens"`, `"temperature":0.5,"maxTokens"`), askC)},
	{converseTarget, "", converseBody(toolsC, askC, modelC(with(useC("t1", "read", `{}`), `"t1"`, `"t1","type":"server_tool_use"`), resultC("t1", textsC+`,"type":"read_result"`), `{"text":"x"}`), askC)},
	{converseTarget, "BR-11 BR-24", roundC(useC("t1", "read", `{}`), resultC("t1", textsC+`,"status":"success"`)+`,{"text":"and"}`)},
	{policy.Target{Provider: "amazon-bedrock", API: "bedrock-converse-stream", Model: nova}, "BR-24", roundC(useC("t1", "read", `{}`), resultC("t1", textsC+`,"status":"success"`))},
	{converseTarget, "", converseBody(without(manualC, `,"inferenceConfig":{"maxTokens":4096}`), askC)},
	{responsesTarget, "", responsesBody("", thought(`,"summary":[]`), `{"type":"web_search_call","id":"ws_1"}`)},
	{policy.Target{Provider: "google-antigravity", API: "google-gemini-cli", Model: "claude-sonnet-4-5"}, "", wrapped(gUser, gModel, gCallID, gDoneID)},
	{openaiAt("o"), "", responsesBody(`,"temperature":0`)},
	{openaiAt("omni-3"), "", responsesBody(`,"temperature":0`)},
	{openaiAt("a1"), "", responsesBody(`,"temperature":0`)},
	{geminiTarget, "", googleWith(gTool(`{"name":"f","parameters":`+strings.Repeat(`{"items":`, 40)+`{"const":1}`+strings.Repeat(`}`, 40)+`}`), gUser)},
}

// TestFine holds that what is fine is not found to break a rule.
func TestFine(t *testing.T) {
	for _, c := range fine {
		rules := map[string]bool{}
		for _, id := range strings.Fields(c.rules) {
			rules[id] = true
		}
		if found, err := Payload([]byte(c.body), c.target, Options{Rules: rules}); err != nil || len(found) > 0 {
			t.Errorf("%+v: found %v, %v in\n%.600s", c.target, found, err, c.body)
		}
	}
}

// TestUnknownAPI holds that an API without rules is an error, and one by its
// older name is not.
func TestUnknownAPI(t *testing.T) {
	if _, err := Payload([]byte(`{}`), policy.Target{API: "nothing"}, Options{}); err == nil {
		t.Error("no error for an API that nobody knows")
	}
	if _, err := Payload([]byte(`{}`), policy.Target{API: "openai-codex-responses"}, Options{}); err != nil {
		t.Error(err)
	}
}
