package emulator

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

const script = `
{"contains":"weather","content":[{"thinking":"I need the tool."},{"call":"weather","arguments":{ "city": "Bern" },"id":"toolu_x"}],"usage":{"input":120,"output":7}}
{"to":"anthropic/claude-*","times":2,"content":[{"text":"twice"}],"stop":"length"}
{"to":"openai/*","status":429,"error":"Slow down.","header":{"retry-after":"1"}}
{"to":"openai/*","status":503,"body":{"own":true}}
{"to":"mistral/*","content":[{"text":"never"}]}
`

func readScript(t *testing.T, text string) Responder {
	t.Helper()
	steps, err := ReadScript(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return Script(steps...)
}

// TestScript gives the steps to the requests that they fit, in order.
func TestScript(t *testing.T) {
	s := start(t, Options{Respond: readScript(t, script)})
	anthropic := func(text string) answer {
		return post(t, s.URL+"/v1/messages", `{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[{"role":"user","content":"`+text+`"}]}`)
	}
	chat := func() answer {
		return post(t, s.URL+"/v1/chat/completions", `{"model":"gpt-4o","messages":[{"role":"user","content":"q"}]}`)
	}
	for i, c := range []struct {
		got    answer
		status int
		want   string
	}{
		{anthropic("one"), 200, `"content":[{"type":"text","text":"twice"}],"stop_reason":"max_tokens"`},
		{anthropic("the weather?"), 200, `{"type":"tool_use","id":"toolu_x","name":"weather","input":{"city":"Bern"}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":120,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":7`},
		{anthropic("two"), 200, `"text":"twice"`},
		{anthropic("three"), 200, `"text":"three"`},
		{chat(), 429, `{"error":{"message":"Slow down.","type":"rate_limit_error","param":null,"code":null}}`},
		{chat(), 503, `{"own":true}`},
		{chat(), 200, `"content":"q"`},
	} {
		if c.got.status != c.status || !strings.Contains(c.got.text, c.want) {
			t.Errorf("answer %d: %d %s", i, c.got.status, c.got.text)
		}
		if c.status == 429 && c.got.header.Get("Retry-After") != "1" {
			t.Errorf("header %v", c.got.header)
		}
	}
}

// TestReadScript reads both forms and says what is wrong with others.
func TestReadScript(t *testing.T) {
	steps, err := ReadScript(strings.NewReader(`[{"content":[{"hidden":"x"}],"delay":"1.5s","pace":"2ms","times":-1,"abort":{"after":2,"error":"e"}},{}]`))
	if err != nil || len(steps) != 2 || steps[0].Delay != 1500*time.Millisecond || steps[0].Pace != 2*time.Millisecond || *steps[0].Abort != (Abort{2, "e"}) {
		t.Errorf("%+v %v", steps, err)
	}
	if steps, err := ReadScript(strings.NewReader("")); err != nil || len(steps) != 0 {
		t.Errorf("an empty script: %v %v", steps, err)
	}
	for text, want := range map[string]string{
		`{"content":[{"text":"a","call":"b"}]}`:     "line 1: part 0: more than one",
		"{}\n\n{\"content\":[{}]}\n":                "line 3: part 0: none of",
		`{"content":[{"text":"a","arguments":{}}]}`: "arguments are an object of a call",
		`{"content":[{"call":"a","arguments":[]}]}`: "arguments are an object of a call",
		`{"status":200}`:                            "status 200",
		`{"error":"x"}`:                             "needs a status",
		`{"to":"["}`:                                "pattern",
		`{"unknown":1}`:                             "unknown",
		`{"delay":"soon"}`:                          `line 1: /delay: expected a time such as "90s" or "50ms", found a string`,
		`{"content":[{"text":"a"}` + strings.Repeat(`,{"text":"a"}`, maxParts) + `]}`: "more than 255 parts",
		"{}\nrubbish":                         "line 2: invalid character",
		"[{},\n{\"content\":[{\"text\":1}]}]": "line 2: /1/content/0/text: expected a string, found a number",
		"[{}]\n{}":                            "line 2: something stands behind",
		"[{}":                                 "ends too early",
		`{"to":"a/b*c` + "\\\\" + `"}`:        "pattern",
		`{"content":[{"call":"a","arguments":{"a":nope}]`: "line 1: /content/0/arguments/a: ",
	} {
		if _, err := ReadScript(strings.NewReader(text)); !errors.Is(err, ErrScript) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestResponder holds that the responder is told what was asked, and that an
// answer that cannot be is said to be so.
func TestResponder(t *testing.T) {
	var asked Request
	s := start(t, Options{Respond: func(r *Request) *Answer {
		asked = *r
		return &Answer{Content: []Part{{Call: "f", Arguments: []byte(`{`)}}}
	}})
	const body = `{"model":"llama","stream":true,"messages":[{"role":"user","content":"q"}]}`
	a := post(t, s.URL+"/to/groq/openai/v1/chat/completions", body)
	if a.status != 500 || !strings.Contains(a.text, "the answer of the emulator is not valid: part 0: arguments") {
		t.Errorf("%d %s", a.status, a.text)
	}
	if asked.Target.Provider != "groq" || asked.Target.API != "openai-completions" || asked.Target.Model != "llama" ||
		!asked.Stream || asked.Prompt != "q" || string(asked.Body) != body {
		t.Errorf("asked %+v", asked)
	}
}

// TestDelay holds that an answer waits, and ends when the client or the server
// goes.
func TestDelay(t *testing.T) {
	answers := Script(
		Step{Answer: Answer{Content: []Part{{Text: "late"}}, Delay: 80 * time.Millisecond}},
		Step{Answer: Answer{Content: []Part{{Text: "slow"}}, Pace: 20 * time.Millisecond}},
		Step{Answer: Answer{Delay: time.Hour}},
	)
	asked := make(chan struct{}, 3)
	s := NewServer(Options{Respond: func(r *Request) *Answer {
		asked <- struct{}{}
		return answers(r)
	}})
	const body = `{"model":"claude-sonnet-4-5","max_tokens":9,"stream":true,"messages":[{"role":"user","content":"q"}]}`
	for _, least := range []time.Duration{80 * time.Millisecond, 100 * time.Millisecond} {
		before := time.Now()
		accepted(t, s, "/v1/messages", body)
		<-asked
		if took := time.Since(before); took < least {
			t.Errorf("took %v", took)
		}
	}
	var wait sync.WaitGroup
	wait.Go(func() {
		if res, err := http.Post(s.URL+"/v1/messages", "application/json", strings.NewReader(body)); err == nil {
			res.Body.Close()
		}
	})
	<-asked
	s.Close() // or the test waits for an hour
	wait.Wait()
}

// TestAbort ends streams early: with the provider's error event, or by cutting
// the connection.
func TestAbort(t *testing.T) {
	parts := []Part{{Text: "some words that take more than one event to send"}}
	broken := &Answer{Content: parts, Abort: &Abort{After: 2, Error: "Overloaded"}}
	s := start(t, Options{Respond: func(*Request) *Answer { return broken }})
	for _, e := range endpoints {
		want := map[string]string{
			"anthropic-messages": `event: error` + "\n" + `data: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`,
			"responses":          `data: {"type":"error","code":"server_error","message":"Overloaded","param":null}`,
			"chat":               `data: {"error":{"message":"Overloaded"`,
			"gemini":             `{"error":{"code":503,"message":"Overloaded","status":"UNAVAILABLE"}}`,
			"bedrock":            `modelStreamErrorException`,
			"ollama":             `{"error":"Overloaded"}`,
		}
		kind := map[string]string{
			"anthropic": "anthropic-messages", "minimax": "anthropic-messages", "claude on vertex": "anthropic-messages",
			"openai responses": "responses", "codex": "responses", "azure": "responses", "openai chat": "chat", "mistral": "chat", "openrouter": "chat",
			"gemini": "gemini", "gemini as an array": "gemini", "code assist": "gemini", "bedrock": "bedrock", "bedrock invoke": "bedrock", "ollama": "ollama",
		}[e.name]
		if a := post(t, s.URL+e.stream, e.request(true)); a.status != 200 || !strings.Contains(a.text, want[kind]) {
			t.Errorf("%s: %d %s", e.name, a.status, a.text)
		}
	}
	cut := start(t, Options{Respond: func(*Request) *Answer { return &Answer{Content: parts, Abort: &Abort{After: 3}} }})
	for _, body := range []string{endpoints[0].request(true), endpoints[0].request(false)} {
		res, err := http.Post(cut.URL+"/v1/messages", "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(res.Body)
		res.Body.Close()
		if !errors.Is(err, io.ErrUnexpectedEOF) || len(text) == 0 || strings.Contains(string(text), "message_stop") {
			t.Errorf("%v after %q", err, text)
		}
	}
}
