package model_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"hygeia/policy"
	"hygeia/runner/model"
)

func events(list ...string) string {
	var b strings.Builder
	for _, e := range list {
		b.WriteString("data: " + e + "\n\n")
	}
	return b.String()
}

// TestStoredForm holds what is stored of the peculiarities of each format, to the
// byte, and that the events told as much (F-32…F-36, W-115, W-304, W-312).
func TestStoredForm(t *testing.T) {
	for name, c := range map[string]struct {
		target policy.Target
		typ    string
		body   string
		want   string // the content
		rest   string // of the turn, what must stand behind it
	}{
		"Anthropic": {
			onAnthropic, sse, events(
				`{"type":"message_start","message":{"id":"msg_1","model":"claude-sonnet-4-5-20250929","usage":{"input_tokens":10,"cache_read_input_tokens":4,"cache_creation_input_tokens":3,"output_tokens":1}}}`,
				`{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"Hm.","signature":"b2xk"}}`,
				`{"type":"ping"}`,
				`{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"c2ln"}}`,
				`{"type":"content_block_stop","index":0}`,
				`{"type":"content_block_start","index":1,"content_block":{"type":"redacted_thinking","data":"aGlk"}}`,
				`{"type":"content_block_stop","index":1}`,
				`{"type":"content_block_start","index":2,"content_block":{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}}}`,
				`{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"query\": "}}`,
				`{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"\"x\"}"}}`,
				`{"type":"content_block_stop","index":2}`,
				`{"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"toolu_1","name":"read","input":{}}}`,
				`{"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":"{\n \"n\": 1.50,"}}`,
				`{"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":"\n \"s\":\"\\u00fc\"}"}}`,
				`{"type":"content_block_stop","index":3}`,
				`{"type":"content_block_start","index":4,"content_block":{"type":"text","text":""}}`,
				`{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":7}}`,
				`{"type":"message_stop"}`),
			`{"type":"thinking","thinking":"Hm.","thinkingSignature":"c2ln"},{"type":"thinking","thinking":"","thinkingSignature":"aGlk","redacted":true},` +
				`{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"x"}},` +
				`{"type":"toolCall","id":"toolu_1","name":"read","arguments":{"n":1.50,"s":"\u00fc"}}`,
			`"api":"anthropic-messages","provider":"anthropic","model":"claude-sonnet-4-5","responseId":"msg_1","usage":{"input":10,"output":7,"cacheRead":4,"cacheWrite":3,"totalTokens":24,"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}},"stopReason":"toolUse","timestamp":1700000000000}`,
		},
		"Responses": {
			onResponses, sse, events(
				`{"type":"response.created","response":{"id":"resp_0","model":"o9"}}`,
				`{"type":"response.output_item.added","output_index":0,"item":{"id":"rs_1","type":"reasoning","summary":[]}}`,
				`{"type":"response.reasoning_summary_part.added","output_index":0}`,
				`{"type":"response.reasoning_summary_text.delta","output_index":0,"delta":"One."}`,
				`{"type":"response.reasoning_summary_part.added","output_index":0}`,
				`{"type":"response.reasoning_summary_text.delta","output_index":0,"delta":"Two."}`,
				`{"type":"response.output_item.done","output_index":0,"item":{"id":"rs_1","type":"reasoning","summary":[{"type":"summary_text","text":"One."},{"type":"summary_text","text":"Two."}],"encrypted_content":"ZW5j"}}`,
				`{"type":"response.output_item.done","output_index":1,"item":{"id":"ws_1","type":"web_search_call","status":"completed"}}`,
				`{"type":"response.output_item.done","output_index":2,"item":{"id":"msg_1","type":"message","role":"assistant","phase":"commentary","content":[{"type":"output_text","text":"Hi"},{"type":"refusal","refusal":", no."}]}}`,
				`{"type":"response.output_item.added","output_index":3,"item":{"id":"fc_1","type":"function_call","call_id":"call_1","name":"read","arguments":""}}`,
				`{"type":"response.function_call_arguments.delta","output_index":3,"delta":"{\"a\":"}`,
				`{"type":"response.output_item.done","output_index":3,"item":{"id":"fc_1","type":"function_call","call_id":"call_1","name":"read","arguments":"{\"a\":1}"}}`,
				`{"type":"response.output_item.done","output_index":4,"item":{"id":"rs_2","type":"reasoning","summary":[],"content":[{"type":"reasoning_text","text":"Three."}]}}`,
				`{"type":"response.output_item.done","output_index":5,"item":{"type":"function_call","call_id":"call_2","name":"read","arguments":"{}"}}`,
				`{"type":"response.completed","response":{"id":"resp_1","status":"completed","usage":{"input_tokens":9,"input_tokens_details":{"cached_tokens":4},"output_tokens":2}}}`),
			`{"type":"thinking","thinking":"One.\n\nTwo.","thinkingSignature":"{\"id\":\"rs_1\",\"type\":\"reasoning\",\"summary\":[{\"type\":\"summary_text\",\"text\":\"One.\"},{\"type\":\"summary_text\",\"text\":\"Two.\"}],\"encrypted_content\":\"ZW5j\"}"},` +
				`{"id":"ws_1","type":"web_search_call","status":"completed"},` +
				`{"type":"text","text":"Hi, no.","textSignature":"{\"v\":1,\"id\":\"msg_1\",\"phase\":\"commentary\"}"},` +
				`{"type":"toolCall","id":"call_1|fc_1","name":"read","arguments":{"a":1}},` +
				`{"type":"thinking","thinking":"Three.","thinkingSignature":"{\"id\":\"rs_2\",\"type\":\"reasoning\",\"summary\":[],\"content\":[{\"type\":\"reasoning_text\",\"text\":\"Three.\"}]}"},` +
				`{"type":"toolCall","id":"call_2","name":"read","arguments":{}}`,
			`"model":"gpt-5.1","responseModel":"o9","responseId":"resp_1","usage":{"input":5,"output":2,"cacheRead":4,"cacheWrite":0,"totalTokens":11,"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}},"stopReason":"toolUse","timestamp":1700000000000}`,
		},
		"Gemini": {
			onGemini, sse, events(
				`{"candidates":[{"content":{"parts":[{"text":"Hm.","thought":true}]}}],"responseId":"r1","modelVersion":"gemini-4"}`,
				`{"candidates":[{"content":{"parts":[{"text":""}]}}]}`,
				`{"candidates":[{"content":{"parts":[{"text":" So.","thought":true}]}}]}`,
				`{"candidates":[{"content":{"parts":[{"text":"A","thoughtSignature":""},{"text":"B","thoughtSignature":"QUJD"},{"text":"C"}]}},{"content":{"parts":[{"text":"D"}]}}]}`,
				`{"candidates":[{"content":{"parts":[{"executableCode":{"code":"1"},"thoughtSignature":"REVG"},{"functionCall":{"id":"f1","name":"read","args":{"n":1.50}},"thoughtSignature":"R0hJ"},{"functionCall":{"id":"f2","name":"read"}}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":9,"cachedContentTokenCount":4,"candidatesTokenCount":2,"thoughtsTokenCount":3}}`),
			`{"type":"thinking","thinking":"Hm. So."},{"type":"text","text":"AB","textSignature":"QUJD"},{"type":"text","text":"C"},` +
				`{"executableCode":{"code":"1"},"thoughtSignature":"REVG","type":"executableCode"},` +
				`{"type":"toolCall","id":"f1","name":"read","arguments":{"n":1.50},"thoughtSignature":"R0hJ"},{"type":"toolCall","id":"f2","name":"read","arguments":{}}`,
			`"responseModel":"gemini-4","responseId":"r1","usage":{"input":5,"output":5,"cacheRead":4,"cacheWrite":0,"totalTokens":14,"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}},"stopReason":"toolUse","timestamp":1700000000000}`,
		},
		"Chat Completions": {
			onChat, sse, events(
				`{"id":"c1","model":"other/model","choices":[{"delta":{"role":"assistant","content":"","reasoning_content":"H","reasoning":"H"}}]}`,
				`{"choices":[{"delta":{"content":null,"refusal":null,"reasoning_content":"m"}}]}`,
				`{"choices":[{"delta":{"content":"A","reasoning_content":null}}]}`,
				`{"choices":[{"delta":{"content":"B","reasoning_content":null}}]}`,
				`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"call_1","function":{"name":"read","arguments":""},"extra_content":{"google":{"thought_signature":"QUJD"}}}]}}]}`,
				`{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`,
				`{"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":4}}}`, `[DONE]`),
			`{"type":"thinking","thinking":"Hm","thinkingSignature":"reasoning_content"},{"type":"text","text":"AB"},` +
				`{"type":"toolCall","id":"call_1","name":"read","arguments":{},"thoughtSignature":"QUJD"}`,
			`"model":"gpt-4o","responseModel":"other/model","responseId":"c1","usage":{"input":5,"output":2,"cacheRead":4,"cacheWrite":0,"totalTokens":11,"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}},"stopReason":"toolUse","timestamp":1700000000000}`,
		},
		"a list of parts": {
			onChat, sse, events(
				`{"choices":[{"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"H"}]}]}}]}`,
				`{"choices":[{"delta":{"content":[{"type":"thinking","thinking":"m"},{"type":"text","text":"A"},{"type":"reference","reference_ids":[1]}]}}]}`,
				`{"choices":[{"delta":{},"usage":{"prompt_tokens":9,"prompt_cache_hit_tokens":4}}]}`,
				`{"choices":[{"delta":{},"finish_reason":"stop"}],"usage":{"completion_tokens":2}}`),
			`{"type":"thinking","thinking":"Hm"},{"type":"text","text":"A"},{"type":"reference","reference_ids":[1]}`,
			`"usage":{"input":5,"output":2,"cacheRead":4,"cacheWrite":0,"totalTokens":11,"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}},"stopReason":"stop","timestamp":1700000000000}`,
		},
		"Converse": {
			onBedrock, "application/vnd.amazon.eventstream", amazon("messageStart", `{"role":"assistant"}`,
				"contentBlockDelta", `{"contentBlockIndex":0,"delta":{"reasoningContent":{"text":"Hm."}}}`,
				"contentBlockDelta", `{"contentBlockIndex":0,"delta":{"reasoningContent":{"signature":"c2ln"}}}`,
				"contentBlockStop", `{"contentBlockIndex":0}`,
				"contentBlockDelta", `{"contentBlockIndex":1,"delta":{"reasoningContent":{"redactedContent":"aGlk"}}}`,
				"contentBlockStop", `{"contentBlockIndex":1}`,
				"contentBlockDelta", `{"contentBlockIndex":2,"delta":{"text":"A"}}`,
				"contentBlockDelta", `{"contentBlockIndex":2,"delta":{"text":"B"}}`,
				"contentBlockStart", `{"contentBlockIndex":3,"start":{"toolUse":{"toolUseId":"tooluse_1","name":"read"}}}`,
				"contentBlockDelta", `{"contentBlockIndex":3,"delta":{"toolUse":{"input":"{\"n\": 1.50}"}}}`,
				"contentBlockStop", `{"contentBlockIndex":3}`,
				"messageStop", `{"stopReason":"tool_use"}`,
				"metadata", `{"usage":{"inputTokens":9,"outputTokens":2,"cacheReadInputTokens":4,"cacheWriteInputTokens":3}}`),
			`{"type":"thinking","thinking":"Hm.","thinkingSignature":"c2ln"},{"type":"thinking","thinking":"","thinkingSignature":"aGlk","redacted":true},` +
				`{"type":"text","text":"AB"},{"type":"toolCall","id":"tooluse_1","name":"read","arguments":{"n":1.50}}`,
			`"usage":{"input":9,"output":2,"cacheRead":4,"cacheWrite":3,"totalTokens":18,"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}},"stopReason":"toolUse","timestamp":1700000000000}`,
		},
		"Ollama": {
			onOllama, lines, `{"model":"qwen3","message":{"role":"assistant","content":"","thinking":"H"}}` + "\n" +
				`{"model":"qwen3","message":{"role":"assistant","content":"","thinking":"m"}}` + "\n" +
				`{"model":"qwen3","message":{"role":"assistant","content":"A","thinking":"","tool_calls":[{"function":{"name":"read","arguments":{"a": 1}}}]}}` + "\n" +
				`{"model":"qwen4","message":{"content":""},"done":true,"done_reason":"stop","prompt_eval_count":9,"eval_count":2}` + "\n",
			`{"type":"thinking","thinking":"Hm"},{"type":"text","text":"A"},{"type":"toolCall","id":"call_1abe2f121639d9b9f10586dd","name":"read","arguments":{"a":1}}`,
			`"responseModel":"qwen4","usage":{"input":9,"output":2,"cacheRead":0,"cacheWrite":0,"totalTokens":11,"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}},"stopReason":"toolUse","timestamp":1700000000000}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			client := model.New(model.Config{
				Emulator: serve(t, stream(c.typ, c.body)), Retries: -1, Now: func() time.Time { return time.UnixMilli(1_700_000_000_000) },
			})
			var used model.Usage
			told := map[model.EventKind]string{}
			a, err := client.Stream(context.Background(), model.Call{Target: c.target, Body: []byte("{}")}, func(e model.Event) {
				told[e.Kind] += e.Text
				if e.Kind == model.UsageKnown {
					used = e.Usage
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			var thought string
			for _, b := range stored(t, a).Blocks() {
				thought += b.Get("thinking").String()
			}
			if told[model.Text] != a.Text || told[model.Thinking] != thought || used != a.Usage {
				t.Errorf("told %q, the thought %q, which is %q, and %+v", told[model.Text], told[model.Thinking], thought, used)
			}
			got := string(a.Message)
			if want := `{"role":"assistant","content":[` + c.want + `],`; !strings.HasPrefix(got, want) {
				t.Errorf("content of\n%s\nwant\n%s", got, want)
			}
			if !strings.HasSuffix(got, c.rest) {
				t.Errorf("rest of\n%s\nwant\n%s", got, c.rest)
			}
		})
	}
}
