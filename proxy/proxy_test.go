package proxy_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"hygeia"
	"hygeia/proxy"
)

// The bodies of one turn, without and with a fault.
const (
	good = `{"model":"claude-opus-4-6", "max_tokens":100,"messages":[{"role":"user","content":"q"}]}`
	bad  = `{"model":"claude-opus-4-6","max_tokens":100,"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},{"role":"user","content":"go on"}]}`
)

// upstream records what arrives.
type upstream struct {
	*httptest.Server
	mu     sync.Mutex
	seen   []*http.Request
	bodies []string
	answer http.HandlerFunc
}

func newUpstream(t *testing.T, answer http.HandlerFunc) *upstream {
	t.Helper()
	u := &upstream{answer: answer}
	u.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		u.mu.Lock()
		u.seen, u.bodies = append(u.seen, r), append(u.bodies, string(body))
		u.mu.Unlock()
		if u.answer != nil {
			u.answer(w, r)
		}
	}))
	t.Cleanup(u.Close)
	return u
}

func (u *upstream) last(t *testing.T) (*http.Request, string) {
	t.Helper()
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.seen) == 0 {
		t.Fatal("nothing has arrived")
	}
	return u.seen[len(u.seen)-1], u.bodies[len(u.bodies)-1]
}

func (u *upstream) count() int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return len(u.seen)
}

// to returns a configuration of one upstream.
func to(url string) proxy.Config {
	return proxy.Config{Routes: []proxy.Route{{Upstream: url, To: hygeia.Target{Provider: "anthropic"}}}}
}

// serve runs a proxy and returns its URL and the proxy.
func serve(t *testing.T, c proxy.Config) (string, *proxy.Proxy) {
	t.Helper()
	p, err := proxy.New(c)
	if err != nil {
		t.Fatal(err)
	}
	l, err := p.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := p.Serve(ctx, l); err != nil {
			t.Error(err)
		}
	}()
	t.Cleanup(func() { stop(); <-ended })
	return "http://" + l.Addr().String(), p
}

// call is a client that follows no redirects and reuses no connection.
var call = &http.Client{
	Transport:     &http.Transport{DisableKeepAlives: true, DisableCompression: true},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

type answer struct {
	status int
	header http.Header
	text   string
}

func ask(t *testing.T, method, url, body string, header ...string) answer {
	t.Helper()
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		if header[i] == "Host" {
			r.Host = header[i+1]
		}
		r.Header.Set(header[i], header[i+1])
	}
	got, err := call.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	text, _ := io.ReadAll(got.Body)
	return answer{got.StatusCode, got.Header, string(text)}
}

// counted waits for lines in the metrics: a client may hold the whole answer a
// moment before the proxy has let go of the request.
func counted(t *testing.T, url string, lines ...string) {
	t.Helper()
	var text, missing string
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		text, missing = ask(t, "GET", url+"/metrics", "").text, ""
		for _, line := range lines {
			if !strings.Contains(text, line+"\n") {
				missing = line
			}
		}
		if missing == "" {
			return
		}
	}
	t.Errorf("no %s in\n%s", missing, text)
}

