package model_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"hygeia/emulator"
	"hygeia/internal/jsonline"
	"hygeia/policy"
	"hygeia/runner/model"
)

func serve(t *testing.T, h http.Handler) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

func stream(contentType, body string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		_, _ = io.WriteString(w, body)
	})
}

const (
	sse   = "text/event-stream"
	lines = "application/x-ndjson"
)

var (
	onAnthropic = policy.Target{Provider: "anthropic", API: "anthropic-messages", Model: "claude-sonnet-4-5"}
	onChat      = policy.Target{Provider: "openai", API: "openai-completions", Model: "gpt-4o"}
	onResponses = policy.Target{Provider: "openai", API: "openai-responses", Model: "gpt-5.1"}
	onGemini    = policy.Target{Provider: "google", API: "google-generative-ai", Model: "gemini-3-pro-preview"}
	onOllama    = policy.Target{Provider: "ollama", API: "ollama", Model: "qwen3"}
	onBedrock   = policy.Target{Provider: "amazon-bedrock", API: "bedrock-converse-stream", Model: "anthropic.claude-sonnet-4-5"}
)

// hostile are answers that no provider should give.
var hostile = []struct {
	name   string
	target policy.Target
	typ    string
	body   string
	kind   model.Kind
	says   string // in the text of the error
	text   string // what was received
}{
	{"nothing at all", onAnthropic, sse, "", model.Malformed, "ended before the answer was complete", ""},
	{"no event", onBedrock, "application/vnd.amazon.eventstream", "", model.Malformed, "ended before", ""},
	{"no line", onOllama, lines, "\n", model.Malformed, "ended before", ""},
	{"a piece of a call in a text", onBedrock, "application/vnd.amazon.eventstream", amazon("contentBlockDelta", `{"contentBlockIndex":0,"delta":{"text":"Hi"}}`,
		"contentBlockDelta", `{"contentBlockIndex":0,"delta":{"toolUse":{"input":"{"}}}`), model.Malformed, "belongs to no tool call", "Hi"},
	{"no end", onAnthropic, sse, block("text", "Hi"), model.Malformed, "ended before", "Hi"},
	{"torn in an event", onAnthropic, sse, block("text", "Hi") + `data: {"type":"content_block_del`, model.Malformed, "no JSON object", "Hi"},
	{"wrong JSON", onChat, sse, "data: {'choices':[]}\n\n", model.Malformed, "no JSON object", ""},
	{"an array", onChat, sse, "data: []\n\n", model.Malformed, "no JSON object", ""},
	{"done without an end", onChat, sse, `data: {"choices":[{"delta":{"content":"Hi"}}]}` + "\n\ndata: [DONE]\n\n", model.Malformed, "ended before", "Hi"},
	{"a giant line", onChat, sse, "data: " + strings.Repeat("x", 2000) + "\n\n", model.Malformed, "longer than 1000 bytes", ""},
	{"a giant event", onChat, sse, strings.Repeat("data: "+strings.Repeat("x", 100)+"\n", 20) + "\n", model.Malformed, "longer than 1000 bytes", ""},
	{"a giant line of lines", onOllama, lines, `{"message":{"content":"` + strings.Repeat("x", 2000) + `"}}`, model.Malformed, "longer than", ""},
	{"a giant answer", onChat, sse, strings.Repeat(": "+strings.Repeat("x", 100)+"\n\n", 400), model.Malformed, "larger than 20000 bytes", ""},
	{"arguments that are none", onChat, sse, toolCall(`{\"path\":`) + finish("tool_calls"), model.Malformed, `the arguments of the call of "read" are no JSON object`, ""},
	{"arguments that are a list in lines", onOllama, lines, `{"message":{"tool_calls":[{"function":{"name":"read","arguments":[1]}}]}}`, model.Malformed, "no JSON object", ""},
	{"a response that was cancelled", onResponses, sse, `data: {"type":"response.done","response":{"status":"cancelled"}}`, model.Refused, "cancelled", ""},
	{"a filter in a call", onChat, sse, toolCall(`{\"path\":`) + finish("content_filter"), model.Refused, "content_filter", ""},
	{"arguments that are a list", onChat, sse, toolCall(`[1]`) + finish("tool_calls"), model.Malformed, "no JSON object", ""},
	{"an orphaned piece", onAnthropic, sse, `data: {"type":"content_block_delta","index":7,"delta":{"type":"text_delta","text":"x"}}` + "\n\n", model.Malformed, "belongs to no", ""},
	{"an orphaned piece of a call", onChat, sse, `data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]}}]}` + "\n\n", model.Malformed, "belongs to no", ""},
	{"an orphaned item", onResponses, sse, `data: {"type":"response.output_text.delta","output_index":3,"delta":"x"}` + "\n\n", model.Malformed, "belongs to no", ""},
	{"an item that changes", onResponses, sse, `data: {"type":"response.output_item.added","output_index":0,"item":{"type":"message"}}` + "\n\n" +
		`data: {"type":"response.output_item.done","output_index":0,"item":{"type":"reasoning"}}` + "\n\n", model.Malformed, "changes its type", ""},
	{"a word nobody knows", onAnthropic, sse, block("text", "Hi") + `data: {"type":"message_delta","delta":{"stop_reason":"because"}}` + "\n\n" + `data: {"type":"message_stop"}` + "\n\n", model.Refused, "unknown reason", "Hi"},
	{"blocks of nothing", onAnthropic, sse, strings.Repeat(`data: {"type":"content_block_start"}`+"\n\n", 2), model.Malformed, "no JSON object", ""},
	{"a part of nothing", onGemini, sse, `data: {"candidates":[{"content":{"parts":[{}]}}]}` + "\n\n", model.Malformed, "holds nothing", ""},
	{"a refusal", onAnthropic, sse, block("text", "Hi") + `data: {"type":"message_delta","delta":{"stop_reason":"refusal"}}` + "\n\n" + `data: {"type":"message_stop"}` + "\n\n", model.Refused, "refusal", "Hi"},
	{"a blocked prompt", onGemini, sse, `data: {"promptFeedback":{"blockReason":"SAFETY"}}` + "\n\n", model.Refused, "SAFETY", ""},
	{"an error in the stream", onGemini, sse, `data: {"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}` + "\n\n", model.Overloaded, "overloaded", ""},
	{"a failed response", onResponses, sse, `data: {"type":"response.failed","response":{"status":"failed","error":{"code":"context_length_exceeded","message":"Your input exceeds the context window."}}}` + "\n\n", model.Overflow, "exceeds", ""},
	{"JSON with an error", onChat, "application/json", `{"error":{"message":"no such model","code":"model_not_found"}}`, model.Server, "no such model", ""},
	{"JSON with a status", onChat, "application/json", `{"error":{"message":"no provider is left","code":503}}`, model.Overloaded, "no provider", ""},
	{"JSON without an error", onChat, "application/json", `{"choices":[{"message":{"content":"Hi"}}]}`, model.Malformed, "no stream", ""},
	{"a page", onChat, "text/html; charset=utf-8", "<html>Log in to the network</html>", model.Malformed, "HTML", ""},
	{"another framing", onBedrock, "application/vnd.amazon.eventstream", "data: {}\n\nand more of that kind", model.Malformed, "torn or damaged", ""},
	{"a torn frame", onBedrock, "application/vnd.amazon.eventstream", "\x00\x00\x00\xff\x00\x00", model.Malformed, "torn or damaged", ""},
	{"a frame of no size", onBedrock, "application/vnd.amazon.eventstream", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", model.Malformed, "torn or damaged", ""},
	{"a deep text", onOllama, lines, strings.Repeat(`{"message":`, 60) + "1" + strings.Repeat("}", 60) + "\n", model.Malformed, "ended before", ""},
	{"bytes that are no text", onOllama, lines, "\xff\xfe\x00\n", model.Malformed, "no JSON object", ""},
}

func block(kind, text string) string {
	return `data: {"type":"content_block_start","index":0,"content_block":{"type":"` + kind + `","text":"` + text + `"}}` + "\n\n"
}

func anthropicCall(arguments string) string {
	return `data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"read"}}` + "\n\n" +
		`data: {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"` + arguments + `"}}` + "\n\n" +
		`data: {"type":"content_block_stop","index":0}` + "\n\n"
}

func toolCall(arguments string) string {
	return `data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"call_1","function":{"name":"read","arguments":"` + arguments + `"}}]}}]}` + "\n\n"
}

func finish(reason string) string {
	return `data: {"choices":[{"delta":{},"finish_reason":"` + reason + `"}]}` + "\n\n"
}

// amazon returns messages of Amazon's framing, given by name and payload.
func amazon(list ...string) string {
	var b strings.Builder
	for i := 0; i < len(list); i += 2 {
		b.WriteString(frame("event", list[i])(list[i+1]))
	}
	return b.String()
}

// TestHostile meets answers that are torn, giant, wrong or endless. Each ends
// with an error that says what is wrong, and what was received is stored.
func TestHostile(t *testing.T) {
	for _, c := range hostile {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			client := model.New(model.Config{
				Emulator: serve(t, stream(c.typ, c.body)), Retries: -1, Limits: model.Limits{Event: 1000, Bytes: 20_000},
			})
			a, err := client.Stream(context.Background(), model.Call{Target: c.target, Body: []byte("{}")}, nil)
			e := fault(t, err)
			if e.Kind != c.kind || !strings.Contains(e.Text, c.says) {
				t.Errorf("%+v", e)
			}
			if m := stored(t, a); a.Text != c.text || !jsonline.Valid(a.Message) || m.Get("stopReason").String() != model.Failed {
				t.Errorf("%s", a.Message)
			}
		})
	}
}

