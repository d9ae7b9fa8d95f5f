package gateway

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
)

type listAnswer struct {
	Sessions []row
	Total    int
}

// in returns the row of a key.
func (l listAnswer) in(t *testing.T, key string) row {
	t.Helper()
	for _, r := range l.Sessions {
		if r.Key == key {
			return r
		}
	}
	t.Fatalf("%s is not in %+v", key, l.Sessions)
	return row{}
}

func said(p *preview) string {
	var list []string
	for _, item := range p.Items {
		list = append(list, item.Role+": "+item.Text)
	}
	return p.Status + " " + strings.Join(list, " | ")
}

const wrapped = `<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nHIDDEN\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>\n\n`

// H-17, H-18, H-B09, X-B01: a list shows the end of each session as it is shown
// elsewhere, and makes a title of what a user said first where nobody gave one.
func TestPreviews(t *testing.T) {
	b := newBench(t, nil, nil)
	b.file("talk",
		`{"type":"message","id":"o","parentId":null,"message":{"role":"user","content":"routed","provenance":{"kind":"inter_session","sourceTool":"sessions_send","sourceSessionKey":"agent:bob:main"}}}`,
		`{"type":"message","id":"a","parentId":"o","message":{"role":"user","content":"`+wrapped+`Water the\nroses\u202e"}}`,
		`{"type":"message","id":"b","parentId":"a","message":{"role":"assistant","content":[{"type":"thinking","thinking":"HIDDEN"},{"type":"text","text":"<think>HIDDEN</think>`+strings.Repeat("wet ", 100)+`"}]}}`,
		`{"type":"message","id":"c","parentId":"b","message":{"role":"toolResult","toolCallId":"1","content":"HIDDEN"}}`,
		`{"type":"message","id":"d","parentId":"c","message":{"role":"assistant","content":"NO_REPLY"}}`)
	b.session("new")
	broken := b.file("broken")
	if err := os.Remove(broken); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(broken, 0o700); err != nil {
		t.Fatal(err)
	}
	b.want(200, "PATCH", "/sessions/new", `{"title":"Given\u0007\u202e name"}`, nil)
	_, _, text := b.ask("GET", "/sessions?preview=2&maxChars=20", "")
	if strings.Contains(text, "HIDDEN") || strings.Contains(text, "\u202e") {
		t.Error(text)
	}
	var l listAnswer
	b.want(200, "GET", "/sessions?preview=2&maxChars=20", "", &l)
	if r := l.in(t, "talk"); r.Title != "Water the roses" || said(r.Preview) != "ok user: Water the roses | assistant: wet wet wet wet wet…" {
		t.Errorf("%q: %s", r.Title, said(r.Preview))
	}
	if r := l.in(t, "new"); r.Title != "Given name" || said(r.Preview) != "empty " { // H-B13
		t.Errorf("%q: %s", r.Title, said(r.Preview))
	}
	if r := l.in(t, "broken"); said(r.Preview) != "error " {
		t.Error(said(r.Preview))
	}
	var one row
	b.want(200, "GET", "/sessions/talk?preview=12", "", &one)
	if got := said(one.Preview); !strings.HasPrefix(got, "ok assistant: routed | user: Water") {
		t.Error(got)
	}
	// What is added shows, whether the session is open or not.
	for range 2 {
		b.want(200, "POST", "/sessions/talk/inject", `{"message":"from the desk"}`, nil)
		b.want(200, "GET", "/sessions?preview=1", "", &l)
		if got := said(l.in(t, "talk").Preview); got != "ok assistant: from the desk" {
			t.Error(got)
		}
		b.want(200, "POST", "/sessions/talk/inject", `{"message":"again"}`, nil)
		b.want(200, "GET", "/sessions/talk/history", "", nil)
		b.want(200, "GET", "/sessions?preview=1", "", &l)
		if got := said(l.in(t, "talk").Preview); got != "ok assistant: again" {
			t.Error(got)
		}
	}
	b.want(200, "GET", "/sessions", "", &l)
	if l.in(t, "talk").Preview != nil {
		t.Error("a preview that nobody asked for")
	}
	for _, query := range []string{"preview=13", "preview=x", "maxChars=19", "maxChars=1001"} {
		b.want(400, "GET", "/sessions?"+query, "", nil)
	}
}

