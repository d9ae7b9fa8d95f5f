package gateway

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hygeia/session"
)

var branched = append(turns(2),
	`{"type":"message","id":"x1","parentId":"e1","timestamp":"2026-03-01T10:01:00.000Z","message":{"role":"user","content":"`+wrapped+`Roses\u202e instead"}}`,
	`{"type":"message","id":"x2","parentId":"x1","timestamp":"2026-03-01T10:01:00.000Z","message":{"role":"assistant","content":"Red ones."}}`,
	`{"type":"message","id":"x3","parentId":"x2","timestamp":"2026-03-01T10:01:00.000Z","message":{"role":"toolResult","toolCallId":"1","content":"HIDDEN"}}`)

// H-B09, H-B18: branches are told apart by what is said on them.
func TestBranches(t *testing.T) {
	b := newBench(t, nil, nil)
	b.file("k", branched...)
	_, _, text := b.ask("GET", "/sessions/k/branches", "")
	want := `{"branches":[{"leaf":"e2","partsAt":"e1","active":false,"begins":"2","ends":"2"},{"leaf":"x3","partsAt":"x3","active":true,"ends":"Red ones."}]}` + "\n"
	if text != want {
		t.Errorf("%s, want %s", text, want)
	}
	b.want(202, "POST", "/sessions/k/messages", `{"message":"on","idempotencyKey":"a","leaf":"e2"}`, nil)
	b.wait("k", "a")
	_, _, text = b.ask("GET", "/sessions/k/branches", "")
	if !strings.Contains(text, `"begins":"Roses instead","ends":"Red ones."`) {
		t.Error(text)
	}
}

// F-26: a branch becomes a session of its own, which goes on by itself; the old one
// stays as it was.
func TestFork(t *testing.T) {
	b := newBench(t, nil, nil)
	path := b.file("k", branched...)
	b.want(200, "PATCH", "/sessions/k", `{"model":"openai/gpt-4o"}`, nil)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var made row
	b.want(201, "POST", "/sessions/k/fork", `{"leaf":"e2","title":"Aside"}`, &made)
	if made.Title != "Aside" || made.Model != "openai/gpt-4o" || made.Key == "k" || made.SessionID == "" {
		t.Errorf("%+v", made)
	}
	var p shownPage
	b.want(200, "GET", "/sessions/"+made.Key+"/history", "", &p)
	if p.texts() != "1 2" {
		t.Error(p.texts())
	}
	b.want(201, "POST", "/sessions/k/fork", `{"key":"whole"}`, &made)
	b.want(202, "POST", "/sessions/whole/messages", `{"message":"on","idempotencyKey":"a"}`, nil)
	b.wait("whole", "a")
	b.want(200, "GET", "/sessions/whole/history", "", &p)
	if got := p.texts(); !strings.HasPrefix(got, "1 Roses\u202e instead Red ones.") || !strings.Contains(got, " on ") {
		t.Errorf("%q", got)
	}
	if now, err := os.ReadFile(path); err != nil || string(now) != string(before) {
		t.Error("the session that was forked has changed", err)
	}
	// The state may be moved: the row names the file from where the index stands.
	index, err := os.ReadFile(filepath.Join(filepath.Dir(path), "sessions.json"))
	if err != nil || strings.Contains(string(index), filepath.Dir(path)) {
		t.Errorf("%s, %v", index, err)
	}
	peer, _, err := b.sessions.Find("whole")
	if err != nil {
		t.Fatal(err)
	}
	s, err := session.Load(peer.Path, session.Options{})
	if err != nil || s.Header().ParentSession != path {
		t.Errorf("the fork says that it is of %q, %v", s.Header().ParentSession, err)
	}
	// What is refused leaves no file behind.
	files := func() int {
		list, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	n := files()
	b.session("empty")
	for _, c := range []struct {
		key, body string
		want      int
	}{{"k", `{"leaf":"nowhere"}`, 404}, {"k", `{"key":"whole"}`, 409}, {"empty", `{}`, 409}, {"k", `{"archived":true}`, 400}, {"k", `{"model":"x"}`, 400}} {
		b.want(c.want, "POST", "/sessions/"+c.key+"/fork", c.body, nil)
	}
	if files() != n {
		t.Errorf("%d files, there were %d", files(), n)
	}
}
