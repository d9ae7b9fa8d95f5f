package naming_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/aws/aws-sdk-go-v2/aws/protocol/eventstream"

	"hygeia/proxy/naming"
)

const (
	wire = "my_tool_x_01234567"
	own  = "my.tool/x"
	most = 1 << 20
)

var names = map[string]string{wire: own}

const (
	sse  = "text/event-stream"
	aws  = "application/vnd.amazon.eventstream"
	json = "application/json"
)

// answers are answers of each API in which %q stands for a name that is mapped back
// and my_tool_x_01234567 for what only looks like one.
var answers = []struct{ api, kind, text string }{
	{"anthropic-messages", json, `{ "content" : [{"type":"text","text":"my_tool_x_01234567"},{"type":"tool_use","id":"a","name": %q ,"input":{"name":"my_tool_x_01234567","type":"tool_use"}},{"type":"server_tool_use","name":"my_tool_x_01234567"}],"name":"my_tool_x_01234567"}`},
	{"anthropic-messages", sse, "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"content_block\":{\"type\":\"tool_use\",\"name\":%q}}\n\n: a comment \"{\n\ndata: {\"type\":\"content_block_delta\",\"delta\":{\"partial_json\":\"{\\\"name\\\":\\\"my_tool_x_01234567\\\"}\"}}\r\n\r\n"},
	{"anthropic-messages", sse, "data: {\"content_block\":\ndata:  {\"type\":\"tool_use\",\r\nevent: x\ndata: \"name\":%q}}\n\ndata: [DONE]"},
	{"openai-completions", json, `{"choices":[{"message":{"content":"x","tool_calls":[{"id":"1","type":"function","function":{"name":%q,"arguments":"{\"name\":\"my_tool_x_01234567\"}"}},{"id":"2","type":"custom","custom":{"name":%q,"input":"my_tool_x_01234567"}}]}},{"message":{"tool_calls":[{"function":{"name":%q}}]}}]}`},
	{"openai-completions", sse, "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"name\":%q,\"arguments\":\"\"}}]}}]}\n\ndata: [DONE]\n\n"},
	{"mistral-conversations", json, `{"choices":[{"message":{"tool_calls":[{"function":{"name":%q}}]}}]}`},
	{"openai-responses", json, `{"output":[{"type":"function_call","name":%q},{"type":"custom_tool_call","name":%q},{"type":"mcp_call","name":"my_tool_x_01234567"}],"tools":[{"type":"function","name":%q}],"tool_choice":{"type":"function","name":%q}}`},
	{
		"openai-responses", sse, "event: response.output_item.added\ndata: {\"type\":\"response.output_item.added\",\"item\":{\"type\":\"function_call\",\"name\":%q}}\n\n" +
			"data: {\"type\":\"response.function_call_arguments.done\",\"name\":%q,\"arguments\":\"my_tool_x_01234567\"}\n\n" +
			"data: {\"type\":\"response.output_text.done\",\"name\":\"my_tool_x_01234567\"}\n\n" +
			"data: {\"type\":\"response.output_item.done\",\"item\":{\"name\":%q,\"type\":\"custom_tool_call\"}}\n\n" +
			"data: {\"type\":\"response.completed\",\"response\":{\"output\":[{\"type\":\"function_call\",\"name\":%q}],\"tools\":[{\"name\":%q}]}}\n\n",
	},
	{"azure-openai-responses", json, `{"output":[{"type":"function_call","name":%q}],"tool_choice":{"type":"allowed_tools","tools":[{"type":"function","name":%q}]}}`},
	{"openai-chatgpt-responses", sse, "data: {\"item\":{\"type\":\"function_call\",\"name\":%q}}\n\n"},
	{"google-generative-ai", json, `{"candidates":[{"content":{"parts":[{"text":"my_tool_x_01234567"},{"functionCall":{"name":%q,"args":{"name":"my_tool_x_01234567"}}}]}}]}`},
	{"google-generative-ai", sse, "data: {\"candidates\":[{\"content\":{\"parts\":[{\"functionCall\":{\"name\":%q}}]}}]}\r\n\r\n"},
	{"google-vertex", json, "[{\n  \"candidates\": [{\"content\": {\"parts\": [{\"functionCall\": {\"name\": %q}}]}}]\n}\n,\r\n{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"}\\\\\\\"{\"},{\"functionCall\":{\"name\":%q}}]}}]}]\n"},
	{"google-gemini-cli", json, `{"response":{"candidates":[{"content":{"parts":[{"functionCall":{"name":%q}}]}}]}}`},
	{"ollama", "application/x-ndjson", "{\"message\":{\"tool_calls\":[{\"function\":{\"name\":%q,\"arguments\":{}}}]}}\n{\"message\":{\"content\":\"my_tool_x_01234567\"}}\n"},
	{"bedrock-converse-stream", json, `{"output":{"message":{"content":[{"toolUse":{"name":%q,"input":{"toolUse":{"name":"my_tool_x_01234567"}}}}]}}}`},
	{"bedrock-converse-stream", aws, `{"contentBlockIndex":0,"start":{"toolUse":{"toolUseId":"t","name":%q}}}`},
}

// packed puts a text in the messages of an event stream.
func packed(t *testing.T, payloads ...string) string {
	t.Helper()
	var out bytes.Buffer
	for i, p := range payloads {
		m := eventstream.Message{Payload: []byte(p)}
		m.Headers.Set(":event-type", eventstream.StringValue("contentBlockStart"))
		m.Headers.Set("n", eventstream.Int32Value(i))
		if err := eventstream.NewEncoder().Encode(&out, m); err != nil {
			t.Fatal(err)
		}
	}
	return out.String()
}

