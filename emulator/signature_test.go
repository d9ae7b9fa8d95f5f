package emulator

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"hygeia/internal/jsonline"
)

// raw returns the JSON text that lies under the names.
func raw(a answer, names ...string) string { return string(under(a.json(), names...).Raw) }

// flip changes one letter in the middle of a text.
func flip(s string) string {
	i := len(s) / 2
	c := byte('A')
	if s[i] == 'A' {
		c = 'B'
	}
	return s[:i] + string(c) + s[i+1:]
}

// refused posts a body that must be refused under a rule.
func refused(t *testing.T, s *Server, path, body, rule string, status int, text string, header ...string) {
	t.Helper()
	a := post(t, s.URL+path, body, header...)
	seen := s.Requests()
	last := seen[len(seen)-1]
	if a.status != status || last.Rule != rule || !strings.Contains(a.text, text) {
		t.Errorf("want %d %s %s\ngot  %d %s %s\nfor %s", status, rule, text, a.status, last.Rule, a.text, body)
	}
}

func accepted(t *testing.T, s *Server, path, body string, header ...string) answer {
	t.Helper()
	a := post(t, s.URL+path, body, header...)
	if a.status != 200 {
		t.Errorf("got %d %s\nfor %s", a.status, a.text, body)
	}
	return a
}

// thoughts answers with thinking and a call, then with two thinking blocks, then
// with text.
func thoughts() Responder {
	return Script(
		Step{Answer: Answer{Content: []Part{
			{Thinking: "The file has the answer."},
			{Hidden: "secret"},
			{Text: "Reading."},
			{Call: "read", Arguments: []byte(`{"path": "a", "n": 1}`)},
		}}},
		Step{Answer: Answer{Content: []Part{{Thinking: "Now I know."}, {Text: "Done."}}}},
	)
}

// anthropicRound is the request that replays an answer: the prompt, the answer's
// content, the result of its call.
func anthropicRound(model, prompt, content, id string, more ...string) string {
	messages := append([]string{
		fmt.Sprintf(`{"role":"user","content":%q}`, prompt), `{"role":"assistant","content":` + content + `}`,
		fmt.Sprintf(`{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"content":"42"}]}`, id),
	}, more...)
	return fmt.Sprintf(`{"model":%q,"max_tokens":4000,%s"tools":[{"name":"read","input_schema":{"type":"object"}}],"messages":[%s]}`,
		model, thinkingOf(model), strings.Join(messages, ","))
}

func thinkingOf(model string) string {
	if isBound(model) {
		return `"thinking":{"type":"adaptive"},`
	}
	return `"thinking":{"type":"enabled","budget_tokens":2000},`
}

func firstAnthropic(t *testing.T, s *Server, model, prompt string) answer {
	t.Helper()
	return accepted(t, s, "/v1/messages", fmt.Sprintf(
		`{"model":%q,"max_tokens":4000,%s"tools":[{"name":"read","input_schema":{"type":"object"}}],"messages":[{"role":"user","content":%q}]}`,
		model, thinkingOf(model), prompt))
}

func callID(content string) string {
	for b := range jsonline.Parse([]byte(content)).Elements() {
		if b.Object().Get("type").String() == "tool_use" {
			return b.Object().Get("id").String()
		}
	}
	return ""
}

