package hygeia

import (
	"fmt"
	"strings"
)

// renderers write a clean request in each format.
var renderers = map[string]func(c *clean) string{
	"anthropic-messages":      (*clean).anthropic,
	"openai-completions":      (*clean).chat,
	"openai-responses":        (*clean).responses,
	"google-generative-ai":    (*clean).google,
	"google-gemini-cli":       (*clean).envelope,
	"bedrock-converse-stream": (*clean).bedrock,
	"mistral-conversations":   (*clean).mistral,
	"ollama":                  (*clean).ollama,
}

const arguments = `{"n":1.0,"s":"\u00e9"}`

// keepsThinking reports whether thinking of earlier turns may go back.
func (c *clean) keepsThinking() bool {
	return c.p.Model.Reasoning && !c.p.DropThinkingBlocks && !c.p.DropAllThinkingBlocks && !c.p.DropReasoningFromHistory && c.yes("thinking")
}

func (c *clean) anthropic() string {
	c.thinks = c.p.Model.Thinking != "" && c.keepsThinking()
	mark := when(c.p.Wire.CacheMarkers && c.yes("marks"), `,"cache_control":{"type":"ephemeral"}`)
	message := func(t turn) string {
		switch {
		case t.user:
			picture := when(t.picture, `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"`+png+`"}}`)
			if t.picture || c.yes("blocks") {
				return `{"role":"user","content":` + some(picture, `{"type":"text","text":`+t.text+when(t.last, mark)+`}`) + `}`
			}
			return `{"role":"user","content":` + t.text + `}`
		case t.results:
			return `{"role":"user","content":` + joined(t.calls, func(n int) string {
				return fmt.Sprintf(`{"type":"tool_result","tool_use_id":"toolu%d","content":%s}`, n, t.text)
			}) + `}`
		}
		calls := joined(t.calls, func(n int) string {
			return fmt.Sprintf(`{"type":"tool_use","id":"toolu%d","name":"f","input":%s}`, n, arguments)
		})
		return `{"role":"assistant","content":` + some(when(c.thinks, `{"type":"thinking","thinking":"t","signature":"U2ln"}`),
			when(t.text != "", `{"type":"text","text":`+t.text+`}`), c.search(), strings.Trim(calls, "[]")) + `}`
	}
	thinking := ""
	switch {
	case c.thinks && c.p.Model.Thinking == "manual":
		thinking = `"thinking":{"type":"enabled","budget_tokens":1024},`
	case c.thinks:
		thinking = `"thinking":{"type":"adaptive"},`
	}
	head := `"model":"m",` + c.members(`"stream":true`)
	if v := c.p.Wire.AnthropicVersion; v != "" {
		head = `"anthropic_version":"` + v + `",`
	}
	return `{` + head + `"max_tokens":4096,` + c.members(`"system":"s"`, `"metadata":{"user_id":"u"}`, `"stop_sequences":["x"]`) + thinking +
		`"tools":[{"name":"f","input_schema":{"type":"object"}` + mark + `}],"messages":` + joined(c.conversation(), message) + `}`
}

// search draws a tool that the service ran and what it found, in Anthropic's
// format.
func (c *clean) search() string {
	if !c.yes("search") {
		return ""
	}
	c.n++
	return fmt.Sprintf(`{"type":"server_tool_use","id":"srvtoolu_%d","name":"web_search","input":{"query":"q"}},`+
		`{"type":"web_search_tool_result","tool_use_id":"srvtoolu_%d","content":[{"type":"web_search_result","url":"https://example.com","title":"t","encrypted_content":"x"}]}`, c.n, c.n)
}

// chatMessages writes the messages that the chat formats share.
func (c *clean) chatMessages(call func(n int) string, result func(n int, text string) string, user func(t turn) string, beside func(t turn) string) string {
	system := when(c.yes("system"), `{"role":"system","content":"s"}`)
	list := joined(c.conversation(), func(t turn) string {
		switch {
		case t.user:
			return `{"role":"user",` + user(t) + `}`
		case t.results:
			return strings.Trim(joined(t.calls, func(n int) string { return result(n, t.text) }), "[]")
		}
		content := t.text
		if content == "" {
			content = `""`
		}
		return `{"role":"assistant","content":` + content + beside(t) + when(len(t.calls) > 0, `,"tool_calls":`+joined(t.calls, call)) + `}`
	})
	if system != "" {
		return "[" + system + "," + list[1:]
	}
	return list
}

// id is one that every service takes, Mistral's included.
func id(n int) string { return fmt.Sprintf("call%05d", n) }

func textCall(n int) string {
	return fmt.Sprintf(`{"id":"%s","type":"function","function":{"name":"f","arguments":"{\"n\":1.0}"}}`, id(n))
}

const functions = `"tools":[{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object"}}}],`

