package gateway

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// F-61: what the service repairs before it writes to it stands in its log, by its
// name alone.
func TestRepairsAreLogged(t *testing.T) {
	var log bytes.Buffer
	b := newBench(t, nil, func(c *Config) {
		c.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	b.file("k", append(turns(3), `{"type":"message","id":"torn`)...)
	b.want(200, "POST", "/sessions/k/compact", `{"summary":"what was","keepTokens":1}`, nil)
	if want := `^time=\S+ level=DEBUG msg="session file repaired" file=\w+\.jsonl did="1 line dropped"\n$`; !regexp.MustCompile(want).MatchString(log.String()) {
		t.Errorf("%q", log.String())
	}
}

// F-B20: an index that cannot be read is put aside and written anew, and the log says
// so.
func TestNewIndexIsLogged(t *testing.T) {
	var log bytes.Buffer
	b := newBench(t, nil, func(c *Config) {
		c.Log = slog.New(slog.NewTextHandler(&log, nil))
	})
	path := b.file("k", turns(3)...)
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), "sessions.json"), []byte("[torn"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.want(201, "POST", "/sessions", `{"key":"new"}`, nil)
	if want := `level=WARN msg="index of the sessions written anew" agent=main reason="the index is no JSON object"`; !strings.Contains(log.String(), want) {
		t.Errorf("%q", log.String())
	}
}