// TestClaudeSignatures replays an answer: whole it is accepted, altered it is not
// (AN-18, AN-19, AN-20).
func TestClaudeSignatures(t *testing.T) {
	const model = "claude-sonnet-4-5"
	s := start(t, Options{Respond: thoughts()})
	content := raw(firstAnthropic(t, s, model, "q"), "content")
	id := callID(content)
	blocks := elements(jsonline.Parse([]byte(content)))
	thought, hidden := string(blocks[0].Raw), string(blocks[1].Raw)
	rest := string(blocks[2].Raw) + "," + string(blocks[3].Raw)
	signature := blocks[0].Object().Get("signature").String()
	data := blocks[1].Object().Get("data").String()
	round := func(content string, more ...string) string { return anthropicRound(model, "q", content, id, more...) }

	second := accepted(t, s, "/v1/messages", round(content))
	final := `{"role":"assistant","content":` + raw(second, "content") + `}`
	ask := `{"role":"user","content":"thanks"}`
	accepted(t, s, "/v1/messages", round(content, final, ask))

	for name, c := range map[string]struct{ content, rule, text string }{
		"signature altered":  {strings.Replace(content, signature, flip(signature), 1), "AN-20", "messages.1.content.0: Invalid `signature` in `thinking` block"},
		"signature cut":      {strings.Replace(content, signature, signature[:40], 1), "AN-20", "messages.1.content.0: Invalid"},
		"invented":           {strings.Replace(content, signature, "RXFzaWc=", 1), "AN-20", "messages.1.content.0: Invalid"},
		"data altered":       {strings.Replace(content, data, flip(data), 1), "AN-19", "messages.1.content.1: Invalid `data` in `redacted_thinking` block"},
		"kinds swapped":      {strings.Replace(content, data, signature, 1), "AN-19", "messages.1.content.1: Invalid `data`"},
		"text altered":       {strings.Replace(content, "has the answer", "may help", 1), "AN-18", "messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified"},
		"one block missing":  {"[" + thought + "," + rest + "]", "AN-18", "cannot be modified"},
		"first missing":      {"[" + hidden + "," + rest + "]", "AN-18", "cannot be modified"},
		"order changed":      {"[" + hidden + "," + thought + "," + rest + "]", "AN-18", "cannot be modified"},
		"one block repeated": {"[" + thought + "," + thought + "," + rest + "]", "AN-18", "cannot be modified"},
	} {
		t.Run(name, func(t *testing.T) { refused(t, s, "/v1/messages", round(c.content), c.rule, 400, c.text) })
	}

	// In an older turn blocks may be left out, but not altered.
	accepted(t, s, "/v1/messages", round("["+thought+","+rest+"]", final, ask))
	accepted(t, s, "/v1/messages", round("["+rest+"]", final, ask))
	refused(t, s, "/v1/messages", round(strings.Replace(content, "has the answer", "may help", 1), final, ask), "AN-20", 400, "messages.1.content.0: Invalid `signature`")

	// The same answer is good where Claude runs elsewhere, but not at another
	// organisation.
	stranger := start(t, Options{Key: []byte("other")})
	refused(t, stranger, "/v1/messages", round(content), "AN-20", 400, "Invalid `signature`")
	known := start(t, Options{Key: []byte("other"), Known: func(token string) bool { return token == signature || token == data }})
	accepted(t, known, "/v1/messages", round(content))
	vertex := strings.Replace(strings.Replace(round(content), `"model":"claude-sonnet-4-5",`, `"anthropic_version":"vertex-2023-10-16",`, 1), "q", "another prefix", 1)
	accepted(t, s, "/v1/projects/p/locations/l/publishers/anthropic/models/claude-sonnet-4-5:rawPredict", vertex)
	off := start(t, Options{Key: []byte("other"), Rules: map[string]bool{"AN-19": false, "AN-20": false}})
	accepted(t, off, "/v1/messages", round(content))
}

