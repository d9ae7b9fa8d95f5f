package hygeia

import (
	"fmt"
	"strings"
)

// odd draws requests in each format with the faults that clients' requests have.
var odd = map[string]func(g *bodies) string{
	"anthropic-messages":      (*bodies).anthropic,
	"openai-completions":      (*bodies).chat,
	"openai-responses":        (*bodies).responses,
	"google-generative-ai":    (*bodies).google,
	"google-gemini-cli":       func(g *bodies) string { return `{"project":"p","model":"m","request":` + g.google() + `}` },
	"bedrock-converse-stream": (*bodies).bedrock,
	"mistral-conversations":   (*bodies).mistral,
	"ollama":                  (*bodies).ollama,
}

// google draws a body of Google's services.
func (g *bodies) google() string {
	signature := func() string {
		return g.pick("signature", ``, ``, `,"thoughtSignature":"c2ln"`, `,"thoughtSignature":"c2ln"`, `,"thoughtSignature":"torn…"`, `,"thought_signature":"c2ln"`,
			`,"thoughtSignature":"skip_thought_signature_validator"`, `,"thoughtSignature":"EqQBCg"`, `,"thoughtSignature":7`, `,"thoughtSignature":"context_engineering_is_the_way_to_go"`)
	}
	id := func(id string) string { return g.pick("id", ``, `"id":`+id+`,`, `"id":`+id+`,`) }
	user := func() string {
		return g.pick("part", `{"text":`+g.text()+`}`, `{"text":`+g.text()+`,"xUnknown":1}`, `{"inlineData":{"mimeType":"image/png","data":"`+png+`"}}`,
			`{"inline_data":{"mime_type":"image/png","data":"`+png+`"}}`, `{"inlineData":{"mimeType":"audio/wav","data":"AAAA"}}`, `{"inlineData":{"mimeType":"image/gif","data":"AAAA"}}`,
			`{"fileData":{"fileUri":"gs://b/f"},"videoMetadata":{"fps":1.0}}`, `{}`, `null`)
	}
	model := func() string {
		switch g.pick("part of the model", "text", "text", "call", "call", "call", "thought", "code", "odd") {
		case "call":
			return `{"functionCall":{` + id(g.id()) + `"name":` + g.pick("name", `"f"`, `"f"`, `"a b"`, `""`) + g.pick("args", `,"args":{}`, `,"args":{"n":1.0}`, `,"args":"x"`, ``) + `}` +
				signature() + g.some("member", `"xUnknown":1`) + `}`
		case "thought":
			return `{"text":` + g.text() + `,"thought":true` + signature() + `}`
		case "code":
			return `{"executableCode":{"language":"PYTHON","code":"1"}` + signature() + `},{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"1"}}`
		case "odd":
			return g.pick("odd", `null`, `{}`, `{"text":7}`, `{"functionResponse":{"name":"f","response":{}}}`, `{"future":{}}`)
		}
		return `{"text":` + g.text() + signature() + `}`
	}
	response := func() string {
		return `{"functionResponse":{` + id(g.answered()) + `"name":` + g.pick("name", `"f"`, `"f"`, `"f"`, `"other"`, `""`) + `,"response":` +
			g.pick("response", `{"output":"ok"}`, `{"output":"ok"}`, `{"error":"no"}`, `{"lines":[1.0]}`, `{}`, `"text"`, `null`) +
			g.some("parts", `"parts":[{"inlineData":{"mimeType":"image/png","data":"`+png+`"}}]`, `"willContinue":false`) + `}}`
	}
	content := func() string {
		some := g.some("member", `"xUnknown":1`)
		switch g.pick("turn", "user", "user", "model", "model", "responses", "responses", "odd") {
		case "user":
			return `{"role":"user","parts":` + g.list(3, user) + some + `}`
		case "model":
			return `{"role":"model","parts":` + g.list(4, model) + some + `}`
		case "responses":
			list := strings.TrimSuffix(g.list(2, response), "]")
			for len(g.open) > 0 && !g.one(6, "lost") {
				list += "," + response()
			}
			if g.one(5, "more") {
				list += "," + user()
			}
			return `{"role":` + g.pick("role", `"user"`, `"user"`, `"function"`) + `,"parts":` + strings.Replace(list, "[,", "[", 1) + `]}`
		}
		return g.pick("odd", `null`, `{}`, `{"parts":[{"text":"x"}]}`, `{"role":"system","parts":[{"text":"x"}]}`, `{"role":"tool","parts":[{"text":"x"}]}`, `{"role":"user"}`)
	}
	return `{"contents":` + g.list(8, content) + g.some("parameter", `"generationConfig":{"maxOutputTokens":`+g.pick("limit", "1", "4096")+`,"temperature":0.50`+
		g.some("thinking", `"thinkingConfig":`+g.pick("config", `{"thinkingBudget":0}`, `{"thinkingBudget":1024,"includeThoughts":true}`, `{"thinkingBudget":-1}`, `{"thinkingLevel":"high"}`,
			`{"thinkingLevel":"low","thinkingBudget":1024}`, `{"thinkingBudget":99999}`))+`}`,
		`"systemInstruction":{"parts":[{"text":`+g.text()+`}]}`, `"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["a b"]}}`, `"labels":{"xFuture":"1"}`,
		`"cachedContent":"cachedContents/1"`, `"tools":`+g.pick("tools", `[]`, `[{"functionDeclarations":[{"name":"f","parametersJsonSchema":{"type":"object"}}]}]`,
			`[{"functionDeclarations":[{"name":"a b","parameters":{"type":"object","additionalProperties":false}}]},{"googleSearch":{}}]`)) + `}`
}

