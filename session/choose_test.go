package session

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// H-B18: the chosen branch is the active one when the file is opened again, and the
// other one stays as it was.
func TestChooseBranch(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	const stored = `{"type":"session","version":3,"id":"s","timestamp":"2026-03-01T10:00:00.000Z","cwd":"/x"}
{"type":"message","id":"a","parentId":null,"timestamp":"2026-03-01T10:00:01.000Z","message":{"role":"user","content":"a"}}
{"type":"message","id":"b","parentId":"a","timestamp":"2026-03-01T10:00:02.000Z","message":{"role":"user","content":"b"}}
{"type":"message","id":"c","parentId":"a","timestamp":"2026-03-01T10:00:03.000Z","message":{"role":"user","content":"c"}}
`
	if err := os.WriteFile(path, []byte(stored), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, leaf := range []string{"b", "b", "c"} {
		if err := ChooseBranch(t.Context(), path, leaf, WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		s, _, err := Open(path, OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		b, err := s.Branch("")
		if err != nil {
			t.Fatal(err)
		}
		var said []string
		for _, m := range b.Context().Messages {
			said = append(said, m.Text().String())
		}
		if got := strings.Join(said, " "); got != "a "+leaf {
			t.Errorf("after %s: %s", leaf, got)
		}
	}
	if text, err := os.ReadFile(path); err != nil || !strings.HasPrefix(string(text), stored) {
		t.Errorf("the file is now\n%s", text)
	}
	if err := ChooseBranch(t.Context(), path, "z", WriteOptions{}); !errors.Is(err, ErrUnknownEntry) {
		t.Error(err)
	}
}