func (c *clean) chat() string {
	w := &c.p.Wire
	reasoning := func(t turn) string {
		need := w.ReasoningRequired == "all" || w.ReasoningRequired == "calls" && len(t.calls) > 0
		return when(need && !w.StrictKeys, `,"reasoning_content":"r"`)
	}
	user := func(t turn) string {
		if !w.StringContent && (t.picture || c.yes("parts")) {
			return `"content":` + some(`{"type":"text","text":`+t.text+`}`, when(t.picture, `{"type":"image_url","image_url":{"url":"data:image/png;base64,`+png+`"}}`))
		}
		return `"content":` + t.text
	}
	result := func(n int, text string) string {
		return fmt.Sprintf(`{"role":"tool","tool_call_id":"%s","content":%s%s}`, id(n), text, when(w.ToolResultName, `,"name":"f"`))
	}
	limit := w.MaxTokensField
	return `{"model":"m",` + c.members(`"stream":true`, `"`+limit+`":4096`, `"stop":["x"]`, `"xFuture":{"n":1.0}`, `"seed":7`) + functions +
		`"messages":` + c.chatMessages(textCall, result, user, reasoning) + `}`
}

func (c *clean) mistral() string {
	user := func(t turn) string {
		if t.picture || c.yes("parts") {
			return `"content":` + some(`{"type":"text","text":`+t.text+`}`, when(t.picture, `{"type":"image_url","image_url":"data:image/png;base64,`+png+`"}`),
				when(c.yes("document"), `{"type":"document_url","document_url":"https://example.com/d.pdf","document_name":"d"}`))
		}
		return `"content":` + t.text
	}
	result := func(n int, text string) string {
		return fmt.Sprintf(`{"role":"tool","tool_call_id":"%s","name":"f","content":%s}`, id(n), text)
	}
	list := c.chatMessages(textCall, result, user, func(turn) string { return "" })
	if c.yes("thinking") {
		list = strings.ReplaceAll(list, `{"role":"assistant","content":""`, `{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"t"},{"type":"text","text":"u"}],"closed":true}]`)
	}
	return `{"model":"m",` + c.members(`"stream":true`, `"max_tokens":4096`, `"safe_prompt":false`, `"random_seed":7`) + functions + `"messages":` + list + `}`
}

func (c *clean) ollama() string {
	user := func(t turn) string { return `"content":` + t.text + when(t.picture, `,"images":["`+png+`"]`) }
	named := c.yes("ids")
	call := func(n int) string {
		return `{` + when(named, `"id":"`+id(n)+`",`) + `"function":{"index":0,"name":"f","arguments":` + arguments + `}}`
	}
	result := func(n int, text string) string {
		return `{"role":"tool","tool_name":"f",` + when(named, `"tool_call_id":"`+id(n)+`",`) + `"content":` + text + `}`
	}
	return `{"model":"m",` + c.members(`"stream":false`, `"options":{"num_predict":100,"temperature":0.50}`, `"keep_alive":"5m"`, `"format":"json"`) + functions +
		`"messages":` + c.chatMessages(call, result, user, func(turn) string { return "" }) + `}`
}

func (c *clean) responses() string {
	reasons := c.p.Model.Reasoning && c.target.API != "azure-openai-responses" && c.yes("reasoning")
	item := func(t turn) string {
		switch {
		case t.user:
			return `{"type":"message","role":"user","content":` + some(`{"type":"input_text","text":`+t.text+`}`,
				when(t.picture, `{"type":"input_image","detail":"auto","image_url":"data:image/png;base64,`+png+`"}`), when(c.yes("file"), `{"type":"input_file","file_id":"file_1"}`)) + `}`
		case t.results:
			return strings.Trim(joined(t.calls, func(n int) string {
				return fmt.Sprintf(`{"type":"function_call_output","call_id":"call_%d","output":%s}`, n, t.text)
			}), "[]")
		}
		thought := when(reasons, `{"type":"reasoning","summary":[],"encrypted_content":"gAAA"}`)
		said := when(t.text != "", `{"type":"message","role":"assistant","content":[{"type":"output_text","text":`+t.text+`,"annotations":[]}]}`)
		calls := strings.Trim(joined(t.calls, func(n int) string {
			return fmt.Sprintf(`{"type":"function_call","call_id":"call_%d","name":"f","arguments":"{\"n\":1.0}"}`, n)
		}), "[]")
		return strings.Trim(some(thought, said, calls), "[]")
	}
	head := c.members(`"prompt_cache_key":"k"`, `"parallel_tool_calls":true`)
	if c.target.API == "openai-chatgpt-responses" {
		head = `"instructions":"i","stream":true,` + head
	} else {
		head = c.members(`"stream":true`, `"max_output_tokens":4096`, `"instructions":"i"`)
	}
	list, store := joined(c.conversation(), item), "false"
	if c.target.API == "openai-responses" && c.target.Provider == "openai" && c.yes("previous") {
		head, store = head+`"previous_response_id":"resp_1",`, "true"
		list = `[{"type":"item_reference","id":"msg_1"},{"type":"function_call_output","call_id":"call_0","output":"earlier"},` + list[1:]
	}
	return `{"model":"m","store":` + store + `,` + when(c.p.Model.Reasoning, `"include":["reasoning.encrypted_content"],`) + head +
		`"tools":[{"type":"function","name":"f","parameters":{"type":"object"}}],"input":` + list + `}`
}

