package emulator

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"slices"
	"strings"
	"testing"

	"hygeia/internal/jsonline"
)

// TestEventStreamMessage holds the framing against the vectors that AWS publishes
// for its event stream, and against a header worked out by hand.
func TestEventStreamMessage(t *testing.T) {
	for _, c := range []struct {
		headers []header
		payload string
		want    string
	}{
		{nil, "", "000000100000000005c248eb7d98c8ff"},
		{nil, "{'foo':'bar'}", "0000001d00000000fd528c5a7b27666f6f273a27626172277dc3653936"},
		{
			[]header{{"content-type", "application/json"}},
			"{'foo':'bar'}",
			"0000003d0000002007fd8396" + "0c636f6e74656e742d74797065" + "070010" + "6170706c69636174696f6e2f6a736f6e" + "7b27666f6f273a27626172277d" + "8d9c08b1",
		},
	} {
		if got := hex.EncodeToString(eventStreamMessage(c.headers, []byte(c.payload))); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// readEventStream decodes messages of an event stream and checks their sums.
func readEventStream(t *testing.T, text string) (types []string, payloads []jsonline.Object) {
	t.Helper()
	b := []byte(text)
	for len(b) > 0 {
		total, headers := binary.BigEndian.Uint32(b), binary.BigEndian.Uint32(b[4:])
		if crc32.ChecksumIEEE(b[:8]) != binary.BigEndian.Uint32(b[8:]) || crc32.ChecksumIEEE(b[:total-4]) != binary.BigEndian.Uint32(b[total-4:]) {
			t.Fatal("a sum is wrong")
		}
		named := map[string]string{}
		for h := b[12 : 12+headers]; len(h) > 0; {
			name := string(h[1 : 1+h[0]])
			h = h[1+h[0]:]
			n := binary.BigEndian.Uint16(h[1:])
			named[name] = string(h[3 : 3+n])
			h = h[3+n:]
		}
		types = append(types, named[":message-type"]+" "+named[":event-type"]+named[":exception-type"])
		payloads = append(payloads, jsonline.ParseObject(b[12+headers:total-4]))
		b = b[total:]
	}
	return types, payloads
}

// dataLines returns the data of server-sent events.
func dataLines(text string) []jsonline.Object {
	var out []jsonline.Object
	for line := range strings.Lines(text) {
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			out = append(out, jsonline.ParseObject([]byte(data)))
		}
	}
	return out
}

// long is an answer whose parts take several events each.
var long = Answer{Content: []Part{
	{Thinking: "Thinking takes a while, more than one event can hold."},
	{Hidden: "secret"},
	{Text: "Grüße aus Zürich, and some more words than fit into one event."},
	{Call: "read", Arguments: []byte(`{"path":"a/long/path/to/some/file.txt","lines":[1,2,3]}`)},
	{Call: "list"},
}, Usage: Usage{Input: new(int), Output: number(77), CacheRead: number(5), CacheWrite: number(6)}}

func number(n int) *int { return &n }

// put sets a member of an object of the plain answer that is put together again.
func put(o jsonline.Object, name string, v []byte) jsonline.Object {
	return o.With(name, jsonline.Parse(v))
}

// TestAnthropicStream puts the events of a stream together: they are the plain
// answer.
func TestAnthropicStream(t *testing.T) {
	s := start(t, Options{Respond: func(*Request) *Answer { return &long }})
	const body = `{"model":"claude-sonnet-4-5","max_tokens":4000,"stream":true,"messages":[{"role":"user","content":"q"}]}`
	for _, path := range []string{"/v1/messages", "/model/anthropic.claude-sonnet-4-5/invoke-with-response-stream"} {
		t.Run(path, func(t *testing.T) {
			plain, request := "/v1/messages", body
			if strings.HasPrefix(path, "/model") {
				plain = "/model/anthropic.claude-sonnet-4-5/invoke"
				request = strings.Replace(body, `"model":"claude-sonnet-4-5",`, `"anthropic_version":"bedrock-2023-05-31",`, 1)
				request = strings.Replace(request, `"stream":true,`, "", 1)
			}
			a := accepted(t, s, path, request)
			events := dataLines(a.text)
			if strings.HasPrefix(path, "/model") {
				_, chunks := readEventStream(t, a.text)
				for _, c := range chunks {
					data, _ := base64.StdEncoding.DecodeString(c.Get("bytes").String())
					events = append(events, jsonline.ParseObject(data))
				}
			}
			want := accepted(t, s, plain, strings.Replace(request, `"stream":true,`, "", 1))
			var pings []int
			for i, e := range events {
				if e.Get("type").String() == "ping" {
					pings = append(pings, i)
				}
			}
			if !slices.Equal(pings, []int{2}) {
				t.Errorf("pings at %v, want one behind the start of the first block", pings)
			}
			if got := string(joinAnthropic(events).AppendTo(nil)); got != want.text {
				t.Errorf("stream %s\nplain  %s", got, want.text)
			}
		})
	}
}

func joinAnthropic(events []jsonline.Object) jsonline.Object {
	var message jsonline.Object
	var content []jsonline.Object
	partial := map[int]string{}
	for _, e := range events {
		n, _ := e.Get("index").Number()
		i := int(n)
		switch e.Get("type").String() {
		case "message_start":
			message = e.Get("message").Object()
		case "content_block_start":
			content = append(content, e.Get("content_block").Object())
		case "content_block_delta":
			for name, v := range e.Get("delta").Object().Members() {
				switch name {
				case "type":
				case "partial_json":
					partial[i] += v.String()
				default:
					content[i] = content[i].With(name, jsonline.Text(content[i].Get(name).String()+v.String()))
				}
			}
		case "message_delta":
			for name, v := range e.Get("delta").Object().Members() {
				message = message.With(name, v)
			}
			message = message.With("usage", message.Get("usage").Object().With("output_tokens", under(e, "usage", "output_tokens")).Value())
		}
	}
	all := []byte("[")
	for i, b := range content {
		if partial[i] != "" {
			b = put(b, "input", []byte(partial[i]))
		}
		if i > 0 {
			all = append(all, ',')
		}
		all = b.AppendTo(all)
	}
	return put(message, "content", append(all, ']'))
}

// TestResponsesStream holds the events against the response at their end and the
// plain answer.
func TestResponsesStream(t *testing.T) {
	s := start(t, Options{Respond: func(*Request) *Answer { return &long }})
	a := accepted(t, s, "/v1/responses", responsesBody("", `"stream":true,`, question))
	want := accepted(t, s, "/v1/responses", responsesBody("", "", question))
	events := dataLines(a.text)
	var items []string
	text := map[string]string{}
	for i, e := range events {
		if n, _ := e.Get("sequence_number").Number(); int(n) != i {
			t.Errorf("event %d has the number %v", i, n)
		}
		switch e.Get("type").String() {
		case "response.output_item.done":
			items = append(items, string(e.Get("item").Raw))
		case "response.output_text.delta", "response.function_call_arguments.delta", "response.reasoning_summary_text.delta":
			text[e.Get("item_id").String()] += e.Get("delta").String()
		}
	}
	last := events[len(events)-1]
	if string(last.Get("response").Raw) != want.text {
		t.Errorf("stream %s\nplain  %s", last.Get("response").Raw, want.text)
	}
	if got := "[" + strings.Join(items, ",") + "]"; got != raw(want, "output") {
		t.Errorf("items %s\nplain %s", got, raw(want, "output"))
	}
	for _, item := range elements(want.json().Get("output")) {
		o := item.Object()
		whole := textOf(o.Get("content")) + textOf(o.Get("summary")) + o.Get("arguments").String()
		if text[o.Get("id").String()] != whole {
			t.Errorf("deltas %q of %s", text[o.Get("id").String()], item.Raw)
		}
	}
}

// TestChatStream puts deltas together: they are the plain message.
func TestChatStream(t *testing.T) {
	s := start(t, Options{Respond: func(*Request) *Answer { return &long }})
	for _, path := range []string{"/to/deepseek/chat/completions", "/to/openrouter/api/v1/chat/completions"} {
		request := `{"model":"x-ai/grok-4","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"q"}]}`
		events := dataLines(accepted(t, s, path, request).text)
		plain := accepted(t, s, path, strings.Replace(request, `"stream":true,"stream_options":{"include_usage":true},`, "", 1))
		message := under(elements(plain.json().Get("choices"))[0].Object(), "message").Object()
		var said, thought, finish string
		calls := map[string]string{}
		var details string
		for _, e := range events {
			for _, c := range elements(e.Get("choices")) {
				delta := under(c.Object(), "delta").Object()
				said += delta.Get("content").String()
				thought += delta.Get("reasoning").String() + delta.Get("reasoning_content").String()
				finish += c.Object().Get("finish_reason").String()
				details += string(delta.Get("reasoning_details").Raw)
				for _, call := range elements(delta.Get("tool_calls")) {
					calls[string(call.Object().Get("index").Raw)] += call.Object().Get("id").String() + under(call.Object(), "function", "name").String() +
						under(call.Object(), "function", "arguments").String()
				}
			}
		}
		if said != message.Get("content").String() || thought != message.Get("reasoning").String()+message.Get("reasoning_content").String() ||
			details != string(message.Get("reasoning_details").Raw) || finish != "tool_calls" {
			t.Errorf("%s: said %q thought %q details %s finish %q\n%s", path, said, thought, details, finish, plain.text)
		}
		for _, call := range elements(message.Get("tool_calls")) {
			want := call.Object().Get("id").String() + under(call.Object(), "function", "name").String() + under(call.Object(), "function", "arguments").String()
			if got := calls[string(call.Object().Get("index").Raw)]; got != want {
				t.Errorf("call %q, want %q", got, want)
			}
		}
		if usage := events[len(events)-2].Get("usage"); string(usage.Raw) != raw(plain, "usage") {
			t.Errorf("usage %s", usage.Raw)
		}
	}
}

// TestGeminiStream puts parts together, in both forms of the stream.
func TestGeminiStream(t *testing.T) {
	s := start(t, Options{Respond: func(*Request) *Answer { return &long }})
	const path = "/v1beta/models/gemini-3-pro-preview:"
	plain := accepted(t, s, path+"generateContent", geminiBody(""))
	want := elements(under(elements(plain.json().Get("candidates"))[0].Object(), "content", "parts"))
	for _, alt := range []string{"?alt=sse", ""} {
		a := accepted(t, s, path+"streamGenerateContent"+alt, geminiBody(""))
		chunks := dataLines(a.text)
		for _, v := range elements(jsonline.Parse([]byte(a.text))) {
			chunks = append(chunks, v.Object())
		}
		var thought, said string
		var calls []string
		signature := ""
		for _, c := range chunks {
			for _, p := range elements(under(elements(c.Get("candidates"))[0].Object(), "content", "parts")) {
				switch o := p.Object(); {
				case o.Has("functionCall"):
					calls = append(calls, string(p.Raw))
				case o.Get("thought").Bool():
					thought += o.Get("text").String()
				default:
					said += o.Get("text").String()
					signature += o.Get("thoughtSignature").String()
				}
			}
		}
		if thought != want[0].Object().Get("text").String() || said != want[1].Object().Get("text").String() || signature != "" ||
			len(calls) != 2 || calls[0] != string(want[2].Raw) || calls[1] != string(want[3].Raw) {
			t.Errorf("thought %q said %q calls %v\n%s", thought, said, calls, plain.text)
		}
	}
}

// TestBedrockStream decodes the event stream and puts blocks together.
func TestBedrockStream(t *testing.T) {
	s := start(t, Options{Respond: func(*Request) *Answer { return &long }})
	const path = "/model/anthropic.claude-sonnet-4-5/converse"
	const body = `{"messages":[{"role":"user","content":[{"text":"q"}]}]}`
	a := accepted(t, s, path+"-stream", body)
	plain := accepted(t, s, path, body)
	types, events := readEventStream(t, a.text)
	if types[0] != "event messageStart" || types[len(types)-2] != "event messageStop" || types[len(types)-1] != "event metadata" {
		t.Errorf("types %v", types)
	}
	joined := map[string]string{}
	for _, e := range events {
		i := string(e.Get("contentBlockIndex").Raw)
		joined[i] += under(e, "start", "toolUse", "toolUseId").String() + under(e, "start", "toolUse", "name").String()
		d := e.Get("delta").Object()
		joined[i] += d.Get("text").String() + under(d, "toolUse", "input").String() + under(d, "reasoningContent", "text").String() +
			under(d, "reasoningContent", "signature").String() + under(d, "reasoningContent", "redactedContent").String()
	}
	for i, b := range elements(under(plain.json(), "output", "message", "content")) {
		o := b.Object()
		want := o.Get("text").String() + under(o, "toolUse", "toolUseId").String() + under(o, "toolUse", "name").String() + string(under(o, "toolUse", "input").Raw) +
			under(o, "reasoningContent", "reasoningText", "text").String() + under(o, "reasoningContent", "reasoningText", "signature").String() +
			under(o, "reasoningContent", "redactedContent").String()
		if got := joined[string(jsonline.AppendInt(nil, int64(i)))]; got != want {
			t.Errorf("block %d: %q, want %q", i, got, want)
		}
	}
	if got := events[len(events)-1].Get("usage"); string(got.Raw) != raw(plain, "usage") || !bytes.Contains(got.Raw, []byte(`"outputTokens":77`)) {
		t.Errorf("usage %s", got.Raw)
	}
}

// TestMistralStream puts deltas together in which thinking comes as parts.
func TestMistralStream(t *testing.T) {
	s := start(t, Options{Respond: func(*Request) *Answer { return &long }})
	const path = "/v1/chat/completions"
	const request = `{"model":"magistral-medium-latest","stream":true,"messages":[{"role":"user","content":"q"}]}`
	thinks := func(content jsonline.Value) (thought string) {
		for _, p := range elements(content) {
			thought += textOf(p.Object().Get("thinking"))
		}
		return thought
	}
	plain := accepted(t, s, path, strings.Replace(request, `"stream":true,`, "", 1))
	message := under(elements(plain.json().Get("choices"))[0].Object(), "message").Object()
	content := message.Get("content")
	if thinks(content) != long.Content[0].Thinking || textOf(content) != long.Content[2].Text || len(elements(message.Get("tool_calls"))) != 2 {
		t.Errorf("plain %s", plain.text)
	}
	var said, thought string
	for _, e := range dataLines(accepted(t, s, path, request).text) {
		for _, c := range elements(e.Get("choices")) {
			delta := under(c.Object(), "delta", "content")
			said += delta.String()
			thought += thinks(delta)
		}
	}
	if said != long.Content[2].Text || thought != long.Content[0].Thinking {
		t.Errorf("said %q thought %q", said, thought)
	}
}

// TestOllamaStream puts lines together: they are the plain message.
func TestOllamaStream(t *testing.T) {
	s := start(t, Options{Respond: func(*Request) *Answer { return &long }})
	const request = `{"model":"qwen3","think":true,"messages":[{"role":"user","content":"q"}]}`
	plain := accepted(t, s, "/api/chat", strings.Replace(request, `"think"`, `"stream":false,"think"`, 1))
	message := plain.json().Get("message").Object()
	var said, thought, calls string
	for line := range strings.Lines(accepted(t, s, "/api/chat", request).text) {
		m := under(jsonline.ParseObject([]byte(line)), "message").Object()
		said += m.Get("content").String()
		thought += m.Get("thinking").String()
		for _, call := range elements(m.Get("tool_calls")) {
			calls += string(call.Raw)
		}
	}
	whole := ""
	for _, call := range elements(message.Get("tool_calls")) {
		whole += string(call.Raw)
	}
	if said != message.Get("content").String() || thought != message.Get("thinking").String() || calls != whole || calls == "" || thought == "" {
		t.Errorf("said %q thought %q calls %s\n%s", said, thought, calls, plain.text)
	}
}
