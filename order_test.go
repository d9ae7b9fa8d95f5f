package hygeia

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"hygeia/hygiene/passes"
	"hygeia/internal/casetest"
	"hygeia/payload"
)

// TestPropertyOrder holds R-11 and W-001: the changes of a replay are those of the
// passes in the order of the suite, and behind them those of the converter, which
// therefore sees what the passes left. D-13: each reason is a fact, one lower-case
// line without a guess in it.
func TestPropertyOrder(t *testing.T) {
	place := map[string]int{}
	for i, p := range passes.Suite {
		place[p.Name] = i
	}
	rapid.Check(t, func(t *rapid.T) {
		tr := draw(t)
		at := 0
		for _, c := range tr.replay(t, tr.ctx).Report.Changes {
			here, ok := place[c.Pass]
			if !ok {
				here = len(passes.Suite)
			}
			if here < at {
				t.Fatalf("to %+v: %s of pass %s stands behind a later one", tr.target, c.Rule, c.Pass)
			}
			at = here
			if found := guess.FindString(c.Reason); found != "" || !begins(c.Reason) {
				t.Fatalf("%s: the reason %q is no fact", c.Rule, c.Reason)
			}
		}
	})
}

// guess is what a reason must not hold: a guess, a full stop at the end, a line
// break, nothing at all.
var guess = regexp.MustCompile(`(?i)\b(probably|perhaps|maybe|might|likely|seems?|apparently|presumably)\b|\.$|\n|^$`)

// begins reports whether a reason begins like one: with a name that is written in
// capitals, such as JSON, or in lower case.
func begins(reason string) bool {
	r := []rune(reason + "  ")
	return !unicode.IsUpper(r[0]) || unicode.IsUpper(r[1]) || !unicode.IsLetter(r[1])
}

// TestOrderIsTold: the order in docs/architecture.md is that of the suite.
func TestOrderIsTold(t *testing.T) {
	page, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range passes.Suite {
		names = append(names, strings.ReplaceAll(p.Name, "-", " "))
	}
	if told := strings.Join(strings.Fields(string(page)), " "); !strings.Contains(told, strings.Join(names, ", ")+".") {
		t.Errorf("docs/architecture.md does not say: %s", strings.Join(names, ", "))
	}
}

// TestPrefillStaysOnDisk holds Q-01 and W-002: an assistant turn that must not end a
// request is taken off what goes out, never off what is stored.
func TestPrefillStaysOnDisk(t *testing.T) {
	const stored = `{"type":"session","version":3,"id":"s","timestamp":"2026-03-01T10:00:00.000Z","cwd":"/"}
{"type":"message","id":"a","parentId":null,"timestamp":"2026-03-01T10:00:00.000Z","message":{"role":"user","content":"Say it."}}
{"type":"message","id":"b","parentId":"a","timestamp":"2026-03-01T10:00:01.000Z","message":{"role":"assistant","content":[{"type":"text","text":"It is said."}],"stopReason":"stop"}}
`
	for _, target := range []Target{targets[0], {Provider: "cloudflare-ai-gateway", Model: "claude-opus-4-6"}} {
		file := filepath.Join(t.TempDir(), "s.jsonl")
		if err := os.WriteFile(file, []byte(stored), 0o600); err != nil {
			t.Fatal(err)
		}
		tr, err := Open(file, written)
		if err != nil {
			t.Fatal(err)
		}
		r, err := tr.Replay(target, ReplayOptions{Payload: payload.Options{Thinking: payload.ThinkHigh}})
		if err != nil {
			t.Fatal(err)
		}
		if n := len(r.Report.Changes); n != 1 || r.Report.Changes[0].Entry != "b" || strings.Contains(string(r.Body), "It is said.") {
			t.Errorf("%+v: %s\n%s", target, casetest.Changes(r.Report), r.Body)
		}
		if now, err := os.ReadFile(file); err != nil || string(now) != stored {
			t.Errorf("%+v: the file became %s, %v", target, now, err)
		}
	}
}