// H-18: the list is paged from the newest on, and a row names the whole target.
func TestListPages(t *testing.T) {
	b := newBench(t, nil, nil)
	path := b.file("k", turns(1)...)
	index := `{"old":{"updatedAt":1},"new":{"updatedAt":3,"modelProvider":"openai","model":"gpt-4o"},"mid":{"updatedAt":2,"model":"gpt-4o"}}`
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), "sessions.json"), []byte(index), 0o600); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]string{
		"limit=2": "new openai/gpt-4o, mid gpt-4o, true", "limit=2&offset=1": "mid gpt-4o, old , false", "limit=3": "new openai/gpt-4o, mid gpt-4o, old , false",
		"offset=3": "false", "offset=9": "false",
	} {
		var l struct {
			Sessions []row
			Total    int
			HasMore  bool
		}
		b.want(200, "GET", "/sessions?"+query, "", &l)
		got := ""
		for _, r := range l.Sessions {
			got += r.Key + " " + r.Model + ", "
		}
		if got += fmt.Sprint(l.HasMore); got != want || l.Total != 3 {
			t.Errorf("%s: %q of %d, want %q", query, got, l.Total, want)
		}
	}
}

// X-B01: a title that another program made of a user's first words is shown by the
// rules for those words.
func TestDerivedTitle(t *testing.T) {
	b := newBench(t, nil, nil)
	path := b.file("k", turns(1)...)
	index := filepath.Join(filepath.Dir(path), "sessions.json")
	for derived, want := range map[string]string{"[Mon 2026-03-02 08:00 UTC] Roses": "Roses", wrapped: "k"} {
		if err := os.WriteFile(index, fmt.Appendf(nil, `{"k":{"sessionId":"s","derivedTitle":"%s"}}`, derived), 0o600); err != nil {
			t.Fatal(err)
		}
		var r row
		b.want(200, "GET", "/sessions/k", "", &r)
		if r.Title != want {
			t.Errorf("%q is shown as %q", derived, r.Title)
		}
	}
}

// H-32: a stream of the list tells of each session that comes, changes or goes; whoever
// applies it has what the list would give.
func TestListStream(t *testing.T) {
	b := newBench(t, nil, nil)
	b.file("one", turns(1)...)
	next := b.events("/sessions?preview=1&limit=2")
	name, _, data := next()
	var l listAnswer
	read := func(into any) {
		t.Helper()
		if err := json.Unmarshal([]byte(data), into, json.MatchCaseInsensitiveNames(true)); err != nil {
			t.Fatal(data, err)
		}
	}
	if read(&l); name != "sessions" || said(l.in(t, "one").Preview) != "ok user: 1" {
		t.Fatal(name, data)
	}
	// until reads on to an event that is wanted.
	until := func(reason, key string, is func(row) bool) {
		t.Helper()
		for {
			var e struct {
				Reason, Key string
				Session     row
			}
			if name, _, data = next(); name != "changed" {
				t.Fatal(name, data)
			}
			if read(&e); e.Reason == reason && e.Key == key && is(e.Session) {
				return
			}
		}
	}
	any := func(row) bool { return true }
	b.session("two")
	until("created", "two", any)
	b.want(200, "PATCH", "/sessions/two", `{"title":"Garden"}`, nil)
	until("changed", "two", func(r row) bool { return r.Title == "Garden" })
	b.want(202, "POST", "/sessions/two/messages", `{"message":"hello","idempotencyKey":"a"}`, nil)
	until("changed", "two", func(r row) bool { return r.HasRun })
	until("changed", "two", func(r row) bool {
		return !r.HasRun && len(r.Preview.Items) == 1 && r.Preview.Items[0].Role == "assistant"
	})
	b.want(200, "PATCH", "/sessions/one", `{"archived":true}`, nil)
	until("removed", "one", any)
	// Another program writes the index.
	p, _, err := b.sessions.Find("two")
	if err != nil {
		t.Fatal(err)
	}
	index := filepath.Join(filepath.Dir(p.Path), "sessions.json")
	if err := os.WriteFile(index+".new", fmt.Appendf(nil, `{"three":{"sessionId":"three","updatedAt":%d}}`, time.Now().UnixMilli()), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(index+".new", index); err != nil {
		t.Fatal(err)
	}
	until("removed", "two", any)
	until("created", "three", any)
	b.want(400, "GET", "/sessions?offset=1", "", nil, "Accept", "text/event-stream")
}

// H-B16, H-32: a share is told of its session alone, in the list and on its stream.
func TestListOfAShare(t *testing.T) {
	b := newBench(t, nil, nil)
	b.file("k", turns(1)...)
	b.file("other", turns(1)...)
	var s struct{ Token string }
	b.want(201, "POST", "/sessions/k/shares", `{}`, &s)
	admin := b.token
	b.token = s.Token
	next := b.events("/sessions?preview=1")
	if name, _, data := next(); name != "sessions" || strings.Contains(data, "other") || !strings.Contains(data, `"k"`) {
		t.Error(name, data)
	}
	b.token = admin
	b.want(200, "PATCH", "/sessions/other", `{"title":"secret"}`, nil)
	b.want(200, "PATCH", "/sessions/k", `{"title":"seen"}`, nil)
	if _, _, data := next(); !strings.Contains(data, "seen") {
		t.Error(data)
	}
}
