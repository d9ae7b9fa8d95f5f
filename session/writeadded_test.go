package session

import (
	"path/filepath"
	"testing"

	"hygeia/transcript"
)

// TestAdded holds that whoever asks sees the entries of the run's branch as they
// stand in the file, stand-ins of the guard included and side entries not.
func TestAdded(t *testing.T) {
	var seen []*transcript.Entry
	o := writeOptions()
	o.Added = func(e *transcript.Entry) { seen = append(seen, e) }
	w := openWriter(t, filepath.Join(t.TempDir(), "s.jsonl"), o)
	g := NewGuard(w, GuardOptions{Synthesize: true})
	for _, text := range []string{
		`{"role":"user","content":"my key is sk-abcdefgh12345678"}`,
		`{"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{}}],"stopReason":"toolUse"}`,
		`{"role":"user","content":"go on"}`,
	} {
		if _, err := g.Append(messageOf(t, text)); err != nil {
			t.Fatal(err)
		}
	}
	side := user("beside")
	side.Side = true
	if _, err := w.Append(side); err != nil {
		t.Fatal(err)
	}
	roles := []transcript.Role{transcript.User, transcript.Assistant, transcript.ToolResult, transcript.User}
	if len(seen) != len(roles) {
		t.Fatalf("%d entries, want %d", len(seen), len(roles))
	}
	for i, e := range seen {
		if !e.Message.Is(roles[i]) || e.ID == "" || i > 0 && e.Parent != seen[i-1].ID {
			t.Errorf("entry %d: %s", i, e.AppendJSON(nil))
		}
	}
	if got := seen[0].Message.Text().String(); got != "my key is ***" {
		t.Errorf("the first turn is %q", got)
	}
}
