package hygeia_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"hygeia"
	"hygeia/emulator"
)

var wireName = regexp.MustCompile(`my[._]tool_x_[0-9a-f]{8}`)

// W-176: from turn to turn of a conversation, also one that is long enough to be
// remembered, the caller reads the name by which it knows its tool, and sends it back.
func TestTransportToolNames(t *testing.T) {
	s := emulator.NewServer(emulator.Options{Respond: func(r *emulator.Request) *emulator.Answer {
		return &emulator.Answer{Content: []emulator.Part{{Call: wireName.FindString(string(r.Body)), Arguments: []byte(`{"a":"my.tool/x"}`)}}}
	}})
	defer s.Close()
	tr := &hygeia.Transport{}
	call := regexp.MustCompile(`\{"type":"tool_use","id":"([^"]+)","name":"my\.tool/x","input":\{"a":"my\.tool/x"\}\}`)
	turns := fmt.Sprintf(`{"role":"user","content":"q %s"}`, strings.Repeat("words ", 2000))
	for turn := range 5 {
		got := post(t, tr, s.URL+"/v1/messages", `{"model":"claude-opus-4-6","max_tokens":100,"tools":[{"name":"my.tool/x","input_schema":{"type":"object"}}],"tool_choice":{"type":"tool","name":"my.tool/x"},"messages":[`+turns+`]}`)
		went := string(last(t, s).Body)
		if wire := wireName.FindAllString(went, -1); got.status != http.StatusOK || len(wire) != 2+turn || strings.Contains(went, `"name":"my.tool/x"`) {
			t.Fatalf("turn %d: %d, %q went out", turn, got.status, wire)
		}
		said := call.FindStringSubmatch(got.text)
		if said == nil {
			t.Fatalf("turn %d: the answer is %s", turn, got.text)
		}
		turns += fmt.Sprintf(`,{"role":"assistant","content":[%s]},{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"content":"ok"}]}`, said[0], said[1])
	}
}

// answering is a server that gives answers of a type, one after the other, and keeps
// what it was asked.
type answering struct {
	*httptest.Server
	headers []http.Header
	bodies  []string
}

func newAnswering(t *testing.T, kind string, answer func(n int, w http.ResponseWriter)) *answering {
	a := &answering{}
	a.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		a.headers, a.bodies = append(a.headers, r.Header), append(a.bodies, string(body))
		w.Header().Set("Content-Type", kind)
		answer(len(a.bodies), w)
	}))
	t.Cleanup(a.Close)
	return a
}

const (
	namedChat   = `{"model":"m","messages":[{"role":"user","content":"q"}],"tools":[{"type":"function","function":{"name":%q,"parameters":{"type":"object","properties":{}}}}]}`
	namedAnswer = `{"choices":[{"message":{"tool_calls":[{"id":"c","type":"function","function":{"name":%q,"arguments":"{}"}}]}}]}`
	changedTo   = "my_tool_x_45a6d0de"
)

// W-176: names are mapped back only where they went out as others: not in a dry run,
// and not for a caller whose tool has that name. Then nothing of request and answer is
// another one.
func TestTransportToolNamesUntouched(t *testing.T) {
	for _, c := range []struct {
		name, tool, reads, accepts string
		dry                        bool
	}{
		{"another name", "my.tool/x", "my.tool/x", "identity", false},
		{"a dry run", "my.tool/x", changedTo, "br", true},
		{"the name of the wire", changedTo, changedTo, "br", false},
	} {
		s := newAnswering(t, "application/json", func(_ int, w http.ResponseWriter) { fmt.Fprintf(w, namedAnswer, changedTo) })
		got := post(t, &hygeia.Transport{To: hygeia.Target{Provider: "openai"}, DryRun: c.dry}, s.URL+"/v1/chat/completions", fmt.Sprintf(namedChat, c.tool), "Accept-Encoding", "br")
		if want := fmt.Sprintf(namedAnswer, c.reads); got.text != want || s.headers[0].Get("Accept-Encoding") != c.accepts {
			t.Errorf("%s: %q is accepted, the answer is %s", c.name, s.headers[0].Get("Accept-Encoding"), got.text)
		}
		if length := got.header.Get("Content-Length"); c.reads == changedTo && length != fmt.Sprint(len(got.text)) {
			t.Errorf("%s: a length of %q", c.name, length)
		}
	}
}

