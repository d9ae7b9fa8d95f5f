package session

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"hygeia/transcript"
)

// F-35: assistant turns of every known API, and of one that nobody knows, are read
// with the route they were stored with, and a repair has nothing to say about them.
func TestKnownAPIs(t *testing.T) {
	for _, api := range []string{
		"openai-completions", "openai-responses", "azure-openai-responses", "openai-chatgpt-responses", "openai-codex-responses",
		"anthropic-messages", "bedrock-converse-stream", "google-generative-ai", "google-vertex", "google-gemini-cli",
		"mistral-conversations", "openclaw-transcript", "an-api-of-tomorrow",
	} {
		t.Run(api, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "s.jsonl")
			message := fmt.Sprintf(`{"role":"assistant","content":[{"type":"text","text":"x"}],"api":%q,"provider":"p","model":"m","stopReason":"stop"}`, api)
			text := header1 + `{"type":"message","id":"a","parentId":null,"message":` + message + "}\n"
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			s, err := Load(path, Options{})
			if err != nil || len(s.Problems()) > 0 {
				t.Fatal(s.Problems(), err)
			}
			if got, want := s.active.Route(), (transcript.Route{Provider: "p", API: api, Model: "m"}); got != want {
				t.Errorf("route %+v", got)
			}
			if m := s.active.Context().Messages; len(m) != 1 || string(m[0].AppendJSON(nil)) != message {
				t.Errorf("%d messages", len(m))
			}
			if r, err := Repair(path, RepairOptions{Write: true}); err != nil || r.Changes > 0 || content(t, path) != text {
				t.Errorf("%+v, %v", r, err)
			}
		})
	}
}
