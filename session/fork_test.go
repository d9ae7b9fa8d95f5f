package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"
)

// F-26: a fork has a fresh header, the entries of one way through the tree with
// their links, the opaque records of that way, no leaf controls, and the labels of
// its entries at its end.
func TestFork(t *testing.T) {
	path := file(t,
		`{"type":"session","version":3,"id":"s-1","timestamp":"2026-03-01T09:00:00.000Z","cwd":"/srv/app"}`,
		said("a", "null", "user", "one"),
		entryLine("future", "f", "a", `,"n":1.0`),
		said("b", "f", "assistant", "two"),
		entryLine("label", "l1", "b", `,"targetId":"a","label":"old"`),
		said("x", "l1", "user", "another branch"),
		entryLine("leaf", "c1", "x", `,"targetId":"b"`),
		said("c", "c1", "user", "three"),
		entryLine("label", "l2", "c", `,"targetId":"a","label":"new"`),
		entryLine("label", "l3", "l2", `,"targetId":"x","label":"elsewhere"`),
		entryLine("label", "l4", "l3", `,"targetId":"b","label":"gone"`),
		entryLine("label", "l5", "l4", `,"targetId":"b"`),
		said("d", "l5", "assistant", "four"),
	)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b := loadBranch(t, path)
	f, err := b.Fork(writeOptions())
	if err != nil {
		t.Fatal(err)
	}
	got := linesOf(t, f.Path)
	want := []string{
		fmt.Sprintf(`{"type":"session","version":3,"id":%q,"timestamp":"2026-03-01T10:00:00.000Z","cwd":"/srv/app","parentSession":%q}`, f.SessionID, path),
		said("a", "null", "user", "one"),
		entryLine("future", "f", "a", `,"n":1.0`),
		said("b", "f", "assistant", "two"),
		said("c", "b", "user", "three"),
		said("d", "c", "assistant", "four"),
		entryLine("label", "l2", "d", `,"targetId":"a","label":"new"`),
	}
	if fmt.Sprint(got) != fmt.Sprint(want) || f.Records != len(want)-1 {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if want := filepath.Join(filepath.Dir(path), "2026-03-01T10-00-00-000Z_"+f.SessionID+".jsonl"); f.Path != want {
		t.Errorf("fork %s, want %s", f.Path, want)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the session changed: %v", err)
	}
	checkFork(t, b, f)
}

// F-26, F-15, F-16: a fork is of version 3, whatever the session is.
func TestForkOfVersion1(t *testing.T) {
	b := loadBranch(t, file(t, v1...))
	f, err := b.Fork(writeOptions())
	if err != nil {
		t.Fatal(err)
	}
	checkFork(t, b, f)
	if s, err := Load(f.Path, Options{}); err != nil || s.version != 3 {
		t.Errorf("version %d, %v", s.version, err)
	}
}

var v1 = []string{
	`{"type":"session","id":"s-1","timestamp":"2026-03-01T09:00:00.000Z"}`,
	`{"type":"message","message":{"role":"user","content":"left out"}}`,
	`{"type":"message","message":{"role":"user","content":"1"}}`,
	`{"type":"message","message":{"role":"hookMessage","content":"2","n":1e400}}`,
	`{"type":"compaction","summary":"so far","firstKeptEntryIndex":2,"timestamp":"2026-03-01T09:00:00.000Z"}`,
	`{"type":"message","message":{"role":"assistant","content":[{"type":"text","text":"3"}]}}`,
}

// F-26: whatever hangs together how, and whatever is damaged, the context of a fork
// is that of the branch.
func TestPropertyFork(t *testing.T) {
	dir, n := memory(t), 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		at := filepath.Join(dir, fmt.Sprint(n))
		defer os.RemoveAll(at)
		path := filepath.Join(at, "s-1.jsonl")
		if err := errors.Join(os.Mkdir(at, 0o700), os.WriteFile(path, drawLinks(t), 0o600)); err != nil {
			t.Fatal(err)
		}
		s, err := Load(path, Options{})
		if err != nil {
			return
		}
		for _, tip := range s.Branches() {
			b, err := s.Branch(tip.Leaf)
			if err != nil {
				t.Fatal(err)
			}
			f, err := b.Fork(WriteOptions{})
			if err != nil {
				t.Fatal(err)
			}
			checkFork(t, b, f)
		}
	})
}

func loadBranch(t *testing.T, path string) *Branch {
	t.Helper()
	s, err := Load(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.Branch("")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// checkFork holds that nothing is wrong with a fork and that it gives what the
// branch gives.
func checkFork(t rapid.TB, b *Branch, f *Forked) {
	t.Helper()
	s, err := Load(f.Path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range s.Problems() {
		if !p.Note && p.Rule != "F-B14" && p.Rule != "C-B02" {
			t.Errorf("%v", p)
		}
	}
	if r, err := Repair(f.Path, RepairOptions{}); err != nil || r.RelinkedEntries+r.DuplicateIDs+r.DroppedLines > 0 {
		t.Errorf("a repair would change %s: %v", r.Counters(), err)
	}
	var got, want []json.RawMessage
	for _, m := range s.active.Context().Messages {
		got = append(got, m.Without("firstKeptEntryId").AppendJSON(nil))
	}
	for _, m := range b.Context().Messages {
		want = append(want, m.Without("firstKeptEntryId").AppendJSON(nil))
	}
	if fmt.Sprintf("%s", got) != fmt.Sprintf("%s", want) {
		t.Errorf("the fork says\n%s\nthe branch\n%s", got, want)
	}
	if is, was := s.active.Context().ThinkingLevel, b.Context().ThinkingLevel; is != was {
		t.Errorf("thinking level %q, not %q", is, was)
	}
	for _, e := range b.Entries() {
		if s.Label(e.ID) != b.s.Label(e.ID) && e.Type != "label" {
			t.Errorf("label of %s is %q, not %q", e.ID, s.Label(e.ID), b.s.Label(e.ID))
		}
	}
}

// F-26: an empty branch gives no file.
func TestForkOfNothing(t *testing.T) {
	path := file(t, header1[:len(header1)-1])
	if _, err := loadBranch(t, path).Fork(writeOptions()); !errors.Is(err, ErrNoEntry) {
		t.Errorf("error %v", err)
	}
	if list := names(t, filepath.Dir(path)); len(list) != 1 {
		t.Errorf("beside the file: %q", list)
	}
}

// F-26: a fork stands in the folder of its source where nobody says otherwise.
func TestForkFolder(t *testing.T) {
	o := writeOptions()
	for given, want := range map[string]string{"": "/srv/app", "/other": "/other"} {
		o.CWD = given
		f, err := loadBranch(t, file(t, head, hi)).Fork(o)
		if err != nil {
			t.Fatal(err)
		}
		if s, err := Load(f.Path, Options{}); err != nil || s.Header().CWD != want {
			t.Errorf("%q: folder %q, %v", given, s.Header().CWD, err)
		}
	}
}