// generate writes what Google's services take, without an envelope.
func (c *clean) generate() string {
	w := &c.p.Wire
	claude := c.p.SanitizeThinkingSignatures
	c.thinks = claude && c.keepsThinking()
	name := func(n int) string { return when(w.FunctionCallIDs, fmt.Sprintf(`"id":"call%d",`, n)) + `"name":"f"` }
	item := func(t turn) string {
		switch {
		case t.user:
			return `{"role":"user","parts":` + some(`{"text":`+t.text+`}`, when(t.picture, `{"inlineData":{"mimeType":"image/png","data":"`+png+`"}}`),
				when(!claude && c.yes("file"), `{"fileData":{"fileUri":"gs://b/f","mimeType":"video/mp4"},"videoMetadata":{"fps":1.0}}`)) + `}`
		case t.results:
			response := `{"output":` + t.text + `}`
			if c.yes("object") {
				response = `{"lines":[1.0],"of":` + t.text + `}`
			}
			return `{"role":"user","parts":` + joined(t.calls, func(n int) string {
				return `{"functionResponse":{` + name(n) + `,"response":` + response + `}}`
			}) + `}`
		}
		signature := when(!claude, c.pick(`,"thoughtSignature":"c2ln"`, when(!w.SkipSignatureAllowed, ``), when(w.SkipSignatureAllowed, `,"thoughtSignature":"skip_thought_signature_validator"`)))
		if w.SkipSignatureAllowed && signature == "" {
			signature = `,"thoughtSignature":"c2ln"`
		}
		calls := strings.Trim(joined(t.calls, func(n int) string {
			return `{"functionCall":{` + name(n) + `,"args":` + arguments + `}` + signature + `}`
		}), "[]")
		return `{"role":"model","parts":` + some(when(c.thinks, `{"text":"t","thought":true,"thoughtSignature":"c2ln"}`), when(t.text != "", `{"text":`+t.text+`}`), calls) + `}`
	}
	schema := `"parametersJsonSchema":{"type":"object"}`
	if w.LegacyToolParameters {
		schema = `"parameters":{"type":"object","properties":{}}`
	}
	thinking := when(c.thinks, `,"thinkingConfig":{"includeThoughts":true,"thinkingBudget":1024}`)
	return `{` + c.members(`"systemInstruction":{"parts":[{"text":"s"}]}`, `"safetySettings":[]`) + `"generationConfig":{"maxOutputTokens":4096` + thinking + `},` +
		`"tools":[{"functionDeclarations":[{"name":"f",` + schema + `}]}],"contents":` + joined(c.conversation(), item) + `}`
}

func (c *clean) pick(from ...string) string { return (&bodies{t: c.t}).pick("one", from...) }

func (c *clean) google() string { return c.generate() }

func (c *clean) envelope() string {
	return `{"project":"p","model":"m",` + c.members(`"userAgent":"u"`, `"requestId":"r"`) + `"request":` + c.generate() + `}`
}

func (c *clean) bedrock() string {
	w := &c.p.Wire
	c.thinks = w.SignedReasoning && c.p.Model.Thinking != "" && c.keepsThinking()
	point := when(w.CacheMarkers && c.yes("point"), `{"cachePoint":{"type":"default"}}`)
	message := func(t turn) string {
		switch {
		case t.user:
			return `{"role":"user","content":` + some(`{"text":`+t.text+`}`, when(t.picture, `{"image":{"format":"png","source":{"bytes":"`+png+`"}}}`),
				when(c.yes("document"), `{"document":{"name":"d","format":"pdf","source":{"bytes":"AAAA"}}}`), when(t.last, point)) + `}`
		case t.results:
			return `{"role":"user","content":` + joined(t.calls, func(n int) string {
				return fmt.Sprintf(`{"toolResult":{"toolUseId":"tooluse%d","content":[{"text":%s}]}}`, n, t.text)
			}) + `}`
		}
		calls := strings.Trim(joined(t.calls, func(n int) string {
			return fmt.Sprintf(`{"toolUse":{"toolUseId":"tooluse%d","name":"f","input":%s}}`, n, arguments)
		}), "[]")
		return `{"role":"assistant","content":` + some(when(c.thinks, `{"reasoningContent":{"reasoningText":{"text":"t","signature":"U2ln"}}}`),
			when(t.text != "", `{"text":`+t.text+`}`), calls) + `}`
	}
	thinking := ""
	switch {
	case c.thinks && c.p.Model.Thinking == "manual":
		thinking = `"additionalModelRequestFields":{"thinking":{"type":"enabled","budget_tokens":1024}},`
	case c.thinks:
		thinking = `"additionalModelRequestFields":{"thinking":{"type":"adaptive"}},`
	}
	return `{` + c.members(`"system":[{"text":"s"}]`, `"requestMetadata":{"k":"v"}`) + `"inferenceConfig":{"maxTokens":4096},` + thinking +
		`"toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":{"type":"object"}}}}]},"messages":` + joined(c.conversation(), message) + `}`
}