// TestPass sends on what is clean to the byte, and what is not made acceptable.
func TestPass(t *testing.T) {
	up := newUpstream(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Upstream", "yes")
		w.Header().Set("Connection", "X-Secret-Hop")
		w.Header().Set("X-Secret-Hop", "1")
		_, _ = io.WriteString(w, "answer")
	})
	url, _ := serve(t, to(up.URL+"/base/"))
	got := ask(t, "POST", url+"/v1/messages?beta=true&x=a;b", good,
		"X-Api-Key", "sk-caller", "Hygeia-Token", "t", "Hygeia-Other", "o", "Connection", "X-Hop", "X-Hop", "1", "Proxy-Authorization", "Bearer t", "Te", "gzip", "User-Agent", "")
	r, body := up.last(t)
	if got.status != 200 || got.text != "answer" || got.header.Get("X-Upstream") != "yes" || got.header.Get("X-Secret-Hop") != "" || body != good {
		t.Errorf("%+v %s", got, body)
	}
	if r.URL.RequestURI() != "/base/v1/messages?beta=true&x=a;b" || r.Host != strings.TrimPrefix(up.URL, "http://") || r.Header.Get("X-Api-Key") != "sk-caller" {
		t.Errorf("%s %s %v", r.Host, r.URL.RequestURI(), r.Header)
	}
	for _, name := range []string{"Hygeia-Token", "Hygeia-Other", "X-Hop", "Proxy-Authorization", "Te", "X-Forwarded-For", "Accept-Encoding", "User-Agent", "Forwarded"} {
		if r.Header.Get(name) != "" {
			t.Errorf("%s goes on: %v", name, r.Header)
		}
	}
	got = ask(t, "POST", url+"/v1/messages", bad)
	if _, body := up.last(t); !strings.Contains(body, "tool_result") || got.header.Get("Hygeia-Changes") != "R-72=1" || got.header.Get("Hygeia-Overhead") == "" {
		t.Errorf("%v %s", got.header, body)
	}
	for _, path := range []string{"/v1/messages/batches", "/v1/files", "/v1/models/x"} {
		got = ask(t, "PUT", url+path, bad)
		if r, body := up.last(t); r.URL.Path != "/base"+path || r.Method != "PUT" || body != bad || got.header.Get("Hygeia-Overhead") != "" {
			t.Errorf("%s: %s", path, body)
		}
	}
	// A model in the path keeps its escapes.
	ask(t, "POST", url+"/model/arn%3Aaws%3Abedrock%2Fx/converse", `{"messages":[]}`)
	if r, _ := up.last(t); r.URL.EscapedPath() != "/base/model/arn%3Aaws%3Abedrock%2Fx/converse" {
		t.Errorf("the path is %s", r.URL.EscapedPath())
	}
}

// TestRoutes finds the upstream with the longest prefix.
func TestRoutes(t *testing.T) {
	a, b := newUpstream(t, nil), newUpstream(t, nil)
	url, _ := serve(t, proxy.Config{Routes: []proxy.Route{
		{Prefix: "/one", Upstream: a.URL, To: hygeia.Target{Provider: "anthropic"}, DryRun: true},
		{Prefix: "/one/two/", Upstream: b.URL + "/x", To: hygeia.Target{Provider: "openai"}},
	}})
	got := ask(t, "POST", url+"/one/v1/messages", bad)
	if r, body := a.last(t); r.URL.Path != "/v1/messages" || body != bad || got.header.Get("Hygeia-Unchanged") != "dry-run" || got.header.Get("Hygeia-Changes") != "R-72=1 (not made)" {
		t.Errorf("%s %v %s", r.URL, got.header, body)
	}
	ask(t, "POST", url+"/one/two/v1/messages", good)
	if r, _ := b.last(t); r.URL.Path != "/x/v1/messages" {
		t.Errorf("%s", r.URL)
	}
	for _, path := range []string{"/", "/onev1/messages", "/v1/messages"} {
		if got := ask(t, "POST", url+path, good); got.status != 404 || a.count()+b.count() != 2 {
			t.Errorf("%s: %d", path, got.status)
		}
	}
}

// TestConfig refuses configurations that would not be safe or make no sense.
func TestConfig(t *testing.T) {
	route := func(r proxy.Route) proxy.Config { return proxy.Config{Routes: []proxy.Route{r}} }
	for name, c := range map[string]proxy.Config{
		"no route":     {},
		"no URL":       route(proxy.Route{Upstream: "api.anthropic.com"}),
		"scheme":       route(proxy.Route{Upstream: "file:///etc"}),
		"user":         route(proxy.Route{Upstream: "https://u:p@example.com"}),
		"query":        route(proxy.Route{Upstream: "https://example.com/?key=k"}),
		"dots":         route(proxy.Route{Upstream: "https://example.com/a/../b"}),
		"prefix":       route(proxy.Route{Upstream: "https://example.com", Prefix: "/a/../b"}),
		"key":          route(proxy.Route{Upstream: "https://example.com", Key: proxy.Key{Header: "X-Api-Key", Value: "k"}}),
		"no header":    {Token: "t", Routes: []proxy.Route{{Upstream: "https://example.com", Key: proxy.Key{Header: "X-Api-Key"}}}},
		"fragment":     route(proxy.Route{Upstream: "https://example.com/#a"}),
		"no region":    {Token: "t", Routes: []proxy.Route{{Upstream: "https://example.com", AWS: proxy.AWS{AccessKey: "a", SecretKey: "s"}}}},
		"no secret":    {Token: "t", Routes: []proxy.Route{{Upstream: "https://example.com", AWS: proxy.AWS{AccessKey: "a", Region: "r"}}}},
		"no access":    {Token: "t", Routes: []proxy.Route{{Upstream: "https://example.com", AWS: proxy.AWS{SecretKey: "s", Region: "r"}}}},
		"half a key":   {Token: "t", Routes: []proxy.Route{{Upstream: "https://example.com", Key: proxy.Key{Value: "k"}}}},
		"equal prefix": {Routes: []proxy.Route{{Upstream: "https://a.example", Prefix: "/a"}, {Upstream: "https://b.example", Prefix: "a/"}}},
	} {
		if _, err := proxy.New(c); err == nil || strings.Contains(err.Error(), "key=k") || strings.Contains(err.Error(), "u:p") {
			t.Errorf("%s: %v", name, err)
		}
	}
	p, err := proxy.New(to("http://127.0.0.1:1"))
	if err != nil {
		t.Fatal(err)
	}
	if l, err := p.Listen("0.0.0.0:0"); err == nil {
		l.Close()
		t.Error("it listens for everybody without a token")
	}
}

