package gateway

import (
	"os"
	"strings"
	"testing"
)

// The backups of a session are those beside its file that a repair has made (H-B15).
func TestBackups(t *testing.T) {
	b := newBench(t, nil, nil)
	path := b.file("k", turns(1)...)
	for _, name := range []string{path + ".bak-12-34", path + ".bak-mine", strings.TrimSuffix(path, ".jsonl") + "2.jsonl.bak-12-34"} {
		if err := os.WriteFile(name, []byte("{}"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, _, text := b.ask("GET", "/sessions/k/health", "")
	if !strings.Contains(text, `"backups":["`) || strings.Count(text, ".bak-") != 1 || !strings.Contains(text, `.jsonl.bak-12-34"]`) {
		t.Error(text)
	}
}
