package cli_test

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Nothing that a session says becomes part of a path: pictures are written into
// the folder that was named, under names of their own (design §9).
func TestExtractStaysInItsFolder(t *testing.T) {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 3, 2))); err != nil {
		t.Fatal(err)
	}
	data := base64.StdEncoding.EncodeToString(b.Bytes())
	var session strings.Builder
	session.WriteString(`{"type":"session","version":3,"id":"s","timestamp":"2026-03-01T10:00:00.000Z","cwd":"/"}` + "\n")
	names := map[string]string{"../../x": "0001-x.png", "/etc/passwd": "0002-etcpasswd.png", "é": "0003.png", strings.Repeat("a", 300): "0004-" + strings.Repeat("a", 40) + ".png"}
	for _, id := range []string{"../../x", "/etc/passwd", "é", strings.Repeat("a", 300)} {
		session.WriteString(`{"type":"message","id":"` + id + `","parentId":null,"message":{"role":"user","content":[{"type":"image","data":"` + data + `","mimeType":"image/x/../../y"}]}}` + "\n")
	}
	dir := t.TempDir()
	file, out := filepath.Join(dir, "s.jsonl"), filepath.Join(dir, "deep", "out")
	if err := os.WriteFile(file, []byte(session.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := run(nil, "images", file, "--extract", out); code != 0 {
		t.Fatal(stderr)
	}
	for _, name := range names {
		got, err := os.ReadFile(filepath.Join(out, name))
		if err != nil || !bytes.Equal(got, b.Bytes()) {
			t.Errorf("%s: %v", name, err)
		}
	}
	entries, err := os.ReadDir(out)
	if err != nil || len(entries) != len(names) {
		t.Errorf("%d files, %v", len(entries), err)
	}
}

// A limit that is no number is named in one line that cannot speak to the
// terminal, and the default holds (I-B07).
func TestHostileLimit(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "config.json"), []byte(`{"agents":{"defaults":{"imageMaxBytes":`+jsonQuote(evil)+`}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HYGEIA_HOME", dir)
	code, _, stderr := run(strings.NewReader(`[]`), "images", "-")
	if code != 0 || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, "agents.defaults.imageMaxBytes is ") || strings.ContainsAny(stderr, "\x1b\u009b\u202e\r") {
		t.Errorf("exit code %d, %q", code, stderr)
	}
}
