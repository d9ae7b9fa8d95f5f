package session

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// F-B06, F-43: a writer without the lock is found out before each line.
func TestWriterWithoutLock(t *testing.T) {
	path := file(t, head, hi, hey)
	w := openWriter(t, path, writeOptions())
	put(t, w, user("one"))
	appendText(t, path, `{"type":"message","id":"x","parentId":"a","message":{"role":"user","content":"theirs"}}`+"\n")
	if _, err := w.Append(user("two")); !errors.Is(err, ErrTakeover) {
		t.Errorf("got %v", err)
	}
	if _, err := w.Append(user("three")); !errors.Is(err, ErrTakeover) {
		t.Errorf("got %v", err)
	}
	if n := len(linesOf(t, path)); n != 5 {
		t.Errorf("%d lines", n)
	}
}

// F-B06: between the look at a file and the write to it somebody may write; then
// nothing is written.
func TestMovedBeforeWrite(t *testing.T) {
	path := file(t, head, hi)
	j := journal{path: path, o: writeOptions()}
	if err := j.load(); err != nil {
		t.Fatal(err)
	}
	looks := 0
	err := unmoved(func() error {
		looks++
		appendText(t, path, "\n")
		return nil
	}, func() error { return j.put([]byte(hey + "\n")) })
	if !errors.Is(err, errMoved) || looks != 3 {
		t.Errorf("got %v after %d looks", err, looks)
	}
	sameLines(t, path, head, hi, "", "", "")
}

func appendText(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteString(text)
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}

// F-43: what a run accepts that happened while it had given the lock up, and what
// not.
func TestPause(t *testing.T) {
	const base = `"id":"x","parentId":"b","timestamp":"2026-03-01T10:00:00.000Z"`
	own := func(role, more string) string {
		return `{"type":"message",` + base + more + `,"message":{"role":"` + role + `","content":[{"type":"text","text":"t"}],"provider":"openclaw","model":"delivery-mirror"}}` + "\n"
	}
	with := func(text string) func(string) error {
		return func(path string) error {
			f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
			if err == nil {
				_, err = f.WriteString(text)
				f.Close()
			}
			return err
		}
	}
	for _, c := range []struct {
		name   string
		meddle func(path string) error
		ok     bool
		adds   int // lines besides the writer's entry
	}{
		{"nothing", func(string) error { return nil }, true, 0},
		{"touched", func(path string) error { return os.Chtimes(path, time.Time{}, time.Now().Add(time.Hour)) }, true, 0},
		{"mirror", with(own("assistant", "")), true, 2},
		{"side mirror", with(own("assistant", `,"appendMode":"side"`)), true, 1},
		{"blank line", with("\n"), true, 1},
		{"custom", with(`{"type":"custom",` + base + `,"customType":"x"}` + "\n"), true, 2},
		{"label", with(`{"type":"label",` + base + `,"targetId":"a","label":"l"}` + "\n"), true, 2},
		{"name", with(`{"type":"session_info",` + base + `,"name":"n"}` + "\n"), true, 2},
		{"side control", with(`{"type":"leaf",` + base + `,"targetId":"a","appendMode":"side"}` + "\n"), true, 2},
		{"control", with(`{"type":"leaf",` + base + `,"targetId":"a"}` + "\n"), false, 0},
		{"user turn", with(own("user", "")), false, 0},
		{"answer", with(strings.ReplaceAll(own("assistant", ""), "delivery-mirror", "m")), false, 0},
		{"user turn at the same time", func(path string) error {
			info, _ := os.Stat(path)
			return errors.Join(with(own("user", ""))(path), os.Chtimes(path, info.ModTime(), info.ModTime()))
		}, false, 0},
		{"no record", with("hello\n"), false, 0},
		{"cut record", with(`{"type":"custom",` + base + "\n"), false, 0},
		{"two on one line", with(`{"type":"custom",` + base + `}{"type":"custom",` + strings.Replace(base, "x", "y", 1) + "}\n"), false, 0},
		{"without id", with(`{"type":"custom","parentId":"b"}` + "\n"), false, 0},
		{"edited", func(path string) error {
			text, _ := os.ReadFile(path)
			return os.WriteFile(path, bytes.Replace(text, []byte("hey"), []byte("hoy"), 1), 0o640)
		}, false, 0},
		{"replaced by one of the same size and time", func(path string) error {
			info, _ := os.Stat(path)
			text, _ := os.ReadFile(path)
			err := os.WriteFile(path+"2", bytes.Replace(text, []byte("hey"), []byte("hoy"), 1), 0o640)
			return errors.Join(err, os.Chtimes(path+"2", info.ModTime(), info.ModTime()), os.Rename(path+"2", path))
		}, false, 0},
		{"edited and grown", func(path string) error {
			text, _ := os.ReadFile(path)
			text = bytes.Replace(text, []byte("hey"), []byte("hoy"), 1)
			return os.WriteFile(path, append(text, own("assistant", "")...), 0o640)
		}, false, 0},
		{"cut", func(path string) error { return os.Truncate(path, int64(len(head)+1)) }, false, 0},
		{"gone", os.Remove, false, 0},
		{"copied", func(path string) error {
			text, _ := os.ReadFile(path)
			return errors.Join(os.WriteFile(path+"2", text, 0o640), os.Rename(path+"2", path))
		}, true, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := file(t, head, hi, hey)
			w := openWriter(t, path, writeOptions())
			if err := w.Pause(); err != nil {
				t.Fatal(err)
			}
			if _, err := w.Append(user("paused")); !errors.Is(err, ErrLockReleased) {
				t.Errorf("wrote while it paused: %v", err)
			}
			if err := c.meddle(path); err != nil {
				t.Fatal(err)
			}
			before, _ := os.ReadFile(path)
			err := w.Resume(t.Context())
			if c.ok != (err == nil) || err != nil && !errors.Is(err, ErrTakeover) {
				t.Fatalf("got %v", err)
			}
			if !c.ok {
				w.Append(user("too late"))
				if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
					t.Errorf("written over:\n%s", after)
				}
				if l, err := Acquire(t.Context(), path, brief); err != nil {
					t.Errorf("the lock is still held: %v", err)
				} else {
					l.Release()
				}
				return
			}
			id := put(t, w, user("back"))
			if got := fmt.Sprint(branchOf(t, path)); got != "[a b "+id+"]" {
				t.Errorf("branch %s", got)
			}
			if n := len(linesOf(t, path)); n != 4+c.adds {
				t.Errorf("%d lines", n)
			}
		})
	}
}