// TestBoundSignatures changes what stands in front of thinking (AN-38): models
// that bind it refuse that, unless the request says that such blocks be dropped.
func TestBoundSignatures(t *testing.T) {
	const model = "claude-opus-5"
	const text = "Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set"
	s := start(t, Options{Respond: thoughts()})
	content := raw(firstAnthropic(t, s, model, "q"), "content")
	id := callID(content)
	accepted(t, s, "/v1/messages", anthropicRound(model, "q", content, id))
	// The same conversation in another spelling.
	accepted(t, s, "/v1/messages", strings.Replace(anthropicRound(model, "q", content, id), `"content":"q"`,
		`"content":[{"type":"text","text":"\u0071","cache_control":{"type":"ephemeral"}}]`, 1))
	second := raw(accepted(t, s, "/v1/messages", anthropicRound(model, "q", content, id)), "content")
	later := func(prompt, first string) string {
		return anthropicRound(model, prompt, first, id, `{"role":"assistant","content":`+second+`}`, `{"role":"user","content":"r"}`)
	}
	accepted(t, s, "/v1/messages", later("q", content))
	blocks := elements(jsonline.Parse([]byte(content)))
	accepted(t, s, "/v1/messages", later("q", "["+string(blocks[2].Raw)+","+string(blocks[3].Raw)+"]")) // thinking removed

	changed := anthropicRound(model, "another question", content, id)
	refused(t, s, "/v1/messages", changed, "AN-38", 400, text)
	refused(t, s, "/v1/messages", anthropicRound("claude-sonnet-5", "q", content, id), "AN-38", 400, text)
	drop := strings.Replace(changed, `"type":"adaptive"`, `"type":"adaptive","block_binding":{"prefix_mismatch_behavior":"drop_block"}`, 1)
	refused(t, s, "/v1/messages", drop, "AN-38", 400, text)
	accepted(t, s, "/v1/messages", drop, "anthropic-beta", "x,thinking-binding-controls-2026-08-01")
	// To a model that binds nothing it is foreign too (W-116).
	refused(t, s, "/v1/messages", anthropicRound("claude-sonnet-4-5", "another question", content, id), "AN-38", 400, text)
}

// TestBedrockSignatures is the round trip at Converse (BR-14, BR-20).
func TestBedrockSignatures(t *testing.T) {
	const path = "/model/anthropic.claude-sonnet-4-5-20250929-v1:0/converse"
	s := start(t, Options{Respond: thoughts()})
	body := func(messages string) string {
		return `{"additionalModelRequestFields":{"thinking":{"type":"enabled","budget_tokens":2000}},"toolConfig":{"tools":[{"toolSpec":{"name":"read","inputSchema":{"json":{"type":"object"}}}}]},"messages":[{"role":"user","content":[{"text":"q"}]}` + messages + `]}`
	}
	first := accepted(t, s, path, body(""))
	content := raw(first, "output", "message", "content")
	id := under(elements(jsonline.Parse([]byte(content)))[3].Object(), "toolUse", "toolUseId").String()
	round := func(content string) string {
		return body(`,{"role":"assistant","content":` + content + `},{"role":"user","content":[{"toolResult":{"toolUseId":"` + id + `","content":[{"text":"42"}],"status":"success"}}]}`)
	}
	accepted(t, s, path, round(content))
	refused(t, s, path, round(strings.Replace(content, "has the answer", "may help", 1)), "AN-18", 400,
		"{\"message\":\"The model returned the following errors: messages.1.content.0: `thinking` or `redacted_thinking` blocks")
	signature := under(elements(jsonline.Parse([]byte(content)))[0].Object(), "reasoningContent", "reasoningText", "signature").String()
	refused(t, s, path, round(strings.Replace(content, signature, flip(signature), 1)), "AN-20", 400,
		"{\"message\":\"The model returned the following errors: messages.1.content.0: Invalid `signature` in `thinking` block\"}")
}

// geminiBody is a request of Gemini's form.
func geminiBody(contents string) string {
	return `{"generationConfig":{"thinkingConfig":{"includeThoughts":true}},"tools":[{"functionDeclarations":[{"name":"read"}]}],"contents":[{"role":"user","parts":[{"text":"q"}]}` + contents + `]}`
}

