package session

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"hygeia/internal/jsonline"
)

// store makes the store of an agent with the given files in it.
func store(t *testing.T, files map[string]string) Store {
	t.Helper()
	s := AgentStore(t.TempDir(), "Main")
	if err := os.MkdirAll(s.Dir(), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(s.Dir(), name), []byte(text), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func row(text string) jsonline.Object { return jsonline.ParseObject([]byte(text)) }

func updateIndex(t *testing.T, s Store, change func(*Index) error) *Index {
	t.Helper()
	x, err := s.Update(t.Context(), LockOptions{}, change)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// F-01: where the sessions of an agent are.
func TestStorePaths(t *testing.T) {
	for agent, want := range map[string]string{"": "main", "Main": "main", "Work 2": "work-2", "../x": "x", "..": "main", "a/b": "a-b"} {
		if got := AgentStore("/state", agent).Dir(); got != filepath.FromSlash("/state/agents/"+want+"/sessions") {
			t.Errorf("%q: %s", agent, got)
		}
	}
	for path, want := range map[string]string{
		"~/s/{agentId}": "/home/me/s/work", "/s/{agentId}/sessions.json": "/s/work", "/s/": "/s", "~": "/home/me", "/~/s": "/~/s",
	} {
		if got := StoreAt(path, "/home/me", "WORK").Dir(); got != filepath.FromSlash(want) {
			t.Errorf("%q: %s", path, got)
		}
	}
}

// F-06, G-7: a row that is changed keeps the members that nobody knows, and all
// other rows their bytes.
func TestIndexUpdate(t *testing.T) {
	odd := `{"sessionId" : "s-2","n":1e400,` + "\n" + `"x":[1.0]}`
	s := store(t, map[string]string{"sessions.json": "\uFEFF" + `{"agent:main:main": {"sessionId":"s-1","future":{"a":9007199254740993}}, "b":` + odd + `, "c": null, "d":{}}`})
	before, _ := os.ReadFile(s.indexPath())
	x := updateIndex(t, s, func(x *Index) error {
		x.Set("agent:main:main", x.Row("agent:main:main"))
		x.Delete("nobody")
		return nil
	})
	if now, _ := os.ReadFile(s.indexPath()); string(now) != string(before) {
		t.Errorf("written without a change: %s", now)
	}
	if got := x.Keys(); !slices.Equal(got, []string{"agent:main:main", "b", "c", "d"}) || x.Row("c").Exists() || x.Row("zz").Exists() {
		t.Errorf("keys %q", got)
	}
	updateIndex(t, s, func(x *Index) error {
		x.Set("agent:main:main", x.Row("agent:main:main").With("updatedAt", jsonline.Int(7)))
		x.Delete("d")
		x.Set("new \"key\"", row(`{"sessionId":"s-3"}`))
		return nil
	})
	want := `{
  "agent:main:main": {"sessionId":"s-1","future":{"a":9007199254740993},"updatedAt":7},
  "b": ` + odd + `,
  "c": null,
  "new \"key\"": {"sessionId":"s-3"}
}
`
	if now, _ := os.ReadFile(s.indexPath()); string(now) != want {
		t.Errorf("got %s", now)
	}
	updateIndex(t, s, func(x *Index) error { x.Delete("c"); return nil })
	if x, err := s.Index(); err != nil || x.Row("c").Exists() || len(x.Keys()) != 3 {
		t.Errorf("a row that was deleted: %v, %v", x.Keys(), err)
	}
	if info, _ := os.Stat(s.indexPath()); runtime.GOOS != "windows" && info.Mode() != 0o640 {
		t.Errorf("mode %v", info.Mode())
	}
	if list, _ := os.ReadDir(s.Dir()); len(list) != 1 {
		t.Errorf("left %v", list)
	}
}

// F-06: an index that is not there is empty, and made for its owner alone.
func TestIndexNew(t *testing.T) {
	s := AgentStore(t.TempDir(), "")
	if x, err := s.Index(); err != nil || len(x.Keys()) > 0 || len(x.Problems()) > 0 {
		t.Fatalf("%v, %v", x, err)
	}
	updateIndex(t, s, func(x *Index) error { x.Set("global", row(`{}`)); return nil })
	info, err := os.Stat(s.indexPath())
	if err != nil || runtime.GOOS != "windows" && info.Mode() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	failure := errors.New("no")
	if _, err := s.Update(t.Context(), LockOptions{}, func(x *Index) error { x.Delete("global"); return failure }); !errors.Is(err, failure) {
		t.Errorf("got %v", err)
	}
	if x, _ := s.Index(); len(x.Keys()) != 1 {
		t.Error("written after an error")
	}
}

// F-06: what is unreadable for a moment is read again, and has no rows if it
// stays so.
func TestIndexRetries(t *testing.T) {
	for _, text := range []string{"", "{", "[]", `{"a":`} {
		// The writer may be late on a busy machine, so it gets some tries; a
		// reader that does not look again fails all of them.
		if !slices.ContainsFunc(make([]int, 20), func(int) bool { return readsAgain(t, text) }) {
			t.Errorf("%q: the index that came was not read", text)
		}
		s := store(t, map[string]string{"sessions.json": text})
		if x, err := s.Index(); err != nil || len(x.Keys()) > 0 || len(x.Problems()) != 1 {
			t.Errorf("%q: %v, %v", text, x.Keys(), err)
		}
		if now, _ := os.ReadFile(s.indexPath()); string(now) != text {
			t.Errorf("reading wrote %q", now)
		}
	}
}

// readsAgain puts a whole index in the place of text while it is read, and
// reports whether that one was seen.
func readsAgain(t *testing.T, text string) bool {
	s := store(t, map[string]string{"sessions.json": text})
	done := make(chan struct{})
	go func() {
		defer close(done)
		time.Sleep(indexWait / 2)
		os.WriteFile(s.indexPath()+"2", []byte(`{"a":{}}`), 0o600)
		os.Rename(s.indexPath()+"2", s.indexPath())
	}()
	x, err := s.Index()
	<-done
	return err == nil && len(x.Keys()) == 1 && len(x.Problems()) == 0
}

// F-B20, F-05, F-B27: an index that cannot be read is moved aside, not written
// over, and rows are made of the session files.
func TestIndexRebuilt(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secret.jsonl")
	os.WriteFile(outside, []byte(`{"type":"session","id":"outside"}`+"\n"), 0o600)
	s := store(t, map[string]string{
		"sessions.json":                                `{"a":{"sessionId":"s-1"}`,
		"s-1.jsonl":                                    head + "\n" + hi + "\n",
		"2026-03-01T10-00-00-000Z_s-2.jsonl":           "\uFEFF" + `{"type":"session","id":"s-2","timestamp":"soon"}` + "\n",
		"s-3-topic-7.jsonl":                            `{"type":"sess` + "\n" + hi + "\n",
		"empty.jsonl":                                  "",
		"s-1.jsonl.lock":                               "",
		"s-1.jsonl.bak.2026-03-01T10-00-00.000Z":       head,
		"s-1.jsonl.reset.2026-03-01T10-00-00Z":         head,
		"s-1.trajectory.jsonl":                         head,
		"s-1.checkpoint.0f9b2c00-1111.jsonl":           head,
		"s-1.jsonl.corrupt-20260301-0f9b2c00.jsonl":    head,
		"s-1.jsonl.dropped-2026-03-01T10-00-00.000Z":   head,
		"sessions.json.corrupt-2025-01-01T00-00-00Z":   "{",
		"s-1.jsonl.repair.1.0f9b2c00-1111-4222-83.tmp": head,
	})
	os.Symlink(outside, filepath.Join(s.Dir(), "link.jsonl"))
	then := time.UnixMilli(1_700_000_000_000)
	for _, name := range []string{"s-1.jsonl", "2026-03-01T10-00-00-000Z_s-2.jsonl", "s-3-topic-7.jsonl"} {
		os.Chtimes(filepath.Join(s.Dir(), name), then, then)
	}
	x := updateIndex(t, s, func(*Index) error { return nil })
	var got []string
	for _, key := range x.Keys() {
		r := x.Row(key)
		got = append(got, fmt.Sprint(key, " ", r.Get("sessionId").String(), " ", filepath.Base(r.Get("sessionFile").String()), " ", string(r.Get("updatedAt").Raw), " ", string(r.Get("sessionStartedAt").Raw)))
	}
	want := []string{
		"agent:main:recovered:s-2 s-2 2026-03-01T10-00-00-000Z_s-2.jsonl 1700000000000 ",
		"agent:main:recovered:s-1 s-1 s-1.jsonl 1700000000000 1772359200000",
		"agent:main:recovered:s-3 s-3 s-3-topic-7.jsonl 1700000000000 ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	if again, err := s.Index(); err != nil || !slices.Equal(again.Keys(), x.Keys()) || len(again.Problems()) > 0 {
		t.Errorf("stored %q, %v, %v", again.Keys(), again.Problems(), err)
	}
	aside, _ := filepath.Glob(s.indexPath() + ".corrupt-2*")
	if len(aside) != 2 || len(x.Problems()) != 2 || !strings.Contains(x.Problems()[1].Reason, aside[1]) {
		t.Fatalf("aside %q, %v", aside, x.Problems())
	}
	if text, _ := os.ReadFile(aside[1]); string(text) != `{"a":{"sessionId":"s-1"}` {
		t.Errorf("aside is %s", text)
	}
	for _, key := range x.Keys() {
		path, err := s.Path(x.Row(key))
		if _, serr := os.Stat(path); err != nil || serr != nil {
			t.Errorf("%s: %s, %v, %v", key, path, err, serr)
		}
	}
}

// F-B20, F-06: many change the index at once and no change is lost.
func TestIndexWriters(t *testing.T) {
	s := store(t, nil)
	var group sync.WaitGroup
	for i := range 4 {
		group.Go(func() {
			for n := range 5 {
				_, err := s.Update(t.Context(), LockOptions{}, func(x *Index) error {
					x.Set(fmt.Sprint(i, ":", n), row(`{}`))
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if x, _ := s.Index(); len(x.Keys()) != 20 {
		t.Errorf("%d rows", len(x.Keys()))
	}
}

// F-B20: what somebody without the lock wrote in between is not lost either.
func TestIndexFence(t *testing.T) {
	s := store(t, map[string]string{"sessions.json": `{"a":{}}`})
	times := 0
	updateIndex(t, s, func(x *Index) error {
		if times++; times == 1 {
			os.WriteFile(s.indexPath(), []byte(`{"a":{},"theirs":{}}`), 0o640)
		}
		x.Set("mine", row(`{}`))
		return nil
	})
	if x, _ := s.Index(); !slices.Equal(x.Keys(), []string{"a", "theirs", "mine"}) || times != 2 {
		t.Errorf("%q after %d times", x.Keys(), times)
	}
}

// F-03, F-04: a row leads to a file in the store or a sibling of it, wherever
// links lead, and nowhere else.
func TestStorePath(t *testing.T) {
	s := store(t, map[string]string{"other.jsonl": head})
	root := filepath.Dir(filepath.Dir(filepath.Dir(s.Dir())))
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		t.Fatal(err)
	}
	sibling := filepath.Join(root, "agents", "work", "sessions")
	outside := t.TempDir()
	links := errors.Join(os.MkdirAll(sibling, 0o700),
		os.WriteFile(filepath.Join(outside, "x.jsonl"), nil, 0o600),
		os.MkdirAll(filepath.Join(root, "agents", "work", "other"), 0o700),
		os.MkdirAll(filepath.Join(root, "others", "work", "sessions"), 0o700),
		os.MkdirAll(filepath.Join(root, "others", "main", "sessions"), 0o700),
		os.Symlink(outside, filepath.Join(s.Dir(), "out")),
		os.Symlink(sibling, filepath.Join(s.Dir(), "in")),
		os.Symlink(filepath.Join(outside, "x.jsonl"), filepath.Join(s.Dir(), "file.jsonl")),
		os.Symlink(filepath.Join(outside, "gone.jsonl"), filepath.Join(s.Dir(), "gone.jsonl")))
	if links != nil {
		t.Skip(links)
	}
	own := filepath.Join(real, "agents", "main", "sessions")
	for file, want := range map[string]string{
		"":                                        "default",
		filepath.Join(s.Dir(), "other.jsonl"):     filepath.Join(own, "other.jsonl"),
		"other.jsonl":                             filepath.Join(own, "other.jsonl"),
		filepath.Join(s.Dir(), "new.jsonl"):       filepath.Join(own, "new.jsonl"),
		filepath.Join(sibling, "x.jsonl"):         filepath.Join(real, "agents", "work", "sessions", "x.jsonl"),
		filepath.Join(s.Dir(), "in/x.jsonl"):      filepath.Join(real, "agents", "work", "sessions", "x.jsonl"),
		filepath.Join(s.Dir(), "out/x.jsonl"):     "default",
		filepath.Join(s.Dir(), "file.jsonl"):      "default",
		filepath.Join(s.Dir(), "gone.jsonl"):      "default",
		filepath.Join(outside, "x.jsonl"):         "default",
		"../../../../etc/x.jsonl":                 "default",
		"../../work/other/x.jsonl":                "default",
		filepath.Join(s.Dir(), "nowhere/x.jsonl"): "default",
		"other.jsonl.bak.2026-03-01T10-00-00Z":    "default",
		"s-1.trajectory.jsonl":                    "default",
		"/etc/passwd":                             "default",
		"other.jsonl\x00":                         "default",
	} {
		got, err := s.Path(row(`{"sessionId":"s-1"}`).With("sessionFile", jsonline.Text(file)))
		if want == "default" {
			want = filepath.Join(s.Dir(), "s-1.jsonl")
		}
		if err != nil || got != want {
			t.Errorf("%s\n got %s, %v\nwant %s", file, got, err, want)
		}
	}
	// A folder elsewhere that is only called the same has no siblings.
	lone := StoreAt(filepath.Join(root, "others", "main", "sessions"), "", "")
	if got, err := lone.Path(row(`{"sessionId":"s-1","sessionFile":"../../work/sessions/x.jsonl"}`)); err != nil || got != filepath.Join(lone.Dir(), "s-1.jsonl") {
		t.Errorf("got %s, %v", got, err)
	}
	for _, id := range []string{"", "..", "../x", "a/b", `a\b`, "-x", "a\x00", "a%2fb", strings.Repeat("a", 129), "x.checkpoint.0f9b2c00-1111", "x.trajectory"} {
		if got, err := s.Path(jsonline.Object{}.With("sessionId", jsonline.Text(id))); !errors.Is(err, ErrSessionID) {
			t.Errorf("%q: %s, %v", id, got, err)
		}
	}
	if _, err := s.Path(row(`{"sessionId":"` + strings.Repeat("a", 128) + `"}`)); err != nil {
		t.Error(err)
	}
}

// F-02: all spellings of the name of a session's file are found.
func TestStoreFiles(t *testing.T) {
	s := store(t, map[string]string{
		"s.jsonl": "", "s-topic-a%2Fb.jsonl": "", "2026-03-01T10-00-00-000Z_s.jsonl": "", "s-2.jsonl": "", "s.jsonl.lock": "", "s.trajectory.jsonl": "",
	})
	got, err := s.Files("s")
	if want := []string{"s.jsonl", "s-topic-a%2Fb.jsonl", "2026-03-01T10-00-00-000Z_s.jsonl"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
	if got, _ := s.Files(""); len(got) > 0 {
		t.Errorf("%q", got)
	}
}
