package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// count is a source of ids that counts.
type count byte

func (c *count) Read(p []byte) (int, error) {
	clear(p)
	*c++
	p[len(p)-1] = byte(*c)
	return len(p), nil
}

// writeOptions make what is written the same each time.
func writeOptions() WriteOptions {
	return WriteOptions{
		Lock: brief, CWD: "/srv/app", Random: new(count),
		Now: func() time.Time { return time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC) },
	}
}

func openWriter(t *testing.T, path string, o WriteOptions) *Writer {
	t.Helper()
	w, err := OpenWriter(t.Context(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

// entryOf reads an entry without its base.
func entryOf(t *testing.T, text string) *transcript.Entry {
	t.Helper()
	var r transcript.Reader
	e, _, err := r.Entry([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// messageOf reads a message.
func messageOf(t *testing.T, text string) *transcript.Message {
	t.Helper()
	var r transcript.Reader
	m, err := r.Message([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func user(text string) *transcript.Entry {
	return transcript.NewMessageEntry(transcript.NewText(transcript.User, text))
}

func answer(text string) *transcript.Entry {
	return transcript.NewMessageEntry(transcript.New(transcript.Assistant, transcript.NewTextBlock(text)).
		With("stopReason", jsonline.Text("stop")))
}

func mirror(text string) *transcript.Entry {
	m := answer(text).Message.With("provider", jsonline.Text("openclaw")).With("model", jsonline.Text("delivery-mirror"))
	return transcript.NewMessageEntry(m)
}

func note(text string) *transcript.Entry {
	return transcript.NewEntry(transcript.EntryCustom).With("customType", jsonline.Text(text))
}

func put(t *testing.T, w interface {
	Append(*transcript.Entry) (string, error)
}, e *transcript.Entry,
) string {
	t.Helper()
	id, err := w.Append(e)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// file writes a session file.
func file(t *testing.T, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s-1.jsonl")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o640); err != nil {
		t.Fatal(err)
	}
	return path
}

func linesOf(t *testing.T, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// branchOf returns the ids of the active branch.
func branchOf(t *testing.T, path string) (ids []string) {
	t.Helper()
	s, err := Load(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range s.Problems() {
		if !p.Note {
			t.Errorf("%v", p)
		}
	}
	for _, e := range s.active.Entries() {
		ids = append(ids, e.ID)
	}
	return ids
}

func sameLines(t *testing.T, path string, want ...string) {
	t.Helper()
	got := linesOf(t, path)
	for i := range max(len(got), len(want)) {
		g, w := "nothing", "nothing"
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if g != w {
			t.Errorf("line %d:\n got %s\nwant %s", i+1, g, w)
		}
	}
}

const (
	head = `{"type":"session","version":3,"id":"s-1","timestamp":"2026-03-01T10:00:00.000Z","cwd":"/srv/app"}`
	hi   = `{"type":"message","id":"a","parentId":null,"timestamp":"2026-03-01T10:00:00.000Z","message":{"role":"user","content":"hi"}}`
	hey  = `{"type":"message","id":"b","parentId":"a","timestamp":"2026-03-01T10:00:00.000Z","message":{"role":"assistant","content":[{"type":"text","text":"hey"}],"stopReason":"stop"}}`
)

// F-42, F-11, F-12, F-30, F-22: a new session is written with its first answer,
// readable by its owner alone; from there on line by line.
func TestLazyFirstWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "s-1.jsonl")
	o := writeOptions()
	o.ParentSession = "/old.jsonl"
	w := openWriter(t, path, o)
	put(t, w, user("hi"))
	put(t, w, note("x"))
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("written before the first answer: %v", err)
	}
	put(t, w, answer("hey"))
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode() != 0o600 {
		t.Fatalf("%v, %v", info.Mode(), err)
	}
	put(t, w, user("more"))
	sameLines(t, path,
		`{"type":"session","version":3,"id":"s-1","timestamp":"2026-03-01T10:00:00.000Z","cwd":"/srv/app","parentSession":"/old.jsonl"}`,
		`{"type":"message","id":"00000001","parentId":null,"timestamp":"2026-03-01T10:00:00.000Z","message":{"role":"user","content":"hi","timestamp":1772359200000}}`,
		`{"type":"custom","id":"00000002","parentId":"00000001","timestamp":"2026-03-01T10:00:00.000Z","customType":"x"}`,
		`{"type":"message","id":"00000003","parentId":"00000002","timestamp":"2026-03-01T10:00:00.000Z","message":{"role":"assistant","stopReason":"stop","timestamp":1772359200000,"content":[{"type":"text","text":"hey"}]}}`,
		`{"type":"message","id":"00000004","parentId":"00000003","timestamp":"2026-03-01T10:00:00.000Z","message":{"role":"user","content":"more","timestamp":1772359200000}}`)
	if got := branchOf(t, path); len(got) != 4 || w.Leaf() != got[3] {
		t.Errorf("branch %q, leaf %s", got, w.Leaf())
	}
}

// F-42: a session without an answer leaves nothing.
func TestNoAnswerNoFile(t *testing.T) {
	dir := t.TempDir()
	w := openWriter(t, filepath.Join(dir, "s-1.jsonl"), writeOptions())
	put(t, w, user("hi"))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if list, _ := os.ReadDir(dir); len(list) > 0 {
		t.Errorf("left %v", list)
	}
}

// F-17: a file that is there and empty gets a header, and keeps its mode.
func TestEmptyFile(t *testing.T) {
	path := file(t)
	w := openWriter(t, path, writeOptions())
	put(t, w, answer("hey"))
	if got := linesOf(t, path); len(got) != 3 || got[1] != head {
		t.Errorf("%q", got)
	}
	if info, _ := os.Stat(path); runtime.GOOS != "windows" && info.Mode() != 0o640 {
		t.Errorf("mode %v", info.Mode())
	}
}

// F-10: a last line without an end gets one first. F-12: ids are in no other's
// use; bytes of others stay.
func TestAppendBehindOpenLine(t *testing.T) {
	path := file(t, head, strings.Replace(hi, `"a"`, `"00000001"`, 1))
	if err := os.Truncate(path, int64(len(head)+len(hi)+8)); err != nil {
		t.Fatal(err)
	}
	w := openWriter(t, path, writeOptions())
	if id := put(t, w, answer("hey")); id != "000000000002" {
		t.Errorf("id %s", id)
	}
	if got := linesOf(t, path); len(got) != 3 || got[1] != strings.Replace(hi, `"a"`, `"00000001"`, 1) {
		t.Errorf("%q", got)
	}
	if got := branchOf(t, path); len(got) != 2 {
		t.Errorf("branch %q", got)
	}
}

// F-44: a message that its sender sends again is not written again, not even one
// that waits for the first answer.
func TestIdempotencyKey(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s-1.jsonl")
	keyed := func(text, key string) *transcript.Entry {
		return transcript.NewMessageEntry(user(text).Message.With("idempotencyKey", jsonline.Text(key)))
	}
	w := openWriter(t, path, writeOptions())
	first := put(t, w, keyed("hi", "k1"))
	if again := put(t, w, keyed("hi", "k1")); again != first {
		t.Errorf("waiting: %s and %s", first, again)
	}
	put(t, w, answer("hey"))
	w.Close()
	w = openWriter(t, path, writeOptions())
	if again := put(t, w, keyed("hi", "k1")); again != first {
		t.Errorf("stored: %s and %s", first, again)
	}
	if other := put(t, w, keyed("hi", "k2")); other == first {
		t.Error("another key is the same")
	}
	w.Close()
	a := NewAppender(path, writeOptions())
	if again, err := a.Append(t.Context(), keyed("hi", "k1")); again != first || err != nil {
		t.Errorf("out of band: %s and %s, %v", first, again, err)
	}
	if n := len(linesOf(t, path)); n != 4 {
		t.Errorf("%d lines", n)
	}
}

// F-44, F-43: a turn that stands on another branch is not the run's: it is written
// where the run needs it.
func TestKeyOfOtherBranch(t *testing.T) {
	path := file(t, head, hi, hey)
	sent := transcript.NewMessageEntry(user("queued").Message.With("idempotencyKey", jsonline.Text("k")))
	w := openWriter(t, path, writeOptions())
	w.Pause()
	a := NewAppender(path, writeOptions())
	first, err := a.Append(t.Context(), sent)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Resume(t.Context()); err != nil {
		t.Fatal(err)
	}
	put(t, w, answer("done"))
	second := put(t, w, sent)
	if second == first || put(t, w, sent) != second {
		t.Errorf("%s and %s", first, second)
	}
	if err := w.Select("b"); err != nil {
		t.Fatal(err)
	}
	third := put(t, w, sent)
	if got := branchOf(t, path); third == second || got[len(got)-1] != third || len(got) != 3 {
		t.Errorf("branch %q", got)
	}
	w.Close()
	if again, err := a.Append(t.Context(), sent); again != first || err != nil {
		t.Errorf("out of band %s, %v", again, err)
	}
}

// F-20, F-21: another branch is selected by a control when something is added to
// it; side entries move no leaf (F-23).
func TestSelect(t *testing.T) {
	path := file(t, head, hi, hey)
	w := openWriter(t, path, writeOptions())
	if err := w.Select("a"); err != nil {
		t.Fatal(err)
	}
	if err := w.Select("zz"); !errors.Is(err, ErrUnknownEntry) {
		t.Errorf("got %v", err)
	}
	put(t, w, answer("other"))
	side := put(t, w, answer("mirror").With("appendMode", jsonline.Text("side")))
	last := put(t, w, user("on"))
	got := linesOf(t, path)
	if got[3] != `{"type":"leaf","id":"00000001","parentId":"b","timestamp":"2026-03-01T10:00:00.000Z","targetId":"a"}` {
		t.Errorf("%s", got[3])
	}
	if !strings.Contains(got[6], `"parentId":"`+side+`"`) {
		t.Errorf("%s", got[6])
	}
	if got := fmt.Sprint(branchOf(t, path)); got != "[a 00000002 "+last+"]" {
		t.Errorf("branch %s", got)
	}
	if err := w.Select(""); err != nil {
		t.Fatal(err)
	}
	root := put(t, w, user("anew"))
	if got := fmt.Sprint(branchOf(t, path)); got != "["+root+"]" {
		t.Errorf("branch %s", got)
	}
}

// F-51: what no reader would take is not written. What a caller has on several
// lines, or not in UTF-8, becomes one line that everybody reads.
func TestWhatIsWritten(t *testing.T) {
	path := file(t, head, hi)
	w := openWriter(t, path, writeOptions())
	for _, text := range []string{`{"type":"message"}`, `{"type":"message","message":{"role":" "}}`, `{"type":"session","id":"x"}`, `{}`, `[]`} {
		if id, err := w.Append(entryOf(t, text)); !errors.Is(err, ErrNoEntry) {
			t.Errorf("%s: %s, %v", text, id, err)
		}
	}
	put(t, w, entryOf(t, "{\"type\":\"message\",\r\n\"id\":\"mine\",\"message\":{\n\"role\":\"assistant\",\"content\":[{\r\n\t\"type\":\"text\",\"text\":\"caf\xe9\"}],\"n\":1.0}}"))
	want := `{"type":"message","id":"00000006","parentId":"a","timestamp":"2026-03-01T10:00:00.000Z","message":{"role":"assistant","content":[{  ` + "\t" + `"type":"text","text":"caf` + "\uFFFD" + `"}],"n":1.0,"timestamp":1772359200000}}`
	sameLines(t, path, head, hi, want)
}

// F-11: a file of a version that is not known yet is left alone.
func TestNewerVersion(t *testing.T) {
	path := file(t, strings.Replace(head, `"version":3`, `"version":4`, 1), hi, `{"type":"mess`)
	before, _ := os.ReadFile(path)
	if _, err := OpenWriter(t.Context(), path, writeOptions()); !errors.Is(err, ErrVersion) {
		t.Errorf("got %v", err)
	}
	if _, err := NewAppender(path, writeOptions()).Append(context.Background(), user("x")); !errors.Is(err, ErrVersion) {
		t.Errorf("got %v", err)
	}
	if now, _ := os.ReadFile(path); string(now) != string(before) {
		t.Errorf("now\n%s", now)
	}
	if l, err := Acquire(t.Context(), path, brief); err != nil {
		t.Errorf("the lock is still held: %v", err)
	} else {
		l.Release()
	}
}
