package hygeia_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/klauspost/compress/zstd"

	"hygeia"
	"hygeia/emulator"
)

// trip is what came of one request.
type trip struct {
	status int
	header http.Header
	text   string
}

func post(t *testing.T, tr http.RoundTripper, url, body string, header ...string) trip {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	answer, err := (&http.Client{Transport: tr}).Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return trip{answer.StatusCode, answer.Header, string(text)}
}

// last returns the newest request that an emulator has seen.
func last(t *testing.T, s *emulator.Server) emulator.Request {
	t.Helper()
	all := s.Requests()
	if len(all) == 0 {
		t.Fatal("nothing was asked")
	}
	return all[len(all)-1]
}

// conversations are bodies with a fault for each path, and one without.
var conversations = []struct{ name, path, good, bad, rule string }{
	{
		"anthropic", "/v1/messages",
		`{"model":"claude-opus-4-6", "max_tokens":100,"messages":[{"role":"user","content":"q"}]}`,
		`{"model":"claude-opus-4-6","max_tokens":100,"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},{"role":"user","content":"go on"}]}`, "R-72",
	},
	{
		"count", "/v1/messages/count_tokens",
		`{"model":"claude-opus-4-6", "messages":[{"role":"user","content":"q"}]}`,
		`{"model":"claude-opus-4-6","messages":[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},{"role":"user","content":"go on"}]}`, "R-72",
	},
	{
		"chat", "/v1/chat/completions",
		`{"model":"gpt-4o", "messages":[{"role":"user","content":"q"}]}`,
		`{"model":"gpt-4o","messages":[{"role":"user","content":"q"},{"role":"tool","tool_call_id":"call_9","content":"lost"}]}`, "R-73",
	},
	{
		"responses", "/v1/responses",
		`{"model":"gpt-5.1", "input":[{"role":"user","content":"q"}]}`,
		`{"model":"gpt-5.1","input":[{"role":"user","content":"q"},{"type":"function_call","call_id":"call_1","name":"f","arguments":"{}"},{"role":"user","content":"go on"}]}`, "R-72",
	},
	{
		"input tokens", "/v1/responses/input_tokens",
		`{"model":"gpt-5.1", "input":[{"role":"user","content":"q"}]}`,
		`{"model":"gpt-5.1","input":[{"role":"user","content":"q"},{"type":"function_call","call_id":"call_1","name":"f","arguments":"{}"},{"role":"user","content":"go on"}]}`, "R-72",
	},
	{
		"gemini", "/v1beta/models/gemini-2.5-pro:generateContent",
		`{"contents":[ {"role":"user","parts":[{"text":"q"}]}]}`,
		`{"contents":[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]},{"role":"user","parts":[{"text":"go on"}]}]}`, "R-72",
	},
	{
		"gemini count", "/v1beta/models/gemini-2.5-pro:countTokens",
		`{"contents":[ {"role":"user","parts":[{"text":"q"}]}]}`,
		`{"contents":[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]},{"role":"user","parts":[{"text":"go on"}]}]}`, "R-72",
	},
	{
		"gemini count, wrapped", "/v1beta/models/gemini-2.5-pro:countTokens",
		`{"generateContentRequest": {"model":"models/gemini-2.5-pro","contents":[ {"role":"user","parts":[{"text":"q"}]}]}}`,
		`{"generateContentRequest": {"model":"models/gemini-2.5-pro","contents":[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]},{"role":"user","parts":[{"text":"go on"}]}]}}`, "R-72",
	},
	{
		"bedrock count", "/model/anthropic.claude-sonnet-4-5-20250929-v1%3A0/count-tokens",
		`{"input": {"converse":{"messages":[ {"role":"user","content":[{"text":"q"}]}]}}}`,
		`{"input": {"converse":{"messages":[{"role":"user","content":[{"text":"q"},{"text":" "}]}]}}}`, "R-30",
	},
	{
		"bedrock", "/model/anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse",
		`{"messages":[ {"role":"user","content":[{"text":"q"}]}]}`,
		`{"messages":[{"role":"user","content":[{"text":"q"},{"text":" "}]}]}`, "R-30",
	},
}

