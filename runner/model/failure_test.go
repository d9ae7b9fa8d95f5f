package model_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"hygeia/emulator"
	"hygeia/internal/jsonline"
	"hygeia/policy"
	"hygeia/runner/model"
	"hygeia/transcript"
)

// fault returns the error of a call as what it is.
func fault(t *testing.T, err error) *model.Error {
	t.Helper()
	var e *model.Error
	if !errors.As(err, &e) {
		t.Fatalf("no error of a call: %v", err)
	}
	return e
}

func stored(t *testing.T, a *model.Answer) *transcript.Message {
	t.Helper()
	var r transcript.Reader
	m, err := r.Message(a.Message)
	if err != nil {
		t.Fatalf("%v: %s", err, a.Message)
	}
	return m
}

// TestErrorBefore gets an error instead of an answer from every provider. What it
// says is found in every shape of file 90 §0, behind a router too (W-524).
func TestErrorBefore(t *testing.T) {
	for _, r := range roads {
		t.Run(r.name(), func(t *testing.T) {
			t.Parallel()
			s := begin(t, r, emulator.Options{Respond: emulator.Script(
				emulator.Step{Answer: emulator.Answer{Status: 400, Error: "roles must alternate, says the model"}},
				emulator.Step{Answer: emulator.Answer{Status: 401, Error: "who are you"}},
				emulator.Step{Answer: emulator.Answer{Status: 400, Error: "prompt is too long: 3 tokens"}},
				emulator.Step{Answer: emulator.Answer{Status: 503, Error: "later"}},
				emulator.Step{Answer: emulator.Answer{Status: 500, Error: "oh"}},
			)})
			s.say("Hello.")
			for _, want := range []struct {
				kind   model.Kind
				status int
				text   string
			}{
				{model.Shape, 400, "roles must alternate, says the model"},
				{model.Auth, 401, "who are you"},
				{model.Overflow, 400, "prompt is too long: 3 tokens"},
				{model.Overloaded, 503, "later"},
				{model.Server, 500, "oh"},
			} {
				a, _, err := s.ask()
				e := fault(t, err)
				if e.Kind != want.kind || e.Status != want.status || !strings.Contains(e.Text, want.text) || strings.Contains(e.Text, "{") || e.Began {
					t.Errorf("%+v", e)
				}
				if m := stored(t, a); m.StopReason() != transcript.StopError || len(m.Blocks()) != 0 || !strings.Contains(m.Get("errorMessage").String(), want.text) {
					t.Errorf("stored %s", a.Message)
				}
			}
		})
	}
}

// TestErrorAfter gets an error in the middle of an answer: what was received is
// stored, says so, and does not hinder the next request.
func TestErrorAfter(t *testing.T) {
	for _, r := range roads {
		t.Run(r.name(), func(t *testing.T) {
			t.Parallel()
			full := []emulator.Part{{Thinking: "Hm."}, {Text: strings.Repeat("I read the file now, and then I say something. ", 5)}, {Call: "read", Arguments: []byte(`{"path":"a"}`)}}
			s := begin(t, r, emulator.Options{Respond: emulator.Script(
				emulator.Step{Answer: emulator.Answer{Content: full, Abort: &emulator.Abort{After: 8, Error: "the model is overloaded"}}},
				emulator.Step{Answer: emulator.Answer{Content: full, Abort: &emulator.Abort{After: 8}}},
			)})
			s.say("Hello.")
			for _, kinds := range [][]model.Kind{{model.Overloaded, model.Server}, {model.Network, model.Malformed}} {
				a, events, err := s.ask()
				e := fault(t, err)
				if !slices.Contains(kinds, e.Kind) || !e.Began || e.Attempts != 1 {
					t.Errorf("%+v", e)
				}
				if m := stored(t, a); m.StopReason() != transcript.StopError || len(m.Blocks()) == 0 || a.StopReason != model.Failed {
					t.Errorf("stored %s", a.Message)
				}
				if len(events) == 0 || events[len(events)-1].Kind == model.Stopped {
					t.Errorf("events %v", events)
				}
				s.say("Go on.")
			}
			s.must()
		})
	}
}