// bedrock draws a body of Converse.
func (g *bodies) bedrock() string {
	point := `{"cachePoint":{"type":"default"}}`
	user := func() string {
		return g.pick("block", `{"text":`+g.text()+`}`, `{"text":`+g.text()+`}`, `{"image":{"format":"png","source":{"bytes":"`+png+`"}}}`, point,
			`{"text":"q"},{"document":{"name":"d","format":"pdf","source":{"bytes":"AAAA"}}}`, `null`, `{}`, `{"toolUse":{"toolUseId":"x","name":"f","input":{}}}`)
	}
	assistant := func() string {
		switch g.pick("block of the model", "text", "text", "call", "call", "thinking", "odd") {
		case "call":
			return `{"toolUse":{"toolUseId":` + g.id() + `,"name":` + g.pick("name", `"f"`, `"f"`, `"a b"`, `""`) + g.pick("input", `,"input":{}`, `,"input":{"n":1.0}`, `,"input":"x"`, ``) + `}}`
		case "thinking":
			return g.pick("thinking", `{"reasoningContent":{"reasoningText":{"text":"t","signature":"U2ln"}}}`, `{"reasoningContent":{"reasoningText":{"text":"t"}}}`,
				`{"reasoningContent":{"redactedContent":"AAAA"}}`, `{"reasoningContent":{}}`)
		case "odd":
			return g.pick("odd", `null`, `{}`, point)
		}
		return `{"text":` + g.text() + `}`
	}
	result := func() string {
		return `{"toolResult":{"toolUseId":` + g.answered() + `,"content":` + g.pick("content", `[{"text":"ok"}]`, `[{"text":"ok"}]`, `[{"json":{"n":1.0}}]`, `[]`, `[{"text":""}]`,
			`[{"image":{"format":"png","source":{"bytes":"`+png+`"}}}]`) + g.some("status", `"status":"error"`, `"status":"success"`) + `}}`
	}
	message := func() string {
		switch g.pick("turn", "user", "user", "assistant", "assistant", "results", "results", "odd") {
		case "user":
			return `{"role":"user","content":` + g.list(3, user) + `}`
		case "assistant":
			return `{"role":"assistant","content":` + g.list(4, assistant) + `}`
		case "results":
			list := strings.TrimSuffix(g.list(3, result), "]")
			for len(g.open) > 0 && !g.one(6, "lost") {
				list += "," + result()
			}
			return `{"role":"user","content":` + strings.Replace(list, "[,", "[", 1) + `]}`
		}
		return g.pick("odd", `null`, `{}`, `{"role":"system","content":[{"text":"s"}]}`, `{"role":"user"}`, `{"role":"user","content":null}`)
	}
	return `{"messages":` + g.list(8, message) + g.some("parameter", `"system":[{"text":`+g.text()+`},`+point+`]`, `"inferenceConfig":{"maxTokens":4096,"temperature":0.5,"topP":0.5}`,
		`"additionalModelRequestFields":{"thinking":`+g.pick("thinking", `{"type":"enabled","budget_tokens":1024}`, `{"type":"adaptive"}`, `{"type":"disabled"}`)+`,"top_k":1}`,
		`"requestMetadata":{"xFuture":"1"}`, `"toolConfig":{"tools":`+g.pick("tools", `[{"toolSpec":{"name":"f","inputSchema":{"json":{"type":"object"}}}}]`,
			`[{"toolSpec":{"name":"a b","inputSchema":{"json":{}}}},`+point+`]`)+g.some("choice", `"toolChoice":{"any":{}}`)+`}`) + `}`
}

