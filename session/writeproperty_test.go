package session

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"hygeia/internal/jsonline"
	"hygeia/transcript"

	"pgregory.net/rapid"
)

// memory returns a folder in which it costs nothing to bring a file to the disk,
// if there is one.
func memory(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "hygeia")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// F-20…F-23, F-43, F-44: whatever a run and others append, in whatever order, the
// run's branch is the active one after each of its entries and holds just what
// the run put there; nothing else is lost; and what is known of the end without
// reading the file is what reading it says.
func TestPropertyWriter(t *testing.T) {
	dir := memory(t)
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		path := filepath.Join(dir, fmt.Sprint(n), "s-1.jsonl")
		defer os.RemoveAll(filepath.Dir(path))
		w, err := OpenWriter(context.Background(), path, writeOptions())
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		a := NewAppender(path, writeOptions())
		var own []string // the run's branch
		all, last := 0, ""
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			switch step := rapid.SampledFrom([]string{"turn", "note", "side", "future", "select", "pause"}).Draw(t, "step"); step {
			case "select":
				leaf := ""
				if own = slices.Clone(own[:rapid.IntRange(0, len(own)).Draw(t, "at")]); len(own) > 0 {
					leaf = own[len(own)-1]
				}
				if err := w.Select(leaf); err != nil {
					t.Fatal(err)
				}
			case "pause":
				others(t, w, a, &all)
			default:
				if last, err = w.Append(map[string]*transcript.Entry{
					"turn": answer("t"), "note": note("n"), "future": transcript.NewEntry("future"),
					"side": mirror("m").With("appendMode", jsonline.Text("side")),
				}[step]); err != nil {
					t.Fatal(err)
				}
				all++
				if step == "turn" || step == "note" {
					own = append(own, last)
				}
				checkTail(t, w, own, all)
			}
		}
	})
}

// others append something while the run pauses.
func others(t *rapid.T, w *Writer, a *Appender, all *int) {
	if err := w.Pause(); err != nil {
		t.Fatal(err)
	}
	for range rapid.IntRange(0, 3).Draw(t, "others") {
		e := rapid.SampledFrom([]*transcript.Entry{user("u"), note("n"), mirror("m"), mirror("m").With("appendMode", jsonline.Text("side"))}).Draw(t, "other")
		if _, err := a.Append(context.Background(), e); err != nil {
			t.Fatal(err)
		}
		*all++
	}
	if err := w.Resume(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// checkTail holds what a writer knows against what is in the file.
func checkTail(t *rapid.T, w *Writer, own []string, all int) {
	if w.tail.headless {
		return // nothing is written yet
	}
	s, err := Load(w.path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range s.active.Entries() {
		got = append(got, e.ID)
	}
	stored := 0
	for _, e := range s.Entries() {
		if e.Type != transcript.EntryLeaf {
			stored++
		}
	}
	if !slices.Equal(got, own) || stored != all || s.Leaf() != w.tail.leaf || s.Cursor() != w.tail.cursor {
		text, _ := os.ReadFile(w.path)
		t.Fatalf("branch %q, want %q; %d entries of %d; leaf %q and %q, cursor %q and %q\n%s",
			got, own, stored, all, s.Leaf(), w.tail.leaf, s.Cursor(), w.tail.cursor, text)
	}
	for _, p := range s.Problems() {
		if !p.Note {
			t.Fatalf("%v", p)
		}
	}
}