// TestThoughtSignatures is the round trip of Gemini's signatures (GG-10).
func TestThoughtSignatures(t *testing.T) {
	const path = "/v1beta/models/gemini-3-pro-preview:generateContent"
	s := start(t, Options{Respond: thoughts()})
	content := string(under(elements(accepted(t, s, path, geminiBody("")).json().Get("candidates"))[0].Object(), "content").Raw)
	parts := elements(under(jsonline.ParseObject([]byte(content)), "parts"))
	call := parts[len(parts)-1].Object()
	signature, id := call.Get("thoughtSignature").String(), under(call, "functionCall", "id").String()
	if _, err := base64.StdEncoding.DecodeString(signature); err != nil || signature == "" {
		t.Fatalf("signature %q: %v", signature, err)
	}
	round := func(content string) string {
		return geminiBody(`,` + content + `,{"role":"user","parts":[{"functionResponse":{"id":"` + id + `","name":"read","response":{"output":"42"}}}]}`)
	}
	second := accepted(t, s, path, round(content))
	final := string(under(elements(second.json().Get("candidates"))[0].Object(), "content").Raw)
	third := strings.TrimSuffix(round(content), "]}") + "," + final + `,{"role":"user","parts":[{"text":"r"}]}]}`
	accepted(t, s, path, third)
	// A client whose member is bytes sends the literal in another alphabet, or as
	// base64 of its letters.
	for _, literal := range []string{
		"skip_thought_signature_validator", "skip/thought/signature/validator", "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I=",
		"context_engineering_is_the_way_to_go", "Y29udGV4dF9lbmdpbmVlcmluZ19pc190aGVfd2F5X3RvX2dv",
	} {
		accepted(t, s, path, round(strings.Replace(content, signature, literal, 1)))
	}
	accepted(t, s, strings.Replace(path, "v1beta/models", "v1/projects/p/locations/l/publishers/google/models", 1), round(content))

	refused(t, s, path, round(strings.Replace(content, signature, flip(signature), 1)), "GG-10", 400,
		`{"error":{"code":400,"message":"Corrupted thought signature.","status":"INVALID_ARGUMENT"}}`)
	refused(t, s, path, round(strings.Replace(content, signature, "QUJDRA==", 1)), "GG-10", 400, "Corrupted thought signature.")
	refused(t, s, path, round(strings.Replace(content, `"args":{"path":"a"`, `"args":{"path":"b"`, 1)), "GG-10", 400, "Thought signature is not valid")
	refused(t, s, "/v1beta/models/gemini-4-pro:generateContent", round(content), "GG-10", 400, "Thought signature is not valid")
	refused(t, start(t, Options{Key: []byte("other")}), path, round(content), "GG-10", 400, "Corrupted thought signature.")
	accepted(t, start(t, Options{Key: []byte("other"), Known: func(string) bool { return true }}), path, round(content))
}

// TestCodeAssistSignatures is the round trip of Claude behind Antigravity: its
// errors come as JSON in the message (CA-01, CA-05).
func TestCodeAssistSignatures(t *testing.T) {
	const path = "/v1internal:generateContent"
	s := start(t, Options{Respond: thoughts()})
	body := func(contents string) string {
		return `{"project":"p","model":"claude-sonnet-4-5","userAgent":"antigravity","requestType":"agent","request":{"generationConfig":{"maxOutputTokens":4000,"thinkingConfig":{"includeThoughts":true,"thinkingBudget":2000}},"tools":[{"functionDeclarations":[{"name":"read","parameters":{"type":"object"}}]}],"contents":[{"role":"user","parts":[{"text":"q"}]}` + contents + `]}}`
	}
	first := accepted(t, s, path, body(""))
	content := string(under(elements(under(first.json(), "response", "candidates"))[0].Object(), "content").Raw)
	parts := elements(under(jsonline.ParseObject([]byte(content)), "parts"))
	id := under(parts[len(parts)-1].Object(), "functionCall", "id").String()
	round := func(content string) string {
		return body(`,` + content + `,{"role":"user","parts":[{"functionResponse":{"id":"` + id + `","name":"read","response":{"output":"42"}}}]}`)
	}
	// Hidden thinking has no form here, and the block that is left is not whole.
	refused(t, s, path, round(content), "AN-18", 400, "cannot be modified")
	s = start(t, Options{Respond: Script(Step{Answer: Answer{Content: []Part{{Thinking: "The file has the answer."}, {Call: "read"}}}})})
	first = accepted(t, s, path, body(""))
	content = string(under(elements(under(first.json(), "response", "candidates"))[0].Object(), "content").Raw)
	parts = elements(under(jsonline.ParseObject([]byte(content)), "parts"))
	id = under(parts[1].Object(), "functionCall", "id").String()
	signature := parts[0].Object().Get("thoughtSignature").String()
	accepted(t, s, path, round(content))
	refused(t, s, path, round(strings.Replace(content, signature, flip(signature), 1)), "AN-20", 400,
		`{"error":{"code":400,"message":"{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"messages.1.content.0: Invalid`)
	gemini := start(t, Options{})
	thought := gemini.key("gemini").signature(&seal{kind: thoughtSeal, model: geminiFamily("gemini-3")})
	refused(t, s, path, round(strings.Replace(content, signature, thought, 1)), "AN-20", 400, "Invalid `signature`")
}

