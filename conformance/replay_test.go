package conformance_test

import (
	"net/http"
	"net/url"
	"testing"

	"hygeia/emulator"
	"hygeia/policy"
)

// homes are targets whose SDK asks at the path that the service has.
var homes = []policy.Target{
	{Provider: "anthropic", Model: "claude-sonnet-4-5"},
	{Provider: "anthropic", Model: "claude-opus-5-5"},
	{Provider: "openai", API: "openai-completions", Model: "gpt-4o"},
	{Provider: "openai", Model: "gpt-5.1"},
	{Provider: "google", Model: "gemini-3-pro-preview"},
	{Provider: "google-vertex", Model: "gemini-2.5-flash"},
	{Provider: "amazon-bedrock", Model: "anthropic.claude-sonnet-4-5-20250929-v1:0"},
}

// redirect sends requests to another server.
type redirect struct{ to *url.URL }

func (r redirect) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.URL.Scheme, req.URL.Host, req.Host = r.to.Scheme, r.to.Host, ""
	return http.DefaultTransport.RoundTrip(req)
}

// TestReplaysArrive sends stored transcripts with the SDKs to the emulators, which
// take all signatures for genuine, and reads the answers.
func TestReplaysArrive(t *testing.T) {
	t.Parallel()
	s := emulator.NewServer(emulator.Options{Known: func(string) bool { return true }})
	t.Cleanup(s.Close)
	to, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	h := &http.Client{Transport: redirect{to}}
	for _, in := range transcripts(t) {
		for _, target := range homes {
			o := requests(resolved(t, target).API)
			b, ok := replay(t, in, target, o[len(o)-2])
			if !ok {
				continue
			}
			_, request := decoded(t, b)
			if err := sdks[b.target.API].send(request, b, h); err != nil {
				t.Errorf("%s to %s/%s: %v", b.name, target.Provider, target.Model, err)
			}
		}
	}
}
