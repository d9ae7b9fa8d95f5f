package endtoend_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestExamples starts the command with each configuration of the examples, its
// address and its secret made those of the test.
func TestExamples(t *testing.T) {
	files, err := filepath.Glob("../../examples/proxy/*.json")
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	dir := t.TempDir()
	token := filepath.Join(dir, "token")
	if err := os.WriteFile(token, []byte("sesame"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, filepath.Base(file))
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(string(text), "/run/secrets/token", token)), 0o600); err != nil {
			t.Fatal(err)
		}
		r := run(t, nil, "--config", path, "--listen", "127.0.0.1:0")
		metrics := 200
		if strings.Contains(string(text), "tokenFile") {
			metrics = 401
		}
		if got := ask(t, r.url+"/anthropic-not/v1/messages", damaged); got.status != 404 {
			t.Errorf("%s: %d", file, got.status)
		}
		if got := ask(t, r.url+"/metrics", "{}"); got.status != metrics {
			t.Errorf("%s: metrics answer %d", file, got.status)
		}
		r.terminate(t)
	}
}