// TestTransport sends each conversation to the strict emulator, directly and
// through the Transport: a fault is refused here and accepted there, and a body
// without a fault arrives as it was sent (D-39, Q-10).
func TestTransport(t *testing.T) {
	s := emulator.NewServer(emulator.Options{})
	defer s.Close()
	tr := &hygeia.Transport{}
	for _, c := range conversations {
		t.Run(c.name, func(t *testing.T) {
			if direct := post(t, http.DefaultTransport, s.URL+c.path, c.bad); direct.status/100 != 4 {
				t.Errorf("direct: %d %s", direct.status, direct.text)
			}
			through := post(t, tr, s.URL+c.path, c.bad)
			if through.status != http.StatusOK || !strings.Contains(through.header.Get("Hygeia-Changes"), c.rule+"=1") {
				t.Errorf("through: %d %v %s", through.status, through.header, through.text)
			}
			clean := post(t, tr, s.URL+c.path, c.good)
			if got := last(t, s).Body; clean.status != http.StatusOK || string(got) != c.good || clean.header.Get("Hygeia-Changes") != "" {
				t.Errorf("clean: %d, the body arrives as %s: %s", clean.status, got, clean.text)
			}
			if clean.header.Get("Hygeia-Overhead") == "" {
				t.Error("the answer does not say what it cost")
			}
		})
	}
}

// TestTransportCoding reads bodies that are packed: a clean one goes on as it is,
// packing and all, another one goes on unpacked.
func TestTransportCoding(t *testing.T) {
	var got []byte
	var header http.Header
	up := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		got, _ = io.ReadAll(r.Body)
		header = r.Header
	}))
	defer up.Close()
	pack := map[string]func(io.Writer) io.WriteCloser{
		"gzip": func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) },
		"zstd": func(w io.Writer) io.WriteCloser { z, _ := zstd.NewWriter(w); return z },
	}
	for name, open := range pack {
		for _, c := range conversations[:4] {
			for _, body := range []string{c.good, c.bad} {
				var b bytes.Buffer
				w := open(&b)
				_, _ = io.WriteString(w, body)
				_ = w.Close()
				packed := b.String()
				answer := post(t, &hygeia.Transport{}, up.URL+c.path, packed, "Content-Encoding", name)
				if body == c.good && (string(got) != packed || header.Get("Content-Encoding") != name) {
					t.Errorf("%s %s: a clean body was touched", c.name, name)
				}
				if body == c.bad && (header.Get("Content-Encoding") != "" || !bytes.HasPrefix(got, []byte("{")) || answer.header.Get("Hygeia-Changes") == "") {
					t.Errorf("%s %s: %v %s", c.name, name, header, got)
				}
			}
		}
	}
	answer := post(t, &hygeia.Transport{}, up.URL+"/v1/messages", "x", "Content-Encoding", "br")
	if answer.header.Get("Hygeia-Unchanged") != hygeia.WhyEncoding || string(got) != "x" {
		t.Errorf("an unknown packing: %v %q", answer.header, got)
	}
}

// TestTransportUnchanged names why a body with faults goes out as it is.
func TestTransportUnchanged(t *testing.T) {
	s := emulator.NewServer(emulator.Options{})
	defer s.Close()
	c := conversations[0]
	bedrock := conversations[len(conversations)-1]
	for _, test := range []struct {
		tr              *hygeia.Transport
		path, body, why string
		header          []string
	}{
		{&hygeia.Transport{DryRun: true}, c.path, c.bad, hygeia.WhyDryRun, nil},
		{&hygeia.Transport{}, bedrock.path, bedrock.bad, hygeia.WhySignature, []string{"Authorization", "AWS4-HMAC-SHA256 Credential=x"}},
		{&hygeia.Transport{}, c.path, `{"model":`, hygeia.WhyUnreadable, nil},
		{&hygeia.Transport{}, "/v1/chat/completions", `{"model":"gpt-4o","messages":[]}`, hygeia.WhyNothing, nil},
	} {
		answer := post(t, test.tr, s.URL+test.path, test.body, test.header...)
		if answer.header.Get("Hygeia-Unchanged") != test.why || string(last(t, s).Body) != test.body {
			t.Errorf("%s: %v, %s", test.why, answer.header, last(t, s).Body)
		}
		faults := test.body == c.bad || test.body == bedrock.bad
		if has := answer.header.Get("Hygeia-Changes") != ""; has != faults {
			t.Errorf("%s: %v", test.why, answer.header)
		}
	}
}

