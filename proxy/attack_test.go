package proxy_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"hygeia"
	"hygeia/proxy"
)

// raw sends bytes as they are and returns the status and the rest of the answer.
func raw(t *testing.T, url, text string) (status int, answer string) {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, text); err != nil {
		t.Fatal(err)
	}
	_ = c.SetReadDeadline(time.Now().Add(time.Minute)) // no test waits for ever
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return 0, err.Error()
	}
	defer r.Body.Close()
	body, _ := io.ReadAll(r.Body)
	return r.StatusCode, string(body)
}

// TestTargets sends targets that would lead elsewhere than the upstream, or out
// of its path: none of them goes on.
func TestTargets(t *testing.T) {
	up := newUpstream(t, nil)
	elsewhere := newUpstream(t, nil)
	host := strings.TrimPrefix(elsewhere.URL, "http://")
	url, _ := serve(t, to(up.URL+"/base"))
	for _, target := range []string{
		"/../admin", "/v1/../../admin", "/v1/%2e%2e/admin", "/v1/%2E./admin", "/./v1", "/v1/..%2fadmin", "/v1/..%2Fadmin", "/v1/..%5cadmin", "/v1/a%5Cb",
		"//" + host + "/v1/messages", "///v1/messages", "/v1//messages", "/%2f/" + host, "/v1/%00", "/v1/%0d%0aX-Evil:1", "/v1/a%3Fb", "/v1/a%23b",
		elsewhere.URL + "/v1/messages", "http:///v1/messages", "*", "file:///etc/passwd", "/v1/%zz",
	} {
		for _, method := range []string{"POST", "GET"} {
			status, text := raw(t, url, method+" "+target+" HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}")
			if status != 400 && status != 403 {
				t.Errorf("%s %s: %d %s", method, target, status, text)
			}
		}
	}
	if status, _ := raw(t, url, "CONNECT "+host+" HTTP/1.1\r\nHost: "+host+"\r\n\r\n"); status/100 != 4 {
		t.Errorf("CONNECT: %d", status)
	}
	// A header that names another host chooses nothing.
	ask(t, "POST", url+"/v1/messages", good, "X-Forwarded-Host", host, "Forwarded", "host="+host, "X-Original-Url", elsewhere.URL, "X-Host", host)
	if elsewhere.count() != 0 || up.count() != 1 {
		t.Errorf("%d requests went elsewhere, %d up", elsewhere.count(), up.count())
	}
}

// TestHosts refuses names that a web page could point at the loopback.
func TestHosts(t *testing.T) {
	up := newUpstream(t, nil)
	c := to(up.URL)
	c.Hosts = []string{"Proxy.Example"}
	url, _ := serve(t, c)
	for host, want := range map[string]int{
		"127.0.0.1:80": 200, "localhost": 200, "a.localhost:1": 200, "[::1]": 200, "proxy.example:8484": 200, "proxy.example.": 200,
		"evil.example": 403, "127.0.0.1.evil.example": 403, "192.0.2.1": 403, "localhost.evil.example:80": 403,
	} {
		if got := ask(t, "POST", url+"/v1/messages", good, "Host", host); got.status != want {
			t.Errorf("%s: %d", host, got.status)
		}
	}
	for _, header := range [][]string{{"Origin", "https://evil.example"}, {"Sec-Fetch-Site", "cross-site"}} {
		if got := ask(t, "POST", url+"/v1/messages", good, header...); got.status != 403 {
			t.Errorf("%v: %d", header, got.status)
		}
	}
}

