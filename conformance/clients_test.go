package conformance_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"reflect"
	"testing"

	"hygeia/emulator"
)

// talk is a conversation that a client of an SDK has with an emulator. It keeps
// what was said in the types of the SDK.
type talk interface {
	// say and result add what a user says, and the result of the newest call.
	say(text string)
	result(text string)
	// ask sends what was said and keeps the answer.
	ask(stream bool) (answer, error)
	// count asks how many tokens the request has. The error is errNoCount where
	// the service does not say.
	count() (int, error)
	// status is the HTTP status in an error of the SDK, 0 if it is none of the
	// service.
	status(err error) int
}

// answer is what an SDK made of an answer.
type answer struct {
	thinking, text  string
	call, arguments string
	input, output   int
	stop            string
}

// errNoEnd says that a stream ended without the event that ends an answer, which
// not every SDK says by itself.
var errNoEnd = errors.New("the stream has no end")

var errNoCount = errors.New("tokens are not counted")

// clients are the SDKs with the services that they talk to.
var clients = []struct {
	name  string
	start func(url string) talk
	// silent services show no thinking.
	silent bool
	// called and done are how the service says that it calls a tool and that it
	// has finished.
	called, done string
	// unanswered is the rule that forbids a call without a result.
	unanswered string
}{
	{"anthropic-sdk-go", newAnthropicTalk, false, "tool_use", "end_turn", "AN-03"},
	{"openai-go responses", newResponsesTalk("/v1", "gpt-5.1", false), false, "completed", "completed", "OR-03"},
	{"openai-go responses, Azure", newResponsesTalk("/openai/v1", "gpt-5.1", true), false, "completed", "completed", "OR-03"},
	{"openai-go chat", newChatTalk("/v1", "gpt-4o"), true, "tool_calls", "stop", "CC-01"},
	{"openai-go chat, DeepSeek", newChatTalk("/to/deepseek/v1", "deepseek-reasoner"), false, "tool_calls", "stop", "CC-01"},
	{"genai", newGenaiTalk(false, "gemini-3-pro-preview"), false, "STOP", "STOP", "GG-03"},
	{"genai, Vertex", newGenaiTalk(true, "gemini-3-pro-preview"), false, "STOP", "STOP", "GG-03"},
	{"aws-sdk-go-v2", newBedrockTalk, false, "tool_use", "end_turn", "BR-03"},
}

// eachClient runs a test with every client, plain and streaming.
func eachClient(t *testing.T, steps []emulator.Step, run func(t *testing.T, s *emulator.Server, i int, stream bool)) {
	t.Helper()
	for i, c := range clients {
		for _, stream := range []bool{false, true} {
			name := c.name + ", plain"
			if stream {
				name = c.name + ", streaming"
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				s := emulator.NewServer(emulator.Options{RequireHeaders: true, Respond: emulator.Script(steps...)})
				t.Cleanup(s.Close)
				run(t, s, i, stream)
			})
		}
	}
}

func number(n int) *int { return &n }

// TestClientsTalk has a tool called: the answer arrives whole, and what the client
// sends back, signatures among it, is what the service takes for its own.
func TestClientsTalk(t *testing.T) {
	t.Parallel()
	steps := []emulator.Step{
		{Contains: "weather", Answer: emulator.Answer{
			Content: []emulator.Part{
				{Thinking: "I need the tool."},
				{Text: "One moment, grüezi 👋."},
				{Call: "weather", Arguments: []byte(`{"city":"Bern","days":[1,2.5]}`)},
			},
			Usage: emulator.Usage{Input: number(120), Output: number(17)},
		}},
		{Contains: "rain", Answer: emulator.Answer{Content: []emulator.Part{{Text: "It rains."}}}},
	}
	eachClient(t, steps, func(t *testing.T, s *emulator.Server, i int, stream bool) {
		c := clients[i]
		talk := c.start(s.URL)
		talk.say("How is the weather in Bern?")
		got, err := talk.ask(stream)
		if err != nil {
			t.Fatal(err)
		}
		want := answer{"I need the tool.", "One moment, grüezi 👋.", "weather", `{"city":"Bern","days":[1,2.5]}`, 120, 17, c.called}
		if c.silent {
			want.thinking = ""
		}
		if sameJSON(got.arguments, want.arguments) {
			got.arguments = want.arguments
		}
		if got != want {
			t.Errorf("the client read %+v, want %+v", got, want)
		}
		talk.result("rain")
		if n, err := talk.count(); !errors.Is(err, errNoCount) && (err != nil || n <= 0) {
			t.Errorf("%d tokens were counted: %v", n, err)
		}
		switch got, err = talk.ask(stream); {
		case err != nil:
			t.Fatalf("what the client sends back is refused: %v", err)
		case got.text != "It rains." || got.call != "" || got.stop != c.done:
			t.Errorf("the client read %+v", got)
		}
	})
}

func sameJSON(a, b string) bool {
	var x, y any
	return json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && reflect.DeepEqual(x, y)
}

// TestClientsAreRefused leaves a call without a result: the SDK makes its error
// of what the emulator says.
func TestClientsAreRefused(t *testing.T) {
	t.Parallel()
	steps := []emulator.Step{{Answer: emulator.Answer{Content: []emulator.Part{{Call: "weather", Arguments: []byte(`{}`)}}}}}
	eachClient(t, steps, func(t *testing.T, s *emulator.Server, i int, stream bool) {
		c := clients[i]
		talk := c.start(s.URL)
		talk.say("How is the weather?")
		if _, err := talk.ask(stream); err != nil {
			t.Fatal(err)
		}
		talk.say("Well?")
		_, err := talk.ask(stream)
		if talk.status(err) != http.StatusBadRequest {
			t.Errorf("the client made of a refusal %d: %v", talk.status(err), err)
		}
		seen := s.Requests()
		if rule := seen[len(seen)-1].Rule; rule != c.unanswered {
			t.Errorf("refused by rule %q, want %s", rule, c.unanswered)
		}
	})
}

// TestClientsMeetFailures has the service overloaded, once before an answer and
// once in the middle of it.
func TestClientsMeetFailures(t *testing.T) {
	t.Parallel()
	steps := []emulator.Step{
		{Contains: "first", Answer: emulator.Answer{Status: http.StatusTooManyRequests, Error: "Slow down."}},
		{Contains: "second", Answer: emulator.Answer{Content: []emulator.Part{{Text: "This ends too early."}}, Abort: &emulator.Abort{After: 3, Error: "Overloaded."}}},
		{Contains: "third", Answer: emulator.Answer{Content: []emulator.Part{{Text: "This ends too early."}}, Abort: &emulator.Abort{After: 3}}},
	}
	eachClient(t, steps, func(t *testing.T, s *emulator.Server, i int, stream bool) {
		talk := clients[i].start(s.URL)
		talk.say("The first.")
		if _, err := talk.ask(stream); talk.status(err) != http.StatusTooManyRequests {
			t.Errorf("the client made of status 429 %d: %v", talk.status(err), err)
		}
		for _, text := range []string{"The second.", "The third."} {
			talk := clients[i].start(s.URL)
			talk.say(text)
			if got, err := talk.ask(stream); err == nil {
				t.Errorf("%s The client does not notice that the answer is not whole: %+v", text, got)
			}
		}
	})
}