// W-176: so it is where the engine runs only for the second request (W-901), since the
// first had nothing that the rulebook knows.
func TestTransportToolNamesResend(t *testing.T) {
	s := newAnswering(t, "application/x-ndjson", func(n int, w http.ResponseWriter) {
		if n == 1 {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"error":"Conversation roles must alternate user/assistant/user/assistant/..."}`)
			return
		}
		_, _ = io.WriteString(w, `{"message":{"tool_calls":[{"function":{"name":"`+changedTo+`","arguments":{}}}]}}`+"\n")
	})
	body := strings.Replace(fmt.Sprintf(namedChat, "my.tool/x"), `"q"}`, `"q"},{"role":"user","content":"r"}`, 1)
	got := post(t, &hygeia.Transport{}, s.URL+"/api/chat", body)
	if len(s.bodies) != 2 || s.bodies[0] != body || !strings.Contains(s.bodies[1], changedTo) || s.headers[1].Get("Accept-Encoding") != "identity" {
		t.Errorf("%q went out", s.bodies)
	}
	if want := `{"message":{"tool_calls":[{"function":{"name":"my.tool/x","arguments":{}}}]}}` + "\n"; got.text != want {
		t.Errorf("the answer is %s", got.text)
	}
}

// W-176: events of more than 64 KiB are mapped too, an answer that comes packed all the
// same is an error, and one that says what was wrong is nobody's names.
func TestTransportToolNamesAnswers(t *testing.T) {
	event := `data: {"choices":[{"delta":{"content":"` + strings.Repeat("words ", 30_000) + `","tool_calls":[{"function":{"name":%q}}]}}]}` + "\n\n"
	s := newAnswering(t, "text/event-stream", func(n int, w http.ResponseWriter) {
		switch n {
		case 2:
			w.Header().Set("Content-Encoding", "gzip")
		case 3:
			w.WriteHeader(http.StatusInternalServerError)
		}
		fmt.Fprintf(w, event, changedTo)
	})
	tr := &hygeia.Transport{To: hygeia.Target{Provider: "openai"}}
	ask := func() trip {
		return post(t, tr, s.URL+"/v1/chat/completions", fmt.Sprintf(namedChat, "my.tool/x"))
	}
	if got := ask(); got.text != fmt.Sprintf(event, "my.tool/x") {
		t.Errorf("%d bytes are another event", len(got.text))
	}
	r, err := http.NewRequest(http.MethodPost, s.URL+"/v1/chat/completions", strings.NewReader(fmt.Sprintf(namedChat, "my.tool/x")))
	if err != nil {
		t.Fatal(err)
	}
	if answer, err := tr.RoundTrip(r); err == nil || !strings.Contains(err.Error(), "packed") {
		t.Errorf("a packed answer: %v %v", answer, err)
	}
	if got := ask(); got.status != http.StatusInternalServerError || got.text != fmt.Sprintf(event, changedTo) {
		t.Errorf("%d, %d bytes", got.status, len(got.text))
	}
}

// W-176: the caller has an event of a stream before the next one comes.
func TestTransportToolNamesFlow(t *testing.T) {
	read := make(chan bool, 1)
	first := fmt.Sprintf(`data: {"choices":[{"delta":{"tool_calls":[{"function":{"name":%q}}]}}]}`+"\n\n", changedTo)
	s := newAnswering(t, "text/event-stream", func(_ int, w http.ResponseWriter) {
		_, _ = io.WriteString(w, first)
		w.(http.Flusher).Flush()
		if <-read {
			_, _ = io.WriteString(w, "data: [DONE]\n\n")
		}
	})
	r, err := http.NewRequest(http.MethodPost, s.URL+"/v1/chat/completions", strings.NewReader(fmt.Sprintf(namedChat, "my.tool/x")))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := (&hygeia.Transport{To: hygeia.Target{Provider: "openai"}}).RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	want := strings.Replace(first, changedTo, "my.tool/x", 1)
	event := make([]byte, len(want))
	_, err = io.ReadFull(answer.Body, event)
	read <- err == nil
	rest, end := io.ReadAll(answer.Body)
	if err != nil || end != nil || string(event) != want || string(rest) != "data: [DONE]\n\n" {
		t.Errorf("%v %v: %q and %q", err, end, event, rest)
	}
}