// TestRedirect follows no redirect and passes none on: the key of the caller
// reaches nobody but the upstream.
func TestRedirect(t *testing.T) {
	thief := newUpstream(t, nil)
	status := 302
	up := newUpstream(t, func(w http.ResponseWriter, _ *http.Request) {
		if status != 304 {
			w.Header().Set("Location", thief.URL+"/steal")
		}
		w.WriteHeader(status)
	})
	url, _ := serve(t, to(up.URL))
	follow := &http.Client{} // a client that would follow, x-api-key and all
	for _, status = range []int{301, 302, 303, 307, 308} {
		for _, method := range []string{"POST", "GET"} {
			r, _ := http.NewRequest(method, url+"/v1/messages", strings.NewReader(good))
			r.Header.Set("X-Api-Key", "sk-secret")
			got, err := follow.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			got.Body.Close()
			if got.StatusCode != http.StatusBadGateway || got.Header.Get("Location") != "" {
				t.Errorf("%s %d: %d %v", method, status, got.StatusCode, got.Header)
			}
		}
	}
	for _, status = range []int{201, 304} { // which are none
		if got := ask(t, "GET", url+"/v1/files", ""); got.status != status {
			t.Errorf("%d: %d %s", status, got.status, got.text)
		}
	}
	if thief.count() != 0 {
		t.Error("the redirect was followed")
	}
}

// TestToken wants the token, in constant time and not for ever, and gives the
// proxy's own key to nobody without it.
func TestToken(t *testing.T) {
	up := newUpstream(t, nil)
	c := to(up.URL)
	c.Token = "open sesame"
	c.Routes[0].Key = proxy.Key{Header: "X-Api-Key", Value: "sk-own"}
	url, _ := serve(t, c)
	for name, test := range map[string]struct {
		header []string
		key    string // at the upstream
	}{
		"header":           {[]string{"Hygeia-Token", "open sesame"}, "sk-own"},
		"proxy":            {[]string{"Proxy-Authorization", "Bearer open sesame"}, "sk-own"},
		"in place of keys": {[]string{"X-Api-Key", "open sesame"}, "sk-own"},
		"as bearer":        {[]string{"Authorization", "bearer open sesame"}, "sk-own"},
		"own key":          {[]string{"Hygeia-Token", "open sesame", "X-Api-Key", "sk-caller"}, "sk-caller"},
	} {
		if got := ask(t, "POST", url+"/v1/messages", good, test.header...); got.status != 200 {
			t.Errorf("%s: %d %s", name, got.status, got.text)
			continue
		}
		r, _ := up.last(t)
		if r.Header.Get("X-Api-Key") != test.key || strings.Contains(fmt.Sprint(r.Header), "sesame") {
			t.Errorf("%s: %v", name, r.Header)
		}
	}
	asked := up.count()
	if got := ask(t, "GET", url+"/healthz", ""); got.status != 200 {
		t.Errorf("healthz: %d", got.status)
	}
	for i := range 14 {
		path := []string{"/v1/messages", "/v1/models", "/metrics", "/v1/messages?token=open+sesame"}[i%4]
		want := 401
		if i >= 10 {
			want = 429
		}
		if got := ask(t, "POST", url+path, good, "Hygeia-Token", "open sesam"); got.status != want || !json.Valid([]byte(got.text)) {
			t.Errorf("%d: %d %s", i, got.status, got.text)
		}
	}
	if got := ask(t, "POST", url+"/v1/messages", good, "Hygeia-Token", "open sesame"); got.status != 429 || got.header.Get("Retry-After") == "" {
		t.Errorf("the throttle lets a guess through: %d", got.status)
	}
	if up.count() != asked {
		t.Error("a request without the token went on")
	}
}