// asking sends a request and tells the answer, or the error, when it is whole.
func asking(url string) <-chan string {
	done := make(chan string, 1)
	go func() {
		r, err := call.Post(url+"/v1/messages", "application/json", strings.NewReader(good))
		if err != nil {
			done <- err.Error()
			return
		}
		defer r.Body.Close()
		text, _ := io.ReadAll(r.Body)
		done <- string(text)
	}()
	return done
}

// TestReload takes a new configuration while requests run, and keeps the old one
// where the new one is wrong.
func TestReload(t *testing.T) {
	b := newUpstream(t, nil)
	begun, release := make(chan struct{}), make(chan struct{})
	a := newUpstream(t, func(w http.ResponseWriter, _ *http.Request) { close(begun); <-release; _, _ = io.WriteString(w, "old") })
	url, p := serve(t, to(a.URL))
	done := asking(url)
	<-begun
	if err := p.Reload(proxy.Config{}); err == nil {
		t.Error("an empty configuration is taken")
	}
	if err := p.Reload(to(b.URL)); err != nil {
		t.Fatal(err)
	}
	ask(t, "POST", url+"/v1/messages", good)
	close(release)
	if got := <-done; got != "old" || b.count() != 1 {
		t.Errorf("%q, %d", got, b.count())
	}
}

// TestStop lets requests under way end, takes no more, and says so.
func TestStop(t *testing.T) {
	begun, release := make(chan struct{}), make(chan struct{})
	up := newUpstream(t, func(w http.ResponseWriter, _ *http.Request) {
		close(begun)
		<-release
		_, _ = io.WriteString(w, "whole")
	})
	p, err := proxy.New(to(up.URL))
	if err != nil {
		t.Fatal(err)
	}
	l, err := p.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "http://" + l.Addr().String()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- p.Serve(ctx, l) }()
	if got := ask(t, "GET", url+"/healthz", ""); got.status != 200 || got.text != "ok\n" || !strings.HasPrefix(got.header.Get("Content-Type"), "text/plain") {
		t.Errorf("healthz: %+v", got)
	}
	done := asking(url)
	<-begun
	stop()
	for {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			break
		}
		c.Close()
		time.Sleep(time.Millisecond)
	}
	if got := direct(p, "GET", "/healthz", ""); got.Code != 503 {
		t.Errorf("healthz while it stops: %d", got.Code)
	}
	close(release)
	if got := <-done; got != "whole" {
		t.Errorf("the request under way got %q", got)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestMetrics counts by rules and outcomes.
func TestMetrics(t *testing.T) {
	up := newUpstream(t, nil)
	url, _ := serve(t, to(up.URL))
	ask(t, "POST", url+"/v1/messages", good)
	ask(t, "POST", url+"/v1/messages", bad)
	counted(t, url,
		`hygeia_requests_total{api="anthropic-messages",outcome="clean"} 1`, `hygeia_requests_total{api="anthropic-messages",outcome="changed"} 1`,
		`hygeia_changes_total{rule="R-72"} 1`, `hygeia_answers_total{class="2xx"} 2`, `hygeia_overhead_seconds_count 2`, `hygeia_running 0`, `hygeia_buffered_bytes 0`)
	if up.count() != 2 {
		t.Error("the metrics were asked of the upstream")
	}
}

// TestResent counts and logs what was sent again because of what a server said.
func TestResent(t *testing.T) {
	status := 400
	up := newUpstream(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		if status == 400 {
			_, _ = io.WriteString(w, `{"error":"Conversation roles must alternate user/assistant/user/assistant/..."}`)
		}
		status = 200
	})
	var logged bytes.Buffer
	p, err := proxy.New(proxy.Config{Routes: []proxy.Route{{Upstream: up.URL, To: hygeia.Target{Provider: "openai"}}}, Log: slog.New(slog.NewTextHandler(&logged, nil))})
	if err != nil {
		t.Fatal(err)
	}
	for _, body := range []string{`{"model":"gpt-4o","messages":[{"role":"user","content":"q"},{"role":"user","content":"r"}]}`, `{"model":`} {
		direct(p, "POST", "/v1/chat/completions", body)
	}
	text := direct(p, "GET", "/metrics", "").Body.String()
	for _, line := range []string{
		"# TYPE hygeia_requests_total counter", `hygeia_requests_total{api="openai-completions",outcome="unchanged"} 1`, `hygeia_resends_total{rule="LO-03"} 1`,
		`hygeia_overhead_seconds_bucket{le="+Inf"} 2`,
	} {
		if strings.Count(text, line+"\n") != 1 {
			t.Errorf("not once %s in\n%s", line, text)
		}
	}
	if strings.Contains(text, "hygeia_overhead_seconds_sum 0\n") {
		t.Errorf("no overhead in\n%s", text)
	}
	if log := logged.String(); strings.Count(log, "remedy=LO-03") != 1 || strings.Count(log, "remedy=") != 1 || strings.Count(log, "why=unreadable") != 1 || strings.Count(log, "why=") != 1 {
		t.Errorf("%s", log)
	}
}

