package hygeia_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"hygeia"
	"hygeia/emulator"
	"hygeia/payload"
)

var gardener = &payload.Identity{System: "You are the gardener of Example Corp.", ToolNames: map[string]string{"bash": "Bash"}}

// identified is a body that was made before, with bash in all places.
func identified(stream bool) string {
	return fmt.Sprintf(`{"model":"claude-opus-4-6","max_tokens":100,"stream":%t,"system":"You water plants.","tools":[{"name":"bash","input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"bash","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"ok"}]}]}`, stream)
}

// W-231 through a Transport: identity, names and headers go out, and the client
// sees its own names in the answer, streamed or not. What came in with all of it
// goes on as it is (G-2).
func TestTransportIdentity(t *testing.T) {
	for _, stream := range []bool{true, false} {
		server := emulator.NewServer(emulator.Options{Respond: emulator.Script(emulator.Step{Times: -1, Answer: emulator.Answer{Content: []emulator.Part{
			{Text: `Call "Bash".`}, {Call: "Bash", Arguments: []byte(`{"name":"Bash"}`)},
		}}})})
		defer server.Close()
		var sent *http.Request
		client := &http.Client{Transport: &hygeia.Transport{
			Replay: hygeia.ReplayOptions{Payload: payload.Options{Identity: gardener}},
			Base:   roundTrip(func(r *http.Request) (*http.Response, error) { sent = r; return http.DefaultTransport.RoundTrip(r) }),
		}}
		body := identified(stream)
		for range 2 { // the second is what the first went out as
			r, err := http.NewRequest(http.MethodPost, server.URL+"/v1/messages", strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Anthropic-Beta", "one-beta,oauth-2025-04-20")
			r.Header.Set("Authorization", "Bearer sk-ant-oat01-1234")
			answer, err := client.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(answer.Body)
			if err != nil || answer.StatusCode != http.StatusOK {
				t.Fatalf("%v, %d %s", err, answer.StatusCode, text)
			}
			requests := server.Requests()
			went := string(requests[len(requests)-1].Body)
			if !strings.Contains(went, `"system":[{"type":"text","text":"You are the gardener of Example Corp."},{"type":"text","text":"You water plants."}]`) ||
				strings.Count(went, `"name":"Bash"`) != 2 || strings.Contains(went, `"bash"`) {
				t.Errorf("went out: %s", went)
			}
			if h := sent.Header; h.Get("Anthropic-Beta") != payload.AccessBetas+",one-beta" || h.Get("X-App") != "cli" {
				t.Errorf("headers: %v", h)
			}
			own := "bash"
			if body == went {
				own = "Bash" // the client's own tool is called so
			}
			if !bytes.Contains(text, []byte(`"name":"`+own+`"`)) || !bytes.Contains(text, []byte(`Call \"Bash\".`)) && !bytes.Contains(text, []byte(`\"Bash\"`)) {
				t.Errorf("stream %t: the answer is %s", stream, text)
			}
			if changes := answer.Header.Get("Hygeia-Changes"); body != went && changes != "W-231=3" || body == went && changes != "" {
				t.Errorf("changes %q", changes)
			}
			body = went
		}
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// W-231: everything in a stream but the names of calls goes through as it came, to
// the byte, whatever the pieces in which it comes.
func TestTransportIdentityStream(t *testing.T) {
	const start = `{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"toolu_2","name":%q,"input":{}}}`
	events := "event: ping\ndata: {\"type\": \"ping\"}\n\n" +
		"data:" + fmt.Sprintf(start, "Bash") + "\r\n\r\ndata: " + strings.Repeat("x", 100_000) + " \"tool_use\"\n" +
		"data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"\\\"tool_use\\\"\"}}\n\ndata: \"tool_use\" no object"
	want := strings.Replace(events, fmt.Sprintf(start, "Bash"), fmt.Sprintf(start, "bash"), 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		for piece := range strings.SplitSeq(events, "i") {
			if _, err := io.WriteString(w, piece); err != nil {
				t.Error(err)
			}
			w.(http.Flusher).Flush()
			if !strings.HasSuffix(events, piece) {
				_, _ = io.WriteString(w, "i")
			}
		}
	}))
	defer server.Close()
	client := &http.Client{Transport: &hygeia.Transport{
		To: hygeia.Target{Provider: "anthropic"}, Replay: hygeia.ReplayOptions{Payload: payload.Options{Identity: gardener}},
	}}
	answer, err := client.Post(server.URL+"/v1/messages", "application/json", strings.NewReader(identified(true)))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if got, err := io.ReadAll(answer.Body); err != nil || string(got) != want {
		t.Errorf("%v, the answer is\n%q, want\n%q", err, got, want)
	}
}