// TestAbort ends a call in the middle of its answer. The turn is stored as
// aborted, and the next request is accepted.
func TestAbort(t *testing.T) {
	for _, r := range roads {
		t.Run(r.name(), func(t *testing.T) {
			t.Parallel()
			s := begin(t, r, emulator.Options{Respond: emulator.Script(emulator.Step{Answer: emulator.Answer{
				Content: []emulator.Part{{Text: "Reading."}, {Call: "read", Arguments: []byte(`{"path":"a long name of a file, in pieces"}`)}},
				Pace:    2 * time.Millisecond,
			}})})
			s.say("Hello.")
			ctx, cancel := context.WithCancel(context.Background())
			a, err := s.client.Stream(ctx, s.call(), func(e model.Event) {
				if e.Kind == model.ToolStart || e.Kind == model.Text {
					cancel()
				}
			})
			s.messages = append(s.messages, string(a.Message))
			e := fault(t, err)
			if e.Kind != model.Aborted || !errors.Is(err, context.Canceled) || !e.Began {
				t.Errorf("%+v", e)
			}
			if m := stored(t, a); m.StopReason() != transcript.StopAborted || len(m.Blocks()) == 0 {
				t.Errorf("stored %s", a.Message)
			}
			s.say("Go on.")
			s.must()
		})
	}
}

// TestAbortAtOnce ends a call whose whole answer is there already: nothing of it
// is passed on any more.
func TestAbortAtOnce(t *testing.T) {
	body := strings.Repeat(`data: {"choices":[{"delta":{"content":"word "}}]}`+"\n\n", 3) + finish("stop")
	client := model.New(model.Config{Emulator: serve(t, stream(sse, body))})
	ctx, cancel := context.WithCancel(context.Background())
	a, err := client.Stream(ctx, model.Call{Target: onChat, Body: []byte("{}")}, func(model.Event) { cancel() })
	if e := fault(t, err); e.Kind != model.Aborted || a.Text != "word " || a.StopReason != model.Cancelled {
		t.Errorf("%v, %s", err, a.Message)
	}
}

// TestPartialCall cuts an answer in the arguments of a call: they are marked as
// incomplete, and the call is none to carry out (F-36).
func TestPartialCall(t *testing.T) {
	answer := emulator.Answer{Content: []emulator.Part{{Call: "read", Arguments: []byte(`{"path":"` + strings.Repeat("very ", 40) + `long"}`)}}}
	for _, r := range roads {
		if strings.HasPrefix(r.api, "google") || r.api == "ollama" {
			continue // calls come whole
		}
		t.Run(r.name(), func(t *testing.T) {
			t.Parallel()
			cut := answer
			cut.Abort = &emulator.Abort{After: 6}
			s := begin(t, r, emulator.Options{Respond: emulator.Script(emulator.Step{Answer: cut})})
			s.say("Hello.")
			a, _, err := s.ask()
			fault(t, err)
			b := stored(t, a).Blocks()
			if len(a.Calls) != 0 || len(b) != 1 || !strings.HasPrefix(b[0].Get("partialJson").String(), `{"path":"very `) || b[0].Name() != "read" {
				t.Errorf("stored %s", a.Message)
			}
			s.say("Go on.")
			s.must()
		})
	}
}

// TestOverload asks a provider again that has too much to do, after the time that
// it names, and no other (W-904).
func TestOverload(t *testing.T) {
	retry := func(status int, header string) emulator.Step {
		a := emulator.Answer{Status: status, Error: "not now"}
		if header != "" {
			a.Header = map[string]string{"Retry-After": header}
		}
		return emulator.Step{Answer: a}
	}
	for name, c := range map[string]struct {
		steps []emulator.Step
		asked int
		kind  model.Kind // "" for an answer
	}{
		"twice overloaded":       {[]emulator.Step{retry(529, ""), retry(503, "")}, 3, ""},
		"always overloaded":      {[]emulator.Step{retry(529, ""), retry(529, ""), retry(529, ""), retry(529, "")}, 3, model.Overloaded},
		"says when":              {[]emulator.Step{retry(429, "0.01")}, 2, ""},
		"says a date":            {[]emulator.Step{retry(503, "Thu, 01 Jan 2026 00:00:00 GMT")}, 2, ""},
		"asks for too much time": {[]emulator.Step{retry(529, "3600")}, 1, model.Overloaded},
		"limits the rate":        {[]emulator.Step{retry(429, "")}, 1, model.RateLimit},
		"shape":                  {[]emulator.Step{{Answer: emulator.Answer{Status: 400, Error: "messages: roles must alternate"}}}, 1, model.Shape},
		"shape with a status":    {[]emulator.Step{{Answer: emulator.Answer{Status: 503, Error: "messages: roles must alternate"}}}, 1, model.Shape},
		"at once in the stream":  {[]emulator.Step{{Answer: emulator.Answer{Content: []emulator.Part{{Text: "a"}}, Abort: &emulator.Abort{Error: "Overloaded"}}}}, 2, ""},
		"in the middle": {[]emulator.Step{{Answer: emulator.Answer{
			Content: []emulator.Part{{Text: strings.Repeat("word ", 40)}}, Abort: &emulator.Abort{After: 5, Error: "Overloaded"},
		}}}, 1, model.Overloaded},
		"server": {[]emulator.Step{retry(500, "")}, 1, model.Server},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := begin(t, roads[0], emulator.Options{Respond: emulator.Script(c.steps...)})
			s.client = model.New(model.Config{Emulator: s.server.URL, Retries: 2, Limits: model.Limits{Backoff: time.Millisecond, Wait: time.Second}})
			s.say("Hello.")
			a, events, err := s.ask()
			s.server.Close() // a request counts when its handler has ended
			if asked := len(s.server.Requests()); asked != c.asked {
				t.Errorf("asked %d times", asked)
			}
			retries := 0
			for _, e := range events {
				if e.Kind == model.Retrying {
					retries++
				}
			}
			if retries != c.asked-1 {
				t.Errorf("told of %d retries", retries)
			}
			if c.kind == "" {
				if err != nil || a.Text != "Hello." {
					t.Errorf("%q, %v", a.Text, err)
				}
				return
			}
			if e := fault(t, err); e.Kind != c.kind || e.Attempts != c.asked {
				t.Errorf("%+v", e)
			}
		})
	}
}