// TestOdd meets answers that are odd and whole.
func TestOdd(t *testing.T) {
	end := `data: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}` + "\n\n" + `data: {"type":"message_stop"}` + "\n\n"
	delta := func(text string) string {
		return `data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"` + text + `"}}` + "\n\n"
	}
	for name, c := range map[string]struct {
		target     policy.Target
		body       string
		text, stop string
		calls      int
	}{
		"half characters":          {onAnthropic, block("text", "") + delta(`a\ud83d`) + delta(`\ude00b`) + end, "a😀b", model.Stop, 0},
		"no half character":        {onAnthropic, block("text", "") + delta(`a\\ud83d`) + delta(`b`) + delta(`\\\ud83d`) + delta(`\ude00`) + end, `a\ud83db\😀`, model.Stop, 0},
		"no escape at the end":     {onAnthropic, block("text", "") + delta(`a\nd8ab`) + end, "a\nd8ab", model.Stop, 0},
		"no half at the end":       {onAnthropic, block("text", "") + delta(`a\u0800`) + end, "a\u0800", model.Stop, 0},
		"a number for a text":      {onResponses, `data: {"type":"response.output_item.done","output_index":0,"item":{"type":"message","content":[{"text":5},{"text":"Hi"}]}}` + "\n\n" + `data: {"type":"response.completed","response":{}}`, "Hi", model.Stop, 0},
		"a number for a piece":     {onAnthropic, block("container_upload", "") + `data: {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":5}}` + "\n\n" + end, "", model.Stop, 0},
		"a refusal in words":       {onChat, `data: {"choices":[{"delta":{"refusal":"No."},"finish_reason":"stop"},{"delta":{"content":"Yes."}}]}`, "No.", model.Stop, 0},
		"an error of null":         {onChat, `data: {"error":null,"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}`, "Hi", model.Stop, 0},
		"a cut call in a block":    {onAnthropic, anthropicCall(`{\"a`) + strings.Replace(end, "end_turn", "max_tokens", 1), "", model.Length, 0},
		"a call of nothing":        {onAnthropic, anthropicCall("") + end, "", model.ToolUse, 1},
		"a call without an id":     {onChat, strings.Replace(toolCall(`{}`), `"id":"call_1",`, "", 1) + finish("stop"), "", model.ToolUse, 1},
		"no escape":                {onAnthropic, block("text", "") + delta(`a nudabc`) + end, "a nudabc", model.Stop, 0},
		"line ends of both kinds":  {onAnthropic, "\ufeff: hi\r\n" + strings.ReplaceAll(block("text", "Hi"), "\n", "\r\n") + end, "Hi", model.Stop, 0},
		"data on two lines":        {onChat, "data: {\"choices\":\ndata: [{\"delta\":{\"content\":\"Hi\"},\"finish_reason\":\"stop\"}]}\n\n", "Hi", model.Stop, 0},
		"no empty line at the end": {onChat, `data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}`, "Hi", model.Stop, 0},
		"behind the end":           {onChat, `data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\ndata: oops\n\n", "Hi", model.Stop, 0},
		"stop with a call":         {onChat, toolCall(`{}`) + finish("stop"), "", model.ToolUse, 1},
		"calls of one number":      {onChat, toolCall(`{}`) + strings.Replace(toolCall(`{}`), "call_1", "call_2", 1) + finish("tool_calls"), "", model.ToolUse, 2},
		"arguments of null":        {onChat, toolCall(`null`) + finish("tool_calls"), "", model.ToolUse, 1},
		"a limit in lines":         {onOllama, `{"message":{"content":"Hi"},"done":true,"done_reason":"length"}`, "Hi", model.Length, 0},
		"an end without a reason":  {onOllama, "\r\n" + `{"message":{"content":"Hi"},"done":true}`, "Hi", model.Stop, 0},
		"no arguments":             {onChat, toolCall(``) + finish("tool_calls"), "", model.ToolUse, 1},
		"a cut call":               {onChat, toolCall(`{\"path\":\"a`) + finish("length"), "", model.Length, 0},
		"an unknown event":         {onAnthropic, `data: {"type":"news"}` + "\n\n" + block("text", "Hi") + end, "Hi", model.Stop, 0},
		"an unknown block":         {onAnthropic, strings.Replace(block("container_upload", ""), `"index":0`, `"index":9`, 1) + block("text", "Hi") + end, "Hi", model.Stop, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			typ := sse
			if c.target == onOllama {
				typ = "application/json" // as some servers name lines
			}
			client := model.New(model.Config{Emulator: serve(t, stream(typ, c.body)), Retries: -1})
			var told strings.Builder
			a, err := client.Stream(context.Background(), model.Call{Target: c.target, Body: []byte("{}")}, func(e model.Event) {
				if e.Kind == model.Text {
					told.WriteString(e.Text)
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			stored(t, a)
			if a.Text != c.text || told.String() != c.text || a.StopReason != c.stop || len(a.Calls) != c.calls {
				t.Errorf("%q, told %q, %s", a.Text, told.String(), a.Message)
			}
		})
	}
}

// TestToolName stores the names that the caller knows, not those of the wire
// (W-176).
func TestToolName(t *testing.T) {
	s := begin(t, roads[0], emulator.Options{Respond: emulator.Script(emulator.Step{Answer: emulator.Answer{Content: []emulator.Part{{Call: "read_1234"}}}})})
	s.say("Hello.")
	call := s.call()
	call.ToolName = func(wire string) string { return strings.TrimSuffix(wire, "_1234") + ".file" }
	a, err := s.client.Stream(context.Background(), call, nil)
	if err != nil || a.Calls[0].Name != "read.file" || stored(t, a).Blocks()[0].Name() != "read.file" {
		t.Errorf("%v, %s", err, a.Message)
	}
}

// TestDetails puts entries of reasoning_details together that came in pieces:
// they count only whole (W-501).
func TestDetails(t *testing.T) {
	piece := func(s string) string {
		return `data: {"choices":[{"delta":{"reasoning_details":[` + s + `]}}]}` + "\n\n"
	}
	body := piece(`{"type":"reasoning.text","text":"I \ud83d","index":0,"format":"anthropic-claude-v1"}`) +
		piece(`{"type":"reasoning.text","text":"\ude00 think","index":0}`) +
		piece(`{"type":"reasoning.text","signature":"c2ln","index":0,"text":null}`) +
		piece(`{"type":"reasoning.encrypted","data":"QUJD","id":"r1","index":1},{"type":"reasoning.summary","summary":"s"}`) + finish("stop")
	const want = `[{"type":"reasoning.text","text":"I \ud83d\ude00 think","index":0,"format":"anthropic-claude-v1","signature":"c2ln"},` +
		`{"type":"reasoning.encrypted","data":"QUJD","id":"r1","index":1},{"type":"reasoning.summary","summary":"s"}]`
	shown := `data: {"choices":[{"delta":{"reasoning":"I think"}}]}` + "\n\n"
	for _, c := range []struct{ body, thinking, signature string }{{body, "", "reasoning_details"}, {shown + body, "I think", "reasoning"}} {
		client := model.New(model.Config{Emulator: serve(t, stream(sse, c.body)), Retries: -1})
		a, err := client.Stream(context.Background(), model.Call{Target: onChat, Body: []byte("{}")}, nil)
		if err != nil {
			t.Fatal(err)
		}
		b := stored(t, a).Blocks()
		if len(b) != 1 || string(b[0].Get("details").Raw) != want || b[0].Get("thinking").String() != c.thinking || b[0].Get("thinkingSignature").String() != c.signature {
			t.Errorf("%s", a.Message)
		}
	}
}

// TestLongError keeps a part of what a provider says, in the turn too.
func TestLongError(t *testing.T) {
	for name, h := range map[string]http.Handler{
		"in words": http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "éé"+strings.Repeat("€", 1<<18)+"\xff", 400)
		}),
		"in JSON": http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, `{"error":{"message":"éé`+strings.Repeat("€", 10_000)+`","code":"`+strings.Repeat("c", 1000)+`"}}`, 400)
		}),
		"in the stream": stream(sse, `data: {"type":"error","error":{"message":"`+strings.Repeat("é", 1<<20)+`"}}`+"\n\n"),
	} {
		t.Run(name, func(t *testing.T) {
			client := model.New(model.Config{Emulator: serve(t, h), Retries: -1})
			a, err := client.Stream(context.Background(), model.Call{Target: onAnthropic, Body: []byte("{}")}, nil)
			e := fault(t, err)
			if len(e.Text) > 4<<10+3 || len(e.Code) > 131 || len(e.Body) > 64<<10 || len(a.Message) > 16<<10 || !strings.HasPrefix(e.Text, "éé") || strings.Contains(e.Text, "\ufffd") {
				t.Errorf("text %d, code %d, body %d, turn %d bytes: %.20s", len(e.Text), len(e.Code), len(e.Body), len(a.Message), e.Text)
			}
			if m := stored(t, a); m.Get("errorMessage").String() != e.Text || m.Get("errorCode").String() != e.Code {
				t.Errorf("stored %.300s", a.Message)
			}
		})
	}
}