// TestSmuggling sends requests whose end is in doubt: the upstream sees one whole
// request or none.
func TestSmuggling(t *testing.T) {
	up := newUpstream(t, nil)
	url, _ := serve(t, to(up.URL))
	inner := "POST /v1/files HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n"
	for name, text := range map[string]string{
		"two lengths":     "Content-Length: 2\r\nContent-Length: 40\r\n\r\n{}" + inner,
		"bad chunk":       "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
		"other coding":    "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n" + inner,
		"hidden coding":   "Transfer-Encoding : chunked\r\nContent-Length: 2\r\n\r\n{}" + inner,
		"folded":          "X: a\r\n b: c\r\nContent-Length: 2\r\n\r\n{}",
		"negative":        "Content-Length: -1\r\n\r\n",
		"plus":            "Content-Length: +2\r\n\r\n{}",
		"list of lengths": "Content-Length: 2, 40\r\n\r\n{}",
		"bare return":     "X: a\rTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n{}",
	} {
		before := up.count()
		status, _ := raw(t, url, "POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"+text)
		for _, r := range up.seen[before:] {
			if r.URL.Path != "/v1/messages" {
				t.Errorf("%s: %s was smuggled in", name, r.URL.Path)
			}
		}
		if status == 200 && up.count() > before+1 {
			t.Errorf("%s: %d requests", name, up.count()-before)
		}
	}
	// Both a length and chunks: the chunks count, and what goes on has one length.
	status, _ := raw(t, url, "POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"+
		fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(good), good)+inner)
	if r, body := up.last(t); status == 200 && (body != good || r.ContentLength != int64(len(good)) || len(r.TransferEncoding) > 0) {
		t.Errorf("%q %v %v", body, r.ContentLength, r.TransferEncoding)
	}
}

