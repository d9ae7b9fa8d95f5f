package measure

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"

	"hygeia/emulator"
	"hygeia/policy"
)

// roads are the paths of the emulator by API, those of one provider in front.
// PROVIDER and MODEL stand for those of the target.
var roads = map[string]string{
	"anthropic-vertex anthropic-messages": "/v1/projects/p/locations/l/publishers/anthropic/models/MODEL:rawPredict",
	"amazon-bedrock anthropic-messages":   "/model/MODEL/invoke",
	"anthropic-messages":                  "/to/PROVIDER/v1/messages",
	"openai-completions":                  "/to/PROVIDER/v1/chat/completions",
	"mistral-conversations":               "/to/PROVIDER/v1/chat/completions",
	"openai-responses":                    "/to/PROVIDER/v1/responses",
	"openai-chatgpt-responses":            "/to/PROVIDER/backend-api/codex/responses",
	"azure-openai-responses":              "/to/PROVIDER/openai/v1/responses",
	"google-generative-ai":                "/to/PROVIDER/v1beta/models/MODEL:generateContent",
	"google-vertex":                       "/to/PROVIDER/v1/projects/p/locations/l/publishers/google/models/MODEL:generateContent",
	"google-gemini-cli":                   "/to/PROVIDER/v1internal:generateContent",
	"bedrock-converse-stream":             "/to/PROVIDER/model/MODEL/converse",
	"ollama":                              "/to/PROVIDER/api/chat",
}

func roadOf(t policy.Target) string {
	path, ok := roads[t.Provider+" "+t.API]
	if !ok {
		path = roads[t.API]
	}
	return strings.NewReplacer("PROVIDER", url.PathEscape(t.Provider), "MODEL", url.PathEscape(t.Model)).Replace(path)
}

// witness is an emulator, what it is to take for its own, and what it saw last.
type witness struct {
	*emulator.Emulator
	input []byte
	seen  emulator.Request
}

// witnesses are for one body at a time; to make one takes as long as a replay.
var witnesses = sync.Pool{New: func() any {
	w := &witness{}
	w.Emulator = emulator.New(emulator.Options{
		Known:   func(token string) bool { return bytes.Contains(w.input, []byte(token)) },
		Observe: func(r emulator.Request) { w.seen = r },
	})
	return w
}}

// served sends a body to an emulator of the target and returns how it was
// refused, "" if it was answered. Signatures and encrypted content that stand in
// the input are taken for genuine, since generated ones are of no service; all
// others are refused.
func served(body, input []byte, target policy.Target) string {
	e := witnesses.Get().(*witness)
	defer witnesses.Put(e)
	e.input = input
	r := httptest.NewRequest(http.MethodPost, roadOf(target), bytes.NewReader(body))
	r.Host = "localhost"
	w := httptest.NewRecorder()
	e.ServeHTTP(w, r)
	switch got := e.seen.Target; {
	case w.Code != http.StatusOK:
		return fmt.Sprintf("%s answers %d %s", r.URL.Path, w.Code, w.Body)
	case policy.Fold(got.Provider) != policy.Fold(target.Provider) || !strings.EqualFold(got.Model, target.Model):
		return fmt.Sprintf("%s is of %+v", r.URL.Path, got)
	}
	return ""
}