// signedBodies have thinking and reasoning that the emulator did not issue, which
// only it can know.
var signedBodies = []struct{ path, body, rule string }{
	{"/v1/messages", `{"model":"claude-opus-4-6","max_tokens":100,"thinking":{"type":"adaptive"},"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"RXFzaWduYXR1cmU="},{"type":"text","text":"a"}]},{"role":"user","content":"go on"}]}`, "AN-"},
	{"/v1/responses", `{"model":"gpt-5.1","store":false,"include":["reasoning.encrypted_content"],"input":[{"role":"user","content":"q"},{"type":"reasoning","summary":[],"encrypted_content":"gAAA"},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"a","annotations":[]}]},{"role":"user","content":"go on"}]}`, "OR-09"},
	{"/model/anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse", `{"messages":[{"role":"user","content":[{"text":"q"}]},{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"t","signature":"RXFzaWduYXR1cmU="}}},{"text":"a"}]},{"role":"user","content":[{"text":"go on"}]}],"additionalModelRequestFields":{"thinking":{"type":"enabled","budget_tokens":1024}},"inferenceConfig":{"maxTokens":4000}}`, "AN-"},
}

// TestTransportResend is W-901 and W-902: what the provider refuses to read is
// left out in one more request.
func TestTransportResend(t *testing.T) {
	s := emulator.NewServer(emulator.Options{})
	defer s.Close()
	for _, c := range signedBodies {
		before := len(s.Requests())
		if direct := post(t, http.DefaultTransport, s.URL+c.path, c.body); direct.status != http.StatusBadRequest {
			t.Fatalf("direct: %d %s", direct.status, direct.text)
		}
		answer := post(t, &hygeia.Transport{}, s.URL+c.path, c.body)
		if answer.status != http.StatusOK || !strings.HasPrefix(answer.header.Get("Hygeia-Changes"), c.rule) {
			t.Errorf("%s: %d %v %s\n%s", c.path, answer.status, answer.header, answer.text, last(t, s).Body)
		}
		if n := len(s.Requests()) - before; n != 3 {
			t.Errorf("%s: %d requests, not the direct one and two", c.path, n)
		}
		dry := post(t, &hygeia.Transport{DryRun: true}, s.URL+c.path, c.body)
		if n := len(s.Requests()) - before; dry.status != http.StatusBadRequest || n != 4 {
			t.Errorf("%s: a dry run sends %d requests and gets %d", c.path, n, dry.status)
		}
	}
}

// TestTransportResendsOnce is W-903: the second failure is the caller's, and an
// answer that names no rule is not tried again (W-904).
func TestTransportResendsOnce(t *testing.T) {
	var asked atomic.Int32
	answer := "messages.1.content.0: Invalid `signature` in `thinking` block"
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Hygeia-Changes", "of the provider")
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprintf(w, `{"type":"error","error":{"type":"invalid_request_error","message":%q},"n":%d}`, answer, asked.Add(1))
	}))
	defer up.Close()
	got := post(t, &hygeia.Transport{}, up.URL+"/v1/messages", signedBodies[0].body)
	if asked.Load() != 2 || got.status != http.StatusBadRequest || !strings.HasSuffix(got.text, `"n":2}`) {
		t.Errorf("asked %d times: %s", asked.Load(), got.text)
	}
	for _, answer = range []string{"the moon is full", "messages: at least one message is required", strings.Repeat("x", 200_000)} {
		asked.Store(0)
		got = post(t, &hygeia.Transport{}, up.URL+"/v1/messages", signedBodies[0].body)
		if asked.Load() != 1 || !strings.HasSuffix(got.text, `"n":1}`) || !strings.Contains(got.text, answer) || got.header.Get("Hygeia-Changes") != "" {
			t.Errorf("%.30q: asked %d times: %.80s %v", answer, asked.Load(), got.text, got.header)
		}
	}
}

