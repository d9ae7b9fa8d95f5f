package gateway

import (
	"bytes"
	"log/slog"
	"regexp"
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