// direct asks a proxy that serves no connection.
func direct(p *proxy.Proxy, method, path, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Host = "127.0.0.1"
	w := httptest.NewRecorder()
	p.ServeHTTP(w, r)
	return w
}

// TestLog holds that no key and no content comes into a log, whatever goes wrong.
func TestLog(t *testing.T) {
	var logged bytes.Buffer
	var mu sync.Mutex
	status := 200
	up := newUpstream(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, "SECRET-answer")
	})
	c := to(up.URL)
	c.Log = slog.New(slog.NewTextHandler(writer(func(p []byte) (int, error) {
		mu.Lock()
		defer mu.Unlock()
		return logged.Write(p)
	}), &slog.HandlerOptions{Level: slog.LevelDebug}))
	c.Limits.MaxBody = 10_000
	url, _ := serve(t, c)
	keys := []string{"X-Api-Key", "SECRET-1", "Authorization", "Bearer SECRET-2", "Api-Key", "SECRET-3", "X-Goog-Api-Key", "SECRET-4", "Hygeia-Token", "SECRET-5", "Cookie", "SECRET-6"}
	secret := strings.Replace(bad, `"q"`, `"SECRET-content"`, 1)
	paths := []string{"/v1/messages?key=SECRET-7", "/v1beta/models/gemini-2.5-pro:generateContent?key=SECRET-8", "/SECRET-path/x", "/v1/SECRET/../x", "/v1/files?key=SECRET-9"}
	for _, status = range []int{200, 400, 500, 302} {
		for _, path := range paths {
			for _, body := range []string{secret, `{"SECRET":`, strings.Repeat("SECRET", 3000)} {
				got := ask(t, "POST", url+path, body, keys...)
				for name := range got.header {
					if strings.HasPrefix(name, "Hygeia") && strings.Contains(got.header.Get(name), "SECRET") {
						t.Errorf("%s: %s", name, got.header.Get(name))
					}
				}
			}
		}
	}
	up.CloseClientConnections()
	up.Close()
	for _, path := range paths {
		if got := ask(t, "POST", url+path, secret, keys...); strings.Contains(got.text, "SECRET") || got.status < 400 {
			t.Errorf("%s: %d %s", path, got.status, got.text)
		}
	}
	if text := ask(t, "GET", url+"/metrics", "").text + logged.String(); strings.Contains(text, "SECRET") || !strings.Contains(text, "outcome=changed") || !strings.Contains(text, "upstream failed") {
		t.Errorf("%s", text)
	}
}

type writer func([]byte) (int, error)

func (w writer) Write(p []byte) (int, error) { return w(p) }