// mistral draws a body of Mistral's chat API.
func (g *bodies) mistral() string {
	part := func() string {
		return g.pick("part", `{"type":"text","text":`+g.text()+`}`, `{"type":"image_url","image_url":"data:image/png;base64,`+png+`"}`,
			`{"type":"image_url","image_url":{"url":"data:image/png;base64,`+png+`","detail":"low"}}`, `{"type":"image_url","image_url":"https://example.com/i.png"}`,
			`{"type":"document_url","document_url":"https://example.com/d.pdf"}`)
	}
	said := func() string {
		return g.pick("said", `{"type":"text","text":`+g.text()+`}`, `{"type":"thinking","thinking":[{"type":"text","text":`+g.text()+`}],"closed":true}`, `{"type":"reference","reference_ids":[1]}`)
	}
	call := func() string {
		return `{"id":` + g.id() + `,"type":"function","function":{"name":` + g.pick("name", `"f"`, `"f"`, `"a b"`, `""`) + `,"arguments":` +
			g.pick("arguments", `"{}"`, `{"n":1.0}`, `"torn{"`) + `}` + g.some("member", `"index":0`) + `}`
	}
	return `{"model":"m"` + g.some("parameter", `"max_tokens":50`, `"temperature":0.5`, `"tool_choice":"auto"`, `"safe_prompt":true`, `"xFuture":[1.0]`, `"prompt_mode":"reasoning"`,
		`"tools":`+g.pick("tools", `[]`, `[{"type":"function","function":{"name":"f"}}]`, `[{"type":"function","function":{"name":"a b"}}]`)) +
		`,"messages":` + g.list(8, func() string { return g.message(part, said, call, true) }) + `}`
}

// message draws a message that Mistral's and Ollama's bodies share.
func (g *bodies) message(part, said, call func() string, parts bool) string {
	content := func(p func() string) string {
		if !parts || g.one(2, "string") {
			return g.text()
		}
		return g.list(3, p)
	}
	switch g.pick("turn", "user", "user", "assistant", "assistant", "tool", "tool", "system", "odd") {
	case "user":
		return `{"role":"user","content":` + content(part) + `}`
	case "assistant":
		calls := ""
		if g.one(2, "calls") {
			calls = `,"tool_calls":` + g.list(3, call)
		}
		return `{"role":"assistant","content":` + content(said) + calls + g.some("member", `"prefix":true`) + `}`
	case "tool":
		return `{"role":"tool","tool_call_id":` + g.answered() + `,"content":` + content(part) + g.some("name", `"name":"f"`) + `}`
	case "system":
		return `{"role":"system","content":"s"}`
	}
	return g.pick("odd", `null`, `{}`, `{"role":"user"}`, `{"role":"function","content":"x"}`, `{"role":"assistant","content":null}`)
}

// ollama draws a body of Ollama's chat API.
func (g *bodies) ollama() string {
	none := func() string { return `""` }
	message := func() string {
		switch g.pick("message", "shared", "shared", "pictures", "thinking", "calls", "results") {
		case "pictures":
			return `{"role":"user","content":` + g.text() + `,"images":["` + png + `"]` + g.some("member", `"xUnknown":1`) + `}`
		case "thinking":
			return `{"role":"assistant","content":` + g.text() + `,"thinking":` + g.text() + `}`
		case "calls":
			return `{"role":"assistant","content":"","tool_calls":[{"function":{"name":` + g.pick("name", `"f"`, `"g"`, `"a b"`) + `,"arguments":` +
				g.pick("arguments", `{}`, `{"n":1.0}`, `"{}"`, `7`) + `}}` + when(g.one(2, "two"), `,{"function":{"name":"f","arguments":{}}}`) + `]}`
		case "results":
			return `{"role":"tool","tool_name":` + g.pick("name", `"f"`, `"f"`, `"g"`) + `,"content":` + g.pick("content", `"ok"`, `""`, `null`, `["x"]`) + `}`
		}
		call := func() string {
			return fmt.Sprintf(`{"id":%s,"function":{"index":0,"name":"f","arguments":{}}}`, g.id())
		}
		return g.message(none, none, call, false)
	}
	return `{"model":"m"` + g.some("parameter", `"options":{"num_predict":50,"temperature":0.50}`, `"think":`+g.pick("think", `true`, `false`, `"low"`), `"keep_alive":"5m"`, `"format":"json"`,
		`"xFuture":[1.0]`, `"tools":`+g.pick("tools", `[]`, `[{"type":"function","function":{"name":"f"}}]`)) + `,"messages":` + g.list(8, message) + `}`
}