// TestReasoningDetails is the round trip at OpenRouter (OP-02, OP-05): the answer of the
// upstream stands in metadata.raw.
func TestReasoningDetails(t *testing.T) {
	const path = "/api/v1/chat/completions"
	for _, c := range []struct{ model, rule, text string }{
		{"anthropic/claude-sonnet-4.5", "AN-20", "Invalid `signature` in `thinking` block"},
		{"google/gemini-3-pro-preview", "GG-10", "Corrupted thought signature."},
		{"openai/gpt-5.1", "OR-09", "could not be verified"},
		{"x-ai/grok-4", "OP-02", "Invalid `data`"},
	} {
		t.Run(c.model, func(t *testing.T) {
			s := start(t, Options{Respond: thoughts()})
			body := func(messages string) string {
				return fmt.Sprintf(`{"model":%q,"reasoning":{"effort":"low"},"tools":[{"type":"function","function":{"name":"read","parameters":{"type":"object"}}}],"messages":[{"role":"user","content":"q"}%s]}`, c.model, messages)
			}
			first := accepted(t, s, path, body(""))
			message := string(under(elements(first.json().Get("choices"))[0].Object(), "message").Raw)
			details := elements(under(jsonline.ParseObject([]byte(message)), "reasoning_details"))
			calls := elements(under(jsonline.ParseObject([]byte(message)), "tool_calls"))
			round := func(message string) string {
				return body("," + message + fmt.Sprintf(`,{"role":"tool","tool_call_id":%q,"content":"42"}`, calls[0].Object().Get("id").String()))
			}
			accepted(t, s, path, round(message))
			if bare := strings.Replace(message, `"reasoning_details"`, `"other_details"`, 1); c.rule == "GG-10" {
				refused(t, s, path, round(bare), "OP-05", 400, "missing a thought_signature")
			}
			token := details[len(details)-1].Object().Get("data").String()
			if c.rule == "AN-20" {
				token = details[0].Object().Get("signature").String()
			}
			refused(t, s, path, round(strings.Replace(message, token, flip(token), 1)), c.rule, 400, c.text)
			last := s.Requests()
			if a := post(t, s.URL+path, string(last[len(last)-1].Body)); raw(a, "error", "message") != `"Provider returned error"` || raw(a, "error", "metadata", "raw") == "" {
				t.Errorf("not wrapped: %s", a.text)
			}
		})
	}
}

// TestGoogleCompatible is the round trip of thought signatures at Google's
// endpoint for Chat Completions (GG-10, W-431).
func TestGoogleCompatible(t *testing.T) {
	const path = "/v1beta/openai/chat/completions"
	s := start(t, Options{Respond: thoughts()})
	body := func(messages string) string {
		return `{"model":"gemini-3-pro-preview","tools":[{"type":"function","function":{"name":"read","parameters":{"type":"object"}}}],"messages":[{"role":"user","content":"q"}` + messages + `]}`
	}
	first := accepted(t, s, path, body(""))
	message := string(under(elements(first.json().Get("choices"))[0].Object(), "message").Raw)
	call := elements(under(jsonline.ParseObject([]byte(message)), "tool_calls"))[0].Object()
	signature := under(call, "extra_content", "google", "thought_signature").String()
	round := func(message string) string {
		return body("," + message + fmt.Sprintf(`,{"role":"tool","tool_call_id":%q,"content":"42"}`, call.Get("id").String()))
	}
	accepted(t, s, path, round(message))
	refused(t, s, path, round(strings.Replace(message, signature, flip(signature), 1)), "GG-10", 400, "Corrupted thought signature.")
}