// TestRetryDelay waits as long as Google says in the body.
func TestRetryDelay(t *testing.T) {
	limited := func(delay string) emulator.Step {
		return emulator.Step{Answer: emulator.Answer{Status: 429, Body: []byte(`{"error":{"code":429,"message":"Quota exceeded.","status":"RESOURCE_EXHAUSTED",` +
			`"details":[{"@type":"type.googleapis.com/google.rpc.Help"},{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"` + delay + `"}]}}`)}}
	}
	s := begin(t, roads[9], emulator.Options{Respond: emulator.Script(limited("0.012s"), limited("3600s"))})
	s.client = model.New(model.Config{Emulator: s.server.URL})
	s.say("Hello.")
	_, events, err := s.ask()
	if e := fault(t, err); e.Kind != model.RateLimit || e.RetryAfter != time.Hour || e.Attempts != 2 || events[0].Wait != 12*time.Millisecond {
		t.Errorf("%+v, %+v", e, events)
	}
}

// TestRetryEnds ends a call while it waits to be sent again.
func TestRetryEnds(t *testing.T) {
	s := begin(t, roads[0], emulator.Options{Respond: emulator.Script(emulator.Step{Times: -1, Answer: emulator.Answer{Status: 529, Error: "no"}})})
	s.client = model.New(model.Config{Emulator: s.server.URL, Limits: model.Limits{Backoff: time.Hour, Wait: time.Hour}})
	s.say("Hello.")
	ctx, cancel := context.WithCancel(context.Background())
	a, err := s.client.Stream(ctx, s.call(), func(e model.Event) {
		if e.Kind == model.Retrying {
			cancel()
		}
	})
	if e := fault(t, err); e.Kind != model.Aborted || a.StopReason != model.Cancelled {
		t.Errorf("%+v, %s", e, a.StopReason)
	}
}

// TestTimeLimits meets a provider that does not begin, and one that stops in the
// middle.
func TestTimeLimits(t *testing.T) {
	for name, c := range map[string]struct {
		limits model.Limits
		answer emulator.Answer
		began  bool
	}{
		"first byte": {model.Limits{FirstByte: 20 * time.Millisecond}, emulator.Answer{Delay: time.Minute, Content: []emulator.Part{{Text: "a"}}}, false},
		"idle":       {model.Limits{Idle: 150 * time.Millisecond}, emulator.Answer{Content: []emulator.Part{{Text: "a"}}}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			respond := emulator.Script(emulator.Step{Answer: c.answer})
			s := begin(t, roads[0], emulator.Options{Respond: respond})
			handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				_, _ = w.Write([]byte(`data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"so far"}}` + "\n\n"))
				_ = http.NewResponseController(w).Flush()
				<-r.Context().Done()
			})
			config := model.Config{Emulator: s.server.URL, Limits: c.limits}
			if c.began {
				config.Emulator = serve(t, handler)
			}
			s.client = model.New(config)
			s.say("Hello.")
			a, _, err := s.ask()
			if e := fault(t, err); e.Kind != model.Timeout || e.Began != c.began {
				t.Errorf("%+v", e)
			}
			if c.began && a.Text != "so far" || a.StopReason != model.Failed {
				t.Errorf("%s", a.Message)
			}
		})
	}
}

// broken is a transport whose answers break off.
type broken struct{ kind, body string }

func (b broken) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {b.kind}}, Request: r,
		Body: io.NopCloser(io.MultiReader(strings.NewReader(b.body), iotest.ErrReader(errors.New("reset")))),
	}, nil
}

