package runner

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"hygeia"
	"hygeia/internal/texts"
	"hygeia/transcript"
)

// TestSealed holds S-B09: what the runner stores with an origin is signed as it
// stands in the file, secrets taken out, and believed by the next run; after somebody
// has edited the file, the turn goes out as one of another session.
func TestSealed(t *testing.T) {
	t.Parallel()
	seal, err := hygeia.NewSeal([]byte("an installation's key"))
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t, everyFormat[0], nil, func(o *Options) { o.Replay.Past = &hygeia.Past{Seal: seal} })
	run := func(p Prompt) {
		t.Helper()
		if _, err := b.Run(t.Context(), b.path, p, nil); err != nil {
			t.Fatal(err)
		}
	}
	const secret = "sk-planted0123456789abcdefghij"
	run(Prompt{Body: "the key is " + secret, Origin: &Origin{Kind: transcript.ExternalUser, Channel: "acp", Tool: "openclaw_acp"}})
	run(Prompt{Body: "next"})
	text, err := os.ReadFile(b.path)
	if err != nil || !bytes.Contains(text, []byte(`"mac":"`)) || bytes.Contains(text, []byte(secret)) {
		t.Errorf("stored: %s, %v", text, err)
	}
	last := func() string {
		r := b.server.Requests()
		return string(r[len(r)-1].Body)
	}
	if strings.Contains(last(), texts.InterSessionMarker) || strings.Contains(last(), `"mac"`) {
		t.Errorf("a turn of a user goes out as %s", last())
	}
	if err := os.WriteFile(b.path, bytes.Replace(text, []byte("the key is"), []byte("the word is"), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	run(Prompt{Body: "and now"})
	if !strings.Contains(last(), texts.InterSessionMarker+" sourceChannel=acp sourceTool=openclaw_acp isUser=false") {
		t.Errorf("an edited turn goes out as %s", last())
	}
}
