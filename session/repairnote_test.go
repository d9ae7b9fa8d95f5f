package session

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// C-B06, B148-1: repair tells of what fell out of the context in the words of who
// reads the session, without having all of it in memory.
func TestRepairTellsFallen(t *testing.T) {
	compared := 0
	path := filepath.Join(t.TempDir(), "s.jsonl")
	compare := func(t errorer, name string, text []byte) {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := Repair(path, RepairOptions{})
		if err != nil || r.Changes > 0 {
			return // what is repaired may hang together in another way
		}
		s, err := Load(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		b, err := s.Branch("")
		if err != nil {
			t.Fatal(err)
		}
		want, complete := fallenOut(b.Problems())
		got, _ := fallenOut(r.Notes)
		if complete && got != want {
			t.Fatalf("%s: repair says %q, a reader %q", name, got, want)
		}
		if want != "" {
			compared++
		}
	}
	for _, dir := range []string{"testdata", "testdata/repair"} {
		for _, a := range archives(t, dir) {
			compare(t, a.path, a.input(t))
		}
	}
	rapid.Check(t, func(t *rapid.T) { compare(t, "generated", compactedTree(t)) })
	if compared < 10 {
		t.Errorf("only %d files in which something fell out", compared)
	}
}

type errorer interface {
	Fatal(...any)
	Fatalf(string, ...any)
}

// compactedTree draws a session with branches and compactions that keep something in
// front of them.
func compactedTree(t *rapid.T) []byte {
	b := []byte(`{"type":"session","version":3,"id":"s","timestamp":"2026-02-01T08:00:00.000Z","cwd":"/"}` + "\n")
	above := map[int]int{0: -1}
	for i := range rapid.IntRange(3, 25).Draw(t, "entries") {
		up, parent := i-1, "null"
		if i > 0 && rapid.IntRange(0, 9).Draw(t, "elsewhere") == 0 {
			up = rapid.IntRange(0, i-1).Draw(t, "parent")
		}
		if above[i] = up; up >= 0 {
			parent = fmt.Sprintf(`"e%d"`, up)
		}
		body := `"type":"message","message":{"role":"user","content":"q"}`
		switch kind := rapid.IntRange(0, 9).Draw(t, "kind"); {
		case kind < 4 && i > 0:
			kept := i
			for range rapid.IntRange(0, 5).Draw(t, "kept") {
				if above[kept] >= 0 {
					kept = above[kept]
				}
			}
			body = fmt.Sprintf(`"type":"compaction","summary":"sum","firstKeptEntryId":"e%d","tokensBefore":1`, kept)
		case kind == 9:
			body = `"type":"model_change","provider":"p","modelId":"m"`
		}
		b = fmt.Appendf(b, `{"id":"e%d","parentId":%s,"timestamp":"2026-02-01T08:00:01.000Z",%s}`+"\n", i, parent, body)
	}
	return b
}

// fallenOut returns what a list says fell out. It is not complete where a compaction
// does not name what it keeps.
func fallenOut(list []Problem) (text string, complete bool) {
	complete = true
	for _, p := range list {
		switch p.Rule {
		case "C-B06":
			text += p.Entry + " " + p.String()
		case "C-B02":
			complete = false
		}
	}
	return text, complete
}

// F-B11: repair tells of bytes that are not UTF-8, of the first hundred lines each.
func TestRepairTellsBytes(t *testing.T) {
	const head = `{"type":"session","version":3,"id":"s","timestamp":"2026-02-01T08:00:00.000Z","cwd":"/"}` + "\n"
	const line = `{"type":"message","id":"ID","parentId":null,"timestamp":"2026-02-01T08:00:01.000Z","message":{"role":"user","content":"` + "\xff" + `"}}` + "\n"
	for n, want := range map[int]int{1: 1, maxNotes: maxNotes, maxNotes + 7: maxNotes + 1} {
		var text bytes.Buffer
		text.WriteString(head)
		for i := range n {
			text.WriteString(strings.Replace(line, "ID", "e"+string(rune('A'+i%26))+strings.Repeat("x", i/26), 1))
		}
		path := filepath.Join(t.TempDir(), "s.jsonl")
		if err := os.WriteFile(path, text.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := Repair(path, RepairOptions{})
		if err != nil || r.Changes != 0 || len(r.Notes) != want || r.Notes[0].Rule != "F-B11" || r.Notes[0].Line != 2 {
			t.Errorf("%d lines: %v, %d changes, %d notes: %v", n, err, r.Changes, len(r.Notes), r.Notes[:min(2, len(r.Notes))])
		}
		if n > maxNotes && r.Notes[maxNotes].Reason != "7 further lines like these" {
			t.Errorf("the last note is %v", r.Notes[maxNotes])
		}
	}
}