// TestTransportBounds does not send what is beyond the bounds.
func TestTransportBounds(t *testing.T) {
	up := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("sent") }))
	defer up.Close()
	var bomb bytes.Buffer
	w := gzip.NewWriter(&bomb)
	_, _ = w.Write(make([]byte, 1<<20))
	_ = w.Close()
	for name, test := range map[string]struct {
		body     io.Reader
		encoding string
		status   int
	}{
		"large":           {strings.NewReader(strings.Repeat(" ", 2000)), "", 413},
		"of unknown size": {io.MultiReader(strings.NewReader(strings.Repeat(" ", 2000))), "", 413},
		"bomb":            {&bomb, "gzip", 413},
		"torn":            {strings.NewReader("\x1f\x8b\x08torn"), "gzip", 400},
	} {
		r, _ := http.NewRequest(http.MethodPost, up.URL+"/v1/messages", test.body)
		r.Header.Set("Content-Encoding", test.encoding)
		_, err := (&hygeia.Transport{MaxBody: 1000}).RoundTrip(r)
		var refused *hygeia.RefusedError
		if !errors.As(err, &refused) || refused.Status != test.status {
			t.Errorf("%s: %v", name, err)
		}
	}
	r, _ := http.NewRequest(http.MethodPost, up.URL+"/v1/messages", strings.NewReader(`{"messages":`+strings.Repeat("[", 100_000)))
	var refused *hygeia.RefusedError
	if _, err := (&hygeia.Transport{}).RoundTrip(r); !errors.As(err, &refused) || refused.Status != 400 {
		t.Errorf("deep: %v", err)
	}
}

// TestTransportElse touches nothing on paths that take no transcript.
func TestTransportElse(t *testing.T) {
	var got string
	up := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		got = string(b)
	}))
	defer up.Close()
	for _, path := range []string{"/v1/responses/compact", "/v1/messages/batches", "/v1/files", "/v1/embeddings", "/v1/models"} {
		body := conversations[3].bad
		if answer := post(t, &hygeia.Transport{}, up.URL+path, body); got != body || answer.header.Get("Hygeia-Overhead") != "" {
			t.Errorf("%s: %s", path, got)
		}
	}
}

// TestTransportBorder sends what follows on turns that the service knows: results
// of calls that stand there are no orphans (W-335).
func TestTransportBorder(t *testing.T) {
	var got string
	up := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		got = string(b)
	}))
	defer up.Close()
	const result = `{"type":"function_call_output","call_id":"call_before","output":"done"}`
	for _, border := range []string{`"previous_response_id":"resp_1"`, `"conversation":"conv_1"`, `"conversation":{"id":"conv_1"}`} {
		body := `{"model":"gpt-5.1",` + border + `,"input":[` + result + `]}`
		if post(t, &hygeia.Transport{}, up.URL+"/v1/responses", body); got != body {
			t.Errorf("%s becomes %s", body, got)
		}
		bad := `{"model":"gpt-5.1",` + border + `,"input":[` + result + `,{"type":"function_call","call_id":"call_1","name":"f","arguments":"{}"},{"role":"user","content":"go on"}]}`
		answer := post(t, &hygeia.Transport{}, up.URL+"/v1/responses", bad)
		if !strings.Contains(got, result) || !strings.Contains(got, border) || strings.Contains(answer.header.Get("Hygeia-Changes"), "R-73") {
			t.Errorf("%s becomes %s: %v", bad, got, answer.header)
		}
	}
}