// TestBounds answers what is beyond a bound with an error in the provider's own
// shape, and holds nothing for it afterwards.
func TestBounds(t *testing.T) {
	release := make(chan struct{})
	up := newUpstream(t, func(_ http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/never") || strings.Contains(r.URL.RawQuery, "never") {
			select {
			case <-release:
			case <-r.Context().Done():
			}
		}
	})
	defer close(release)
	c := to(up.URL)
	c.Limits = proxy.Limits{MaxBody: 200_000, MaxBuffered: 150_000, AnswerTime: 100 * time.Millisecond}
	url, _ := serve(t, c)
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	for range 64 {
		_, _ = z.Write(make([]byte, 1<<20))
	}
	_ = z.Close()
	for name, test := range map[string]struct {
		body, encoding, query string
		status                int
	}{
		"large":              {strings.Repeat("x", 200_001), "", "", 413},
		"bomb":               {bomb.String(), "gzip", "", 413},
		"deep":               {strings.Repeat(`{"a":`, 20_000), "", "", 400},
		"much at a time":     {strings.Repeat("x", 160_000), "", "", 503},
		"torn gzip":          {"\x1f\x8b", "gzip", "", 400},
		"upstream is silent": {good, "", "?never", 504},
	} {
		for path, shape := range map[string]string{
			"/v1/messages": `"type":"error"`, "/v1/chat/completions": `"param":null`, "/v1beta/models/g:generateContent": `"code":`, "/model/m/converse": `{"message":`,
		} {
			got := ask(t, "POST", url+path+test.query, test.body, "Content-Encoding", test.encoding)
			if got.status != test.status || !json.Valid([]byte(got.text)) || !strings.Contains(got.text, shape) || !strings.Contains(got.text, "hygeia") {
				t.Errorf("%s %s: %d %s", name, path, got.status, got.text)
			}
		}
	}
	// A provider whose path is that of others has errors of its own.
	mistral := to(up.URL)
	mistral.Routes[0].To.Provider, mistral.Limits.MaxBody = "mistral", 10
	other, _ := serve(t, mistral)
	if got := ask(t, "POST", other+"/v1/chat/completions", good); got.status != 413 || !strings.Contains(got.text, `"object":"error"`) {
		t.Errorf("%d %s", got.status, got.text)
	}
	// Headers without an end.
	if status, _ := raw(t, url, "POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1\r\nX: "+strings.Repeat("x", 200_000)+"\r\n\r\n"); status != 431 && status != 0 {
		t.Errorf("giant headers: %d", status)
	}
	counted(t, url, "hygeia_buffered_bytes 0", "hygeia_running 0")
	// A body that drips in.
	c.Limits.BodyTime = 100 * time.Millisecond
	slow, _ := serve(t, c)
	conn, err := net.Dial("tcp", strings.TrimPrefix(slow, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n{")
	r, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil || r.StatusCode != 408 {
		t.Errorf("a slow body: %v %v", r, err)
	}
	counted(t, slow, "hygeia_buffered_bytes 0", "hygeia_running 0")
	// An upstream that is not there.
	gone := httptest.NewServer(nil)
	gone.Close()
	url, _ = serve(t, to(gone.URL))
	if got := ask(t, "POST", url+"/v1/messages", good); got.status != 502 || !strings.Contains(got.text, `"type":"error"`) || strings.Contains(got.text, "127.0.0.1") {
		t.Errorf("no upstream: %d %s", got.status, got.text)
	}
}

// TestBusy takes no more requests at a time than it is told.
func TestBusy(t *testing.T) {
	begun, release := make(chan struct{}, 2), make(chan struct{})
	up := newUpstream(t, func(http.ResponseWriter, *http.Request) { begun <- struct{}{}; <-release })
	c := to(up.URL)
	c.Limits.MaxRequests = 2
	url, _ := serve(t, c)
	done := make(chan error, 2)
	for range 2 {
		go func() {
			r, err := call.Post(url+"/v1/messages", "", strings.NewReader(good))
			if err == nil {
				r.Body.Close()
			}
			done <- err
		}()
	}
	<-begun
	<-begun
	if got := ask(t, "POST", url+"/v1/messages", good); got.status != 503 || got.header.Get("Retry-After") == "" {
		t.Errorf("%d %s", got.status, got.text)
	}
	close(release)
	for range 2 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if got := ask(t, "POST", url+"/v1/messages", good); got.status != 200 {
		t.Errorf("afterwards: %d", got.status)
	}
}

// TestSigned passes a signed request on unchanged and says so, and changes one
// with a bearer key.
func TestSigned(t *testing.T) {
	up := newUpstream(t, nil)
	url, _ := serve(t, proxy.Config{Routes: []proxy.Route{{Upstream: up.URL, To: hygeia.Target{Provider: "amazon-bedrock"}}}})
	body := `{"messages":[{"role":"user","content":[{"text":"q"},{"text":" "}]}]}`
	path := "/model/anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse"
	got := ask(t, "POST", url+path, body, "Authorization", "AWS4-HMAC-SHA256 Credential=AKIA/x, Signature=00")
	if _, arrived := up.last(t); arrived != body || got.header.Get("Hygeia-Unchanged") != "signature" || !strings.HasSuffix(got.header.Get("Hygeia-Changes"), "=1 (not made)") {
		t.Errorf("%v %s", got.header, arrived)
	}
	changes := strings.TrimSuffix(got.header.Get("Hygeia-Changes"), "=1 (not made)")
	counted(t, url, `hygeia_changes_not_made_total{rule="`+changes+`"} 1`)
	got = ask(t, "POST", url+path, body, "Authorization", "Bearer bedrock-api-key")
	if _, arrived := up.last(t); arrived == body || got.header.Get("Hygeia-Unchanged") != "" || got.header.Get("Hygeia-Changes") != changes+"=1" {
		t.Errorf("%v %s", got.header, arrived)
	}
}

// TestTLS sends nothing to an upstream whose certificate nobody vouches for.
func TestTLS(t *testing.T) {
	asked := false
	up := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	up.Config.ErrorLog = log.New(io.Discard, "", 0)
	up.StartTLS()
	defer up.Close()
	url, _ := serve(t, to(up.URL))
	if got := ask(t, "POST", url+"/v1/messages", good, "X-Api-Key", "sk-secret"); got.status != 502 || asked {
		t.Errorf("%d %s", got.status, got.text)
	}
}

// TestSigns signs requests anew with keys of the route: the signature covers the
// changed body and the upstream's host, and nothing of the caller's is left.
func TestSigns(t *testing.T) {
	up := newUpstream(t, nil)
	own := proxy.AWS{AccessKey: "AKIAOWN", SecretKey: "own-secret", SessionToken: "own-session", Region: "eu-central-1"}
	route := proxy.Route{Upstream: up.URL, To: hygeia.Target{Provider: "amazon-bedrock"}, AWS: own}
	if _, err := proxy.New(proxy.Config{Routes: []proxy.Route{route}}); err == nil {
		t.Error("it signs for callers without a token")
	}
	url, _ := serve(t, proxy.Config{Token: "sesame", Routes: []proxy.Route{route}})
	body := `{"messages":[{"role":"user","content":[{"text":"q"},{"text":" "}]}]}`
	for _, test := range []struct{ method, path, body string }{
		{"POST", "/model/anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse", body},
		{"POST", "/model/m/invoke", `{"inputText":"q"}`},
		{"GET", "/foundation-models", ""},
	} {
		got := ask(t, test.method, url+test.path, test.body, "Hygeia-Token", "sesame", "Authorization", "AWS4-HMAC-SHA256 Credential=AKIACALLER/x", "X-Amz-Security-Token", "theirs", "X-Amz-Date", "20200101T000000Z",
			"X-Amz-User-Agent", "theirs", "X-Amz-Target", "target", "Content-Type", "application/json")
		r, arrived := up.last(t)
		if got.status != 200 || (arrived == test.body) == (test.body == body) || got.header.Get("Hygeia-Unchanged") == "signature" || r.Header.Get("X-Amz-Security-Token") != "own-session" ||
			r.Header.Get("X-Amz-User-Agent") != "" || r.Header.Get("X-Amz-Target") != "target" || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s: %d %v %s", test.path, got.status, got.header, arrived)
		}
		at, err := time.Parse("20060102T150405Z", r.Header.Get("X-Amz-Date"))
		if err != nil {
			t.Fatal(err)
		}
		again, _ := http.NewRequest(test.method, up.URL+test.path, strings.NewReader(arrived))
		names, _, _ := strings.Cut(r.Header.Get("Authorization")[strings.Index(r.Header.Get("Authorization"), "SignedHeaders=")+len("SignedHeaders="):], ",")
		for name := range strings.SplitSeq(names, ";") {
			if v := r.Header.Get(name); v != "" && name != "x-amz-date" {
				again.Header.Set(name, v)
			}
		}
		sum := sha256.Sum256([]byte(arrived))
		keys := aws.Credentials{AccessKeyID: own.AccessKey, SecretAccessKey: own.SecretKey, SessionToken: own.SessionToken}
		if err := v4.NewSigner().SignHTTP(t.Context(), keys, again, hex.EncodeToString(sum[:]), "bedrock", own.Region, at); err != nil {
			t.Fatal(err)
		}
		if again.Header.Get("Authorization") != r.Header.Get("Authorization") || !strings.Contains(names, "host") {
			t.Errorf("%s: the signature is %s, not %s", test.path, r.Header.Get("Authorization"), again.Header.Get("Authorization"))
		}
	}
}

// TestRefusedWhileSending answers a client that is still sending, instead of
// resetting its connection.
func TestRefusedWhileSending(t *testing.T) {
	c := to(newUpstream(t, nil).URL)
	c.Limits = proxy.Limits{MaxBody: 1000}
	url, _ := serve(t, c)
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: 20000\r\n\r\n")
	for range 20 {
		if _, err := conn.Write(bytes.Repeat([]byte("x"), 1000)); err != nil {
			t.Fatal("reset while sending:", err)
		}
		time.Sleep(5 * time.Millisecond)
	}
	if r, err := http.ReadResponse(bufio.NewReader(conn), nil); err != nil || r.StatusCode != 413 {
		t.Errorf("%v %v", r, err)
	}
}