func named(text, name string) string {
	return strings.ReplaceAll(text, "%q", fmt.Sprintf("%q", name))
}

// W-176: in answers of every API the names of calls are those that the caller
// knows, and every other byte is as it came, whatever the pieces in which it comes.
func TestAnswer(t *testing.T) {
	for i, a := range answers {
		came, want := named(a.text, wire), named(a.text, own)
		if a.kind == aws {
			came, want = packed(t, `{"a":1}`, came, came), packed(t, `{"a":1}`, want, want)
		}
		for _, in := range []io.Reader{strings.NewReader(came), iotest.OneByteReader(strings.NewReader(came)), iotest.HalfReader(strings.NewReader(came)), iotest.DataErrReader(strings.NewReader(came))} {
			got, err := io.ReadAll(naming.Answer(io.NopCloser(in), a.kind, a.api, names, most))
			if err != nil || string(got) != want {
				t.Errorf("%d, %s: %v\n%q, want\n%q", i, a.api, err, got, want)
			}
		}
	}
}

// W-176: so it is in events of Claude in the event stream of Bedrock, where they
// stand in base64.
func TestAnswerBytes(t *testing.T) {
	const start = `{"type":"content_block_start","content_block":{"type":"tool_use","name":%q}}`
	chunk := func(name string) string {
		return `{"p":"abc","bytes":"` + base64.StdEncoding.EncodeToString([]byte(named(start, name))) + `"}`
	}
	got, err := io.ReadAll(naming.Answer(io.NopCloser(strings.NewReader(packed(t, chunk(wire), chunk("read")))), aws, "anthropic-messages", names, most))
	if want := packed(t, chunk(own), chunk("read")); err != nil || string(got) != want {
		t.Errorf("%v\n%q, want\n%q", err, got, want)
	}
}

// W-176: what is torn, or no answer of the API at all, goes on as it is.
func TestAnswerTorn(t *testing.T) {
	for _, a := range answers {
		came := named(a.text, "read")
		if a.kind == aws {
			came = packed(t, came, came)
		}
		for _, kind := range []string{json, sse, aws, "text/html", ""} {
			for _, text := range []string{came, came[:len(came)/2], "\x00\x00\x00\x10" + came, "{" + came, "\x00", "\""} {
				got, err := io.ReadAll(naming.Answer(io.NopCloser(strings.NewReader(text)), kind, a.api, names, 1<<31))
				if err != nil || string(got) != text {
					t.Errorf("%s as %q: %v\n%q becomes\n%q", a.api, kind, err, text, got)
				}
			}
		}
	}
}

// gate is an answer that comes in parts. When it is asked for one, all before must
// have been passed on.
type gate struct {
	t     *testing.T
	parts []string
	open  int // bytes that came and were not passed on
}

func (g *gate) Read(p []byte) (int, error) {
	if g.open != 0 {
		g.t.Errorf("%d bytes were held back in front of %q", g.open, g.parts)
	}
	if len(g.parts) == 0 {
		return 0, io.EOF
	}
	n := copy(p, g.parts[0])
	g.parts, g.open = g.parts[1:], g.open+n
	return n, nil
}

func (g *gate) Close() error { return nil }

// W-176: a piece of a stream is passed on before the next one is waited for.
func TestAnswerFlows(t *testing.T) {
	for kind, parts := range map[string][]string{
		sse:    {"event: ping\n", "data: {}\n\n", ": comment\n", "\n", "data: [DONE]\n\n"},
		json:   {"[", "{\"a\":1}", "\n,", "{}", "]\n"},
		aws:    {packed(t, "{}"), packed(t, "{}", "{}"), packed(t, "")},
		"text": {"{}\n", "{\"a\":{}}\n", "\n"},
	} {
		g := &gate{t: t, parts: parts}
		out, buf := naming.Answer(g, kind, "ollama", names, most), make([]byte, 7)
		for {
			n, err := out.Read(buf)
			if g.open -= n; err != nil {
				break
			}
		}
		if len(g.parts) > 0 {
			t.Errorf("%q: %q was not asked for", kind, g.parts)
		}
	}
}

// W-176: a long piece is passed on as a whole; one that is longer than the most that
// is allowed ends the answer with an error, and nothing of it is passed on.
func TestAnswerLong(t *testing.T) {
	filler := strings.Repeat("x", 200_000)
	for _, kind := range []string{sse, "application/x-ndjson"} {
		head, tail := "", "\n"
		if kind == sse {
			head, tail = "data: ", "\n\n"
		}
		first := head + `{"message":{"content":"` + filler + `","tool_calls":[{"function":{"name":%q}}]}}` + tail
		second := head + `{"message":{"content":"` + strings.Repeat(filler, 6) + `"}}` + tail
		in := named(first, wire) + second
		got, err := io.ReadAll(naming.Answer(io.NopCloser(strings.NewReader(in)), kind, "ollama", names, most))
		if !errors.Is(err, naming.ErrTooLong) || string(got) != named(first, own) {
			t.Errorf("%s: %v, %d bytes, want %d", kind, err, len(got), len(first))
		}
	}
	broken := errors.New("broken")
	got, err := io.ReadAll(naming.Answer(io.NopCloser(io.MultiReader(strings.NewReader(`{"a":1}{"b`), iotest.ErrReader(broken))), json, "ollama", names, most))
	if !errors.Is(err, broken) || string(got) != `{"a":1}{"b` {
		t.Errorf("%v %q", err, got)
	}
}
