package tui

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// Design §9: the token goes to the address that was named and nowhere else.
func TestTokenGoesNowhereElse(t *testing.T) {
	leaked := false
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		leaked = leaked || r.Header.Get("Authorization") != ""
	}))
	defer other.Close()
	asked := ""
	gateway := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = r.Header.Get("Authorization")
		if strings.Contains(r.URL.String(), "secret") {
			t.Error("the token stands in the URL")
		}
		http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
	}))
	defer gateway.Close()
	r, err := NewRemote(gateway.URL, "secret", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.List(t.Context(), ""); err == nil {
		t.Error("a redirect is taken for an answer")
	}
	if asked != "Bearer secret" || leaked {
		t.Errorf("asked with %q, leaked: %t", asked, leaked)
	}
}

func TestAddresses(t *testing.T) {
	for address, ok := range map[string]bool{
		"http://127.0.0.1:1": true, "https://example.com/base/": true,
		"": false, "example.com": false, "ftp://example.com": false, "file:///etc/passwd": false,
		"http://name:word@example.com": false, "http://example.com/?token=x": false, "http://example.com/#x": false, "http://": false,
	} {
		if _, err := NewRemote(address, "", nil); (err == nil) != ok || err != nil && !errors.Is(err, ErrURL) {
			t.Errorf("%q: %v", address, err)
		}
	}
}

// H-61: what a gateway sends is projected again, and its errors are told without
// the page that came with them.
func TestAnswersOfAGateway(t *testing.T) {
	gateway := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.RawQuery == "api=openai-completions&to=openai%2Fgpt-4o":
			io.WriteString(w, `{"branches":3}`)
		case strings.HasSuffix(r.URL.Path, "/health"):
			w.WriteHeader(http.StatusBadGateway)
			io.WriteString(w, "<html>down</html>")
		case strings.HasPrefix(r.URL.EscapedPath(), "/sessions/a%2F..%2Fb/history"):
			io.WriteString(w, `{"messages":[{"role":"user","content":"[Working directory: /x]\n\nhello"},{"role":"assistant","content":"NO_REPLY"},{"role":"assistant","content":"a<|end|>"}],"nextCursor":"c"}`)
		default:
			w.WriteHeader(http.StatusForbidden)
			io.WriteString(w, `{"ok":false,"error":{"message":"missing scope: write"}}`)
		}
	}))
	defer gateway.Close()
	r, err := NewRemote(gateway.URL, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	page, err := r.Before(t.Context(), "a/../b", "x", Show{Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	for _, m := range page.Messages {
		told = append(told, words(m))
	}
	if got := strings.Join(told, "|"); got != "hello|a" || page.Older != "c" {
		t.Errorf("%q, older %q", got, page.Older)
	}
	if _, err := r.Create(t.Context()); err == nil || err.Error() != "the gateway answers 403: missing scope: write" {
		t.Error(err)
	}
	if h, err := r.Health(t.Context(), "k", "openai/gpt-4o", "openai-completions"); err != nil || h.Branches != 3 {
		t.Errorf("%+v, %v", h, err)
	}
	if _, err := r.Health(t.Context(), "k", "", ""); err == nil || err.Error() != "the gateway answers 502: Bad Gateway" {
		t.Error(err)
	}
}

// A stream that breaks is taken up again and loads the page anew; one that is
// refused is not asked for again.
func TestFollowComesBack(t *testing.T) {
	asked := 0
	gateway := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "/runs/") {
			io.WriteString(w, `{"status":"error","text":"so far","error":"the moon is full"}`)
			return
		}
		if asked++; asked > 2 {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		io.WriteString(w, "retry: 1\n\n: alive\n\nevent: history\nid: e1\ndata: {\"messages\":[{\"role\":\"user\",\ndata: \"content\":\"one\"}]}\n\n"+
			"event: delta\ndata: {\"runId\":\"r\",\"deltaText\":\"so\"}\n\nevent: delta\ndata: {\"runId\":\"r\",\"deltaText\":\" far\"}\n\n"+
			"event: delta\ndata: {\"runId\":\"r\",\"deltaText\":\"again\",\"replace\":true}\n\nevent: unknown\ndata: {}\n\nevent: end\ndata: {\"runId\":\"r\"}\n\nevent: delta\ndata: {\"half")
	}))
	defer gateway.Close()
	r, err := NewRemote(gateway.URL, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	r.Follow(t.Context(), "k", Show{Limit: 5}, func(e Event) {
		text := map[EventKind]string{Loaded: "loaded", Grew: "grew " + e.Text, Ended: "ended " + e.Text, Lost: "lost", Note: e.Text}[e.Kind]
		if e.Kind == Ended {
			text += ": " + e.Err.Error()
		}
		told = append(told, text)
	})
	once := "loaded|grew so|grew so far|grew again|ended so far: the moon is full|lost|"
	if got := strings.Join(told, "|"); got != once+once+"the gateway answers 404: Not Found" {
		t.Errorf("told %s", got)
	}
}

func FuzzReadEvents(f *testing.F) {
	f.Add("event: history\ndata: {\"messages\":[]}\n\n")
	f.Add("event: delta\ndata: {\"runId\":\"r\",\"deltaText\":\"x\"}\n\n")
	f.Add("event: message\ndata: {\"message\":{\"role\":\"user\",\"content\":\"\\u001b[31m\"}}\n\n")
	f.Add("data: \n\ndata:x\n\n\r\n")
	f.Fuzz(func(t *testing.T, in string) {
		// An address that answers nothing: what came of a run is not known.
		r, err := NewRemote("http://localhost", "", http.NewFileTransport(http.Dir(t.TempDir())))
		if err != nil {
			t.Fatal(err)
		}
		c := newChat(t)
		g := following{r: r, ctx: context.Background(), key: "k", tell: c.tell}
		if err := readEvents(strings.NewReader(in), func() {}, g.hear); err == nil {
			t.Error("a stream has an end without an error")
		}
		if strings.ContainsAny(strings.ReplaceAll(c.screen(), "\x1b[", ""), "\x00\x07\x08\x1b\u009b\u202e") {
			t.Errorf("%q", c.screen())
		}
	})
}
