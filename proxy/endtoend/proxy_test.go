// Package endtoend_test proves the proxy against the strict emulators: what a
// provider refuses when it is asked directly it takes through the proxy, and what
// it takes arrives as it was sent.
package endtoend_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"hygeia"
	"hygeia/emulator"
	"hygeia/proxy"
)

// road is a provider with the path to it.
type road struct{ provider, api, model, path string }

// roads are one of each format and each kind of policy.
var roads = []road{
	{"anthropic", "anthropic-messages", "claude-opus-4-6", "/v1/messages"},
	{"anthropic", "anthropic-messages", "claude-sonnet-4-5", "/v1/messages"},
	{"minimax", "anthropic-messages", "MiniMax-M2.7", "/anthropic/v1/messages"},
	{"anthropic-vertex", "anthropic-messages", "claude-sonnet-4-5", "/v1/projects/p/locations/l/publishers/anthropic/models/claude-sonnet-4-5:rawPredict"},
	{"openai", "openai-completions", "gpt-4o", "/v1/chat/completions"},
	{"vllm", "openai-completions", "qwen3", "/v1/chat/completions"},
	{"deepseek", "openai-completions", "deepseek-reasoner", "/v1/chat/completions"},
	{"openrouter", "openai-completions", "anthropic/claude-sonnet-4.5", "/api/v1/chat/completions"},
	{"openai", "openai-responses", "gpt-5.1", "/v1/responses"},
	{"azure-openai", "azure-openai-responses", "gpt-5.1", "/openai/v1/responses"},
	{"openai", "openai-chatgpt-responses", "gpt-5.4", "/backend-api/codex/responses"},
	{"google", "google-generative-ai", "gemini-2.5-flash", "/v1beta/models/gemini-2.5-flash:generateContent"},
	{"google", "google-generative-ai", "gemini-3-pro-preview", "/v1beta/models/gemini-3-pro-preview:generateContent"},
	{"google-gemini-cli", "google-gemini-cli", "gemini-2.5-pro", "/v1internal:generateContent"},
	{"amazon-bedrock", "bedrock-converse-stream", "anthropic.claude-sonnet-4-5-20250929-v1:0", "/model/anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse"},
	{"mistral", "mistral-conversations", "mistral-large-latest", "/v1/chat/completions"},
	{"ollama", "ollama", "qwen3", "/api/chat"},
}

// house is a strict emulator with a proxy in front of it.
type house struct {
	emulator *emulator.Server
	url      string // of the proxy
	client   http.Client
	stop     context.CancelFunc
	ended    chan error

	sent    atomic.Int64
	arrived sync.Map // number of what was sent → its body as it arrived last
}

// numbered is the header that says which of the bodies that were sent a request has,
// since many are under way at the same time.
const numbered = "X-Numbered"

func newHouse(t testing.TB, o emulator.Options) *house {
	t.Helper()
	h := &house{ended: make(chan error, 1)}
	o.Observe = func(r emulator.Request) {
		if n := r.Header.Get(numbered); n != "" {
			h.arrived.Store(n, r.Body)
		}
	}
	h.emulator = emulator.NewServer(o)
	c := proxy.Config{}
	seen := map[string]bool{}
	add := func(provider string) {
		if !seen[provider] {
			seen[provider] = true
			c.Routes = append(c.Routes, proxy.Route{Prefix: "/" + provider, Upstream: h.emulator.BaseURL(provider), To: hygeia.Target{Provider: provider}})
		}
	}
	for _, r := range roads {
		add(r.provider)
	}
	add("google-vertex")
	add("lmstudio")
	add("github-copilot")
	p, err := proxy.New(c)
	if err != nil {
		t.Fatal(err)
	}
	l, err := p.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h.url = "http://" + l.Addr().String()
	var ctx context.Context
	ctx, h.stop = context.WithCancel(context.Background())
	go func() { h.ended <- p.Serve(ctx, l) }()
	t.Cleanup(func() {
		h.client.CloseIdleConnections()
		h.stop()
		if err := <-h.ended; err != nil {
			t.Error(err)
		}
		h.emulator.Close()
	})
	return h
}

// reply is an answer that was read.
type reply struct {
	status int
	header http.Header
	text   string
}

func (h *house) post(url string, body []byte) (reply, error) { return h.postAs("", url, body) }

// postAs sends a body with a number.
func (h *house) postAs(number, url string, body []byte) (reply, error) {
	q, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return reply{}, err
	}
	q.Header.Set("Content-Type", "application/json")
	if number != "" {
		q.Header.Set(numbered, number)
	}
	r, err := h.client.Do(q)
	if err != nil {
		return reply{}, err
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	return reply{r.StatusCode, r.Header, string(text)}, err
}

// both sends a body directly and through the proxy and returns both answers and
// the body that arrived through the proxy.
func (h *house) both(provider, path string, body []byte) (direct, through reply, arrived []byte, err error) {
	if direct, err = h.post(h.emulator.BaseURL(url.PathEscape(provider))+path, body); err != nil {
		return
	}
	number := strconv.FormatInt(h.sent.Add(1), 10)
	if through, err = h.postAs(number, h.url+"/"+provider+path, body); err != nil {
		return
	}
	if last, ok := h.arrived.LoadAndDelete(number); ok {
		arrived = last.([]byte)
	}
	return direct, through, arrived, nil
}

// judge says what is wrong with a pair of answers, "" if nothing is.
func judge(direct, through reply, body, arrived []byte) string {
	switch {
	case direct.status == http.StatusOK && !bytes.Equal(body, arrived):
		return fmt.Sprintf("a body that is taken was changed (%s) and arrives as %s", through.header.Get("Hygeia-Changes"), arrived)
	case direct.status == http.StatusOK && through.status != http.StatusOK:
		return fmt.Sprintf("%d through the proxy: %s", through.status, through.text)
	case direct.status == http.StatusOK, through.header.Get("Hygeia-Unchanged") == hygeia.WhyNothing:
		return ""
	case through.status != http.StatusOK:
		return fmt.Sprintf("refused directly (%s) and through the proxy: %d %s; %v; %s", direct.text, through.status, through.text, through.header, arrived)
	case through.header.Get("Hygeia-Changes") == "":
		return "nothing is said of what was changed"
	}
	return ""
}

// TestConversations sends whole conversations with one damaged turn of each
// format.
func TestConversations(t *testing.T) {
	h := newHouse(t, emulator.Options{})
	for _, r := range roads {
		if r.api != "openai-completions" {
			continue
		}
		body := []byte(fmt.Sprintf(`{"model":%q,"messages":[{"role":"user","content":"q"},{"role":"tool","tool_call_id":"call_9","content":"lost"}]}`, r.model))
		direct, through, arrived, err := h.both(r.provider, r.path, body)
		if err != nil {
			t.Fatal(err)
		}
		if direct.status == http.StatusOK || !strings.Contains(through.header.Get("Hygeia-Changes"), "R-73") {
			t.Errorf("%s: %d %v", r.provider, direct.status, through.header)
		}
		if fault := judge(direct, through, body, arrived); fault != "" {
			t.Errorf("%s: %s", r.provider, fault)
		}
	}
}
