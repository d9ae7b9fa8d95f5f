package cli_test

import (
	"strings"
	"testing"
)

const header = `{"type":"session","version":3,"id":"s1","timestamp":"2026-03-01T10:00:00.000Z","cwd":"/"}` + "\n" +
	`{"type":"message","id":"e1","parentId":null,"timestamp":"2026-03-01T10:00:01.000Z","message":{"role":"user","content":"Hello."}}` + "\n"

// deep returns JSON nested a million levels deep.
func deep(open, end string) string {
	const levels = 1_000_000
	return strings.Repeat(open, levels) + "1" + strings.Repeat(end, levels)
}

// A value that is nested too deep to be read is named with its line, alone in a
// list of messages and as one fault of many in a session.
func TestDepthBombs(t *testing.T) {
	for _, bomb := range []string{deep("[", "]"), deep(`{"a":`, "}"), strings.Repeat("[", 1_000_000)} {
		code, stdout, stderr := run(strings.NewReader("[\n"+bomb+"]"), "replay", "-", "--to=a/b")
		if code != 3 || stdout != "" || !strings.HasPrefix(stderr, "hygeia: standard input: line 2: nested deeper than") {
			t.Errorf("list: exit code %d, %q, %.200q", code, stdout, stderr)
		}
		code, stdout, stderr = run(strings.NewReader(header+`{"type":"message","id":"e2","parentId":"e1","message":`+bomb+"}\n"), "replay", "-", "--to=a/b")
		if code != 0 || !strings.Contains(stdout, "Hello.") || !strings.Contains(stderr, "nested deeper than") {
			t.Errorf("session: exit code %d, %q, %.200q", code, stdout, stderr)
		}
	}
}
