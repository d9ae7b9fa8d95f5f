package conformance_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"hygeia"
	"hygeia/emulator"
	"hygeia/internal/gen"
	"hygeia/internal/jsonline"
	"hygeia/policy"
	"hygeia/proxy"
)

// sharedCases lies beside the project while it is being developed.
const sharedCases = "../../shared/cases/cases.jsonl"

// road sends what a client asks of its service below another URL.
type road struct {
	base      string
	unchanged string // why the proxy changed nothing of a request with faults
}

func (r *road) RoundTrip(req *http.Request) (*http.Response, error) {
	to, err := url.Parse(r.base + req.URL.RequestURI())
	if err != nil {
		return nil, err
	}
	req = req.Clone(req.Context())
	req.URL, req.Host = to, ""
	req.Header.Set("Hygeia-Token", proxyToken)
	answer, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	r.unchanged = answer.Header.Get("Hygeia-Unchanged")
	text, err := io.ReadAll(answer.Body) // what is sent here reads no stream to its end
	answer.Body = io.NopCloser(bytes.NewReader(text))
	return answer, err
}

// crossing is a strict emulator with a proxy in front of it.
type crossing struct {
	emulator *emulator.Server
	proxy    string
	arrived  atomic.Pointer[[]byte] // the body that arrived last
}

func newCrossing(t *testing.T, providers ...string) *crossing {
	t.Helper()
	c := &crossing{}
	c.emulator = emulator.NewServer(emulator.Options{
		Known: func(string) bool { return true }, Observe: func(r emulator.Request) { c.arrived.Store(&r.Body) },
	})
	t.Cleanup(c.emulator.Close)
	config := proxy.Config{Token: proxyToken}
	for _, provider := range providers {
		r := proxy.Route{Prefix: "/" + provider, Upstream: c.emulator.BaseURL(provider), To: hygeia.Target{Provider: provider}}
		if provider == "amazon-bedrock" {
			r.AWS = proxy.AWS{AccessKey: "own", SecretKey: "own", Region: "us-east-1"}
		}
		config.Routes = append(config.Routes, r)
	}
	c.proxy = startProxy(t, config)
	return c
}

// send has the client of the SDK send what it made of a body, directly and through
// the proxy. It returns why the emulator refused it directly, nil if it did not.
func (c *crossing) send(t reporter, b body, request any) (refused error) {
	t.Helper()
	provider := b.target.Provider
	ask := func(r *road) (arrived []byte, err error) {
		c.arrived.Store(nil)
		err = sdks[b.target.API].send(request, b, &http.Client{Transport: r})
		if body := c.arrived.Load(); body != nil {
			arrived = *body
		}
		return arrived, err
	}
	sent, refused := ask(&road{base: c.emulator.BaseURL(provider)})
	through := &road{base: c.proxy + "/" + provider}
	arrived, err := ask(through)
	switch {
	case through.unchanged == hygeia.WhyNothing: // no turn would be left
	case sent == nil || arrived == nil:
		t.Errorf("%s to %+v: nothing arrives: %v, %v", b.name, b.target, refused, err)
	case err != nil:
		t.Errorf("%s to %+v: refused through the proxy: %v\n%s", b.name, b.target, err, arrived)
	case refused == nil && !bytes.Equal(sent, arrived):
		t.Errorf("%s to %+v: changed although it is taken:\n%s\n%s", b.name, b.target, sent, arrived)
	}
	return refused
}

// TestProxyCases has the official clients send each request of the collection, as far
// as their types hold it: what is refused directly is taken through the proxy, and
// what is taken arrives as it was sent.
func TestProxyCases(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(sharedCases)
	if err != nil {
		t.Skip(err)
	}
	c := newCrossing(t, "anthropic", "openai", "deepseek", "mistral", "vllm", "google", "amazon-bedrock", "github-copilot")
	sent, refused := 0, 0
	for line := range bytes.Lines(text) {
		var one struct {
			ID, Format string
			Target     struct{ Provider, ModelAPI, ModelID string }
			Input      json.RawMessage
		}
		if err := json.Unmarshal(line, &one); err != nil {
			t.Fatal(err)
		}
		api, ok := strings.CutPrefix(one.Format, "request:")
		if !ok {
			continue
		}
		b := body{one.ID, policy.Target{Provider: one.Target.Provider, API: policy.FoldAPI(api), Model: one.Target.ModelID}, one.Input}
		if b.target.API == "anthropic-messages" {
			b.target.Provider = "anthropic" // where this client asks, whatever it is to become
		}
		request, err := sdks[b.target.API].decode(b.json)
		if err != nil {
			t.Logf("%s: the SDK has no words for it: %v", one.ID, err)
			continue
		}
		sent++
		if c.send(t, b, request) != nil {
			refused++
		}
	}
	t.Logf("%d requests, %d of them refused directly", sent, refused)
	if sent < 18 || refused < 5 {
		t.Error("the cases prove too little")
	}
}

// TestPropertyProxyClients does the same with generated requests that lost a turn.
func TestPropertyProxyClients(t *testing.T) {
	t.Parallel()
	c := newCrossing(t, "anthropic", "openai", "google", "amazon-bedrock")
	rapid.Check(t, func(t *rapid.T) {
		in := &hygeia.Transcript{Name: "generated", Format: hygeia.FormatMessages, Context: gen.Context(t)}
		target := rapid.SampledFrom(homes).Draw(t, "target")
		if target.Provider == "google-vertex" {
			target.Provider = "google"
		}
		b, ok := replay(t, in, target, requests(resolved(t, target).API)[0])
		if !ok {
			return
		}
		b.json = withoutATurn(t, b.json)
		_, request := decoded(t, b)
		c.send(t, b, request)
	})
}

// withoutATurn takes one of the turns out of a body that has more than one.
func withoutATurn(t *rapid.T, text []byte) []byte {
	o := jsonline.ParseObject(text)
	for _, list := range []string{"messages", "contents", "input"} {
		var turns []string
		for turn := range o.Get(list).Elements() {
			turns = append(turns, string(turn.Raw))
		}
		if len(turns) < 2 {
			continue
		}
		at := rapid.IntRange(0, len(turns)-1).Draw(t, "lost")
		left := fmt.Sprintf("[%s]", strings.Join(append(turns[:at:at], turns[at+1:]...), ","))
		return o.With(list, jsonline.Value{Raw: []byte(left), Kind: jsonline.Array}).AppendTo(nil)
	}
	return text
}