// F-43 (d): what an appender of this process adds is announced to a run that
// pauses; a run that does not pause keeps it waiting.
func TestAnnounced(t *testing.T) {
	path := file(t, head, hi, hey)
	w := openWriter(t, path, writeOptions())
	a := NewAppender(path, writeOptions())
	if _, err := a.Append(t.Context(), user("gateway")); !errors.Is(err, ErrLocked) {
		t.Errorf("got %v", err)
	}
	if err := w.Pause(); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Append(t.Context(), user("gateway")); err != nil {
		t.Fatal(err)
	}
	if err := w.Resume(t.Context()); err != nil {
		t.Fatal(err)
	}
	id := put(t, w, answer("back"))
	if got := fmt.Sprint(branchOf(t, path)); got != "[a b "+id+"]" {
		t.Errorf("branch %s", got)
	}
	w.Pause()
	w.Close()
	if len(pauses.of) > 0 {
		t.Errorf("still paused: %v", pauses.of)
	}
}

// F-43: somebody else begins the file that a new session was going to.
func TestBegunByOthers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s-1.jsonl")
	w := openWriter(t, path, writeOptions())
	first := put(t, w, user("hi"))
	w.Pause()
	if _, err := NewAppender(path, writeOptions()).Append(t.Context(), mirror("seen")); err != nil {
		t.Fatal(err)
	}
	if err := w.Resume(t.Context()); err != nil {
		t.Fatal(err)
	}
	id := put(t, w, answer("hey"))
	if got := fmt.Sprint(branchOf(t, path)); got != "["+first+" "+id+"]" {
		t.Errorf("branch %s", got)
	}
	if got := linesOf(t, path); len(got) != 5 || got[0] != head {
		t.Errorf("%q", got)
	}
}
