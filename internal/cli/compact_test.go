package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hygeia/internal/cli"
	"hygeia/session"
)

// A file that somebody else writes is left alone, and it is said who that is
// (F-40).
func TestCompactLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s-1.jsonl")
	text := `{"type":"session","version":3,"id":"s-1","timestamp":"2026-03-01T09:00:00.000Z","cwd":"/srv"}
{"type":"message","id":"a","parentId":null,"timestamp":"2026-03-01T09:00:01.000Z","message":{"role":"user","content":"hello"}}
`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	lock, err := session.Acquire(t.Context(), path, session.LockOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	t.Setenv("OPENCLAW_SESSION_WRITE_LOCK_ACQUIRE_TIMEOUT_MS", "20")
	var stdout, stderr bytes.Buffer
	code := cli.Main([]string{"compact", path, "--summary-file", "-"}, strings.NewReader("They met."), &stdout, &stderr)
	if code != 3 || stdout.Len() > 0 || !strings.Contains(stderr.String(), "locked by somebody else") {
		t.Errorf("exit code %d, %s%s", code, &stdout, &stderr)
	}
	if now, err := os.ReadFile(path); err != nil || string(now) != text {
		t.Errorf("the file changed: %v", err)
	}
}