// TestBrokenConnection loses the connection in the middle of an event and between
// two: that is no fault of the provider's.
func TestBrokenConnection(t *testing.T) {
	frames := amazon("contentBlockDelta", `{"contentBlockIndex":0,"delta":{"text":"Hi"}}`)
	for _, c := range []struct {
		target     policy.Target
		kind, body string
	}{
		{onAnthropic, sse, block("text", "Hi")},
		{onAnthropic, sse, block("text", "Hi") + `data: {"type":`},
		{onOllama, lines, `{"message":{"content":"Hi"}}` + "\n"},
		{onOllama, lines, `{"message":{"content":"Hi"}}` + "\n{"},
		{onBedrock, "application/vnd.amazon.eventstream", frames},
		{onBedrock, "application/vnd.amazon.eventstream", frames + frames[:3]},
		{onBedrock, "application/vnd.amazon.eventstream", frames + frames[:len(frames)-3]},
	} {
		client := model.New(model.Config{Emulator: "http://provider.test", Transport: broken{c.kind, c.body}, Retries: -1})
		a, err := client.Stream(context.Background(), model.Call{Target: c.target, Body: []byte("{}")}, nil)
		if e := fault(t, err); e.Kind != model.Network || !e.Began || a.Text != "Hi" {
			t.Errorf("%s: %v, %s", c.body, err, a.Message)
		}
	}
}

// TestSlowBeginning waits longer for the first byte than for any other.
func TestSlowBeginning(t *testing.T) {
	client := model.New(model.Config{Emulator: serve(t, stream(sse, toolCall(`{}`)+finish("stop")+"data: [DONE]\n\n")), Limits: model.Limits{Idle: 1}})
	if a, err := client.Stream(context.Background(), model.Call{Target: onChat, Body: []byte("{}")}, nil); err != nil {
		t.Errorf("%v, %s", err, a.Message)
	}
}

// slow is a transport whose answers pause behind the first piece.
type slow struct{ pieces []string }

func (s slow) RoundTrip(r *http.Request) (*http.Response, error) {
	in, out := io.Pipe()
	go func() {
		_, _ = io.WriteString(out, s.pieces[0])
		select {
		case <-r.Context().Done():
			out.CloseWithError(r.Context().Err())
		case <-time.After(600 * time.Millisecond):
			_, _ = io.WriteString(out, s.pieces[1])
			out.Close()
		}
	}()
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {sse}}, Request: r, Body: in}, nil
}

// TestSlowAnswer takes longer for its end than it may for its first byte.
func TestSlowAnswer(t *testing.T) {
	t.Parallel()
	client := model.New(model.Config{
		Emulator: "http://provider.test", Transport: slow{[]string{`data: {"choices":[{"delta":{"content":"Hi"}}]}` + "\n\n", finish("stop")}},
		Retries: -1, Limits: model.Limits{FirstByte: 500 * time.Millisecond},
	})
	a, err := client.Stream(context.Background(), model.Call{Target: onChat, Body: []byte("{}")}, nil)
	if err != nil || a.Text != "Hi" {
		t.Errorf("%v, %s", err, a.Message)
	}
}

// TestSlowCaller takes its time with what it is told: that is not the provider's.
func TestSlowCaller(t *testing.T) {
	t.Parallel()
	piece := `data: {"choices":[{"delta":{"content":"` + strings.Repeat("word ", 200) + `"}}]}` + "\n\n"
	body := strings.Repeat(piece, 200) + finish("stop") // more than is read at once
	client := model.New(model.Config{Emulator: serve(t, stream(sse, body)), Limits: model.Limits{Idle: 500 * time.Millisecond}})
	told := 0
	a, err := client.Stream(context.Background(), model.Call{Target: onChat, Body: []byte("{}")}, func(model.Event) {
		if told++; told == 100 {
			time.Sleep(600 * time.Millisecond)
		}
	})
	if err != nil || a.StopReason != model.Stop {
		t.Errorf("%v, %.300s", err, a.Message)
	}
}

// TestMalformedUsage meets numbers that are none.
func TestMalformedUsage(t *testing.T) {
	s := begin(t, roads[0], emulator.Options{})
	body := `{"type":"message_start","message":{"id":1,"usage":{"input_tokens":-3,"output_tokens":1e300,"cache_read_input_tokens":"9"}}}`
	s.client = model.New(model.Config{Emulator: serve(t, stream("text/event-stream", "data: "+body+"\n\n"+
		`data: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}`+"\n\ndata: "+`{"type":"message_stop"}`+"\n\n"))})
	s.say("Hello.")
	a, _ := s.must()
	if a.Usage != (model.Usage{}) || !jsonline.Valid(a.Message) {
		t.Errorf("%+v %s", a.Usage, a.Message)
	}
}
