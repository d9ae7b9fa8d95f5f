package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hygeia/internal/cli"
)

// A folder that cannot be listed is told of and keeps no session in another one from
// being repaired, and listed. Its path is longer than the system takes, which holds for every user.
func TestFolderThatCannotBeListed(t *testing.T) {
	dir := t.TempDir()
	at, err := os.OpenRoot(dir)
	for range 25 {
		if err != nil {
			t.Fatal(err)
		}
		defer at.Close()
		name := strings.Repeat("a", 200)
		if err = at.Mkdir(name, 0o700); err == nil {
			at, err = at.OpenRoot(name)
		}
	}
	path := filepath.Join(dir, "b.jsonl") // behind it in order
	header := `{"type":"session","version":3,"id":"s","timestamp":"2026-03-01T10:00:00.000Z","cwd":"/"}` + "\n"
	entry := `{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"one"}}` + "\n"
	if err := os.WriteFile(path, []byte(header+entry+`{"type":"mess`), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, failed bytes.Buffer
	code := cli.Main([]string{"repair", "--write", dir}, nil, &out, &failed)
	if code != 3 || !strings.Contains(out.String(), "1 session read, 1 repaired") || !strings.Contains(failed.String(), "file name too long") {
		t.Errorf("%d\n%s\n%.300s", code, out.String(), failed.String())
	}
	if now, err := os.ReadFile(path); err != nil || string(now) != header+entry {
		t.Errorf("%q, %v", now, err)
	}
	out.Reset()
	failed.Reset()
	code = cli.Main([]string{"sessions", dir}, nil, &out, &failed)
	if code != 3 || !strings.Contains(out.String(), "b.jsonl") || !strings.Contains(failed.String(), "file name too long") {
		t.Errorf("sessions: %d\n%s\n%.300s", code, out.String(), failed.String())
	}
}
