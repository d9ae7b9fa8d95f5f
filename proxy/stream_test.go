package proxy_test

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// stream asks for a streamed answer.
func stream(t *testing.T, ctx context.Context, url string) *http.Response {
	t.Helper()
	r, _ := http.NewRequestWithContext(ctx, "POST", url+"/v1/messages", strings.NewReader(bad))
	got, err := call.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestStreamFlushes passes each event on before the next one is there, the header
// before the first.
func TestStreamFlushes(t *testing.T) {
	next := make(chan struct{})
	up := newUpstream(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.WriteHeader(200)
		w.(http.Flusher).Flush()
		for i := range 5 {
			<-next
			fmt.Fprintf(w, "event: e\ndata: {\"n\":%d}\n\n", i)
			w.(http.Flusher).Flush()
		}
	})
	url, _ := serve(t, to(up.URL))
	got := stream(t, context.Background(), url) // the header is there, no event
	defer got.Body.Close()
	if got.Header.Get("Hygeia-Changes") != "R-72=1" || got.Header.Get("Content-Type") != "text/event-stream" {
		t.Errorf("%v", got.Header)
	}
	lines := bufio.NewReader(got.Body)
	for i := range 5 {
		next <- struct{}{}
		event := ""
		for range 3 {
			line, err := lines.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			event += line
		}
		if want := fmt.Sprintf("event: e\ndata: {\"n\":%d}\n\n", i); event != want {
			t.Errorf("%q, want %q", event, want)
		}
	}
}

// TestClientLeaves ends the request to the upstream when the client goes away, in
// the middle of a stream and before an answer.
func TestClientLeaves(t *testing.T) {
	gone := make(chan struct{})
	for _, streamed := range []bool{true, false} {
		begun := make(chan struct{})
		up := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
			if streamed {
				_, _ = io.WriteString(w, "data: 1\n\n")
				w.(http.Flusher).Flush()
			}
			close(begun)
			<-r.Context().Done()
			gone <- struct{}{}
		})
		url, _ := serve(t, to(up.URL))
		ctx, leave := context.WithCancel(context.Background())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			r, _ := http.NewRequestWithContext(ctx, "POST", url+"/v1/messages", strings.NewReader(good))
			got, err := call.Do(r)
			if err == nil {
				_, _ = io.Copy(io.Discard, got.Body)
				got.Body.Close()
			}
		}()
		<-begun
		leave()
		<-gone // or the test times out
		<-ended
	}
}

// TestUpstreamLeaves cuts the answer of the client where the upstream cuts its
// own: a torn answer is never one that looks whole.
func TestUpstreamLeaves(t *testing.T) {
	up := newUpstream(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "data: 1\n\n")
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	})
	url, _ := serve(t, to(up.URL))
	got := stream(t, context.Background(), url)
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	if string(text) != "data: 1\n\n" || err == nil {
		t.Errorf("%q, %v", text, err)
	}
}

// TestIdleAnswer ends an answer in which nothing comes any more.
func TestIdleAnswer(t *testing.T) {
	up := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "data: 1\n\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	c := to(up.URL)
	c.Limits.IdleTime = 50 * time.Millisecond
	url, _ := serve(t, c)
	got := stream(t, context.Background(), url)
	defer got.Body.Close()
	if text, err := io.ReadAll(got.Body); string(text) != "data: 1\n\n" || err == nil {
		t.Errorf("%q, %v", text, err)
	}
}

// TestUpgrade passes WebSockets through in both directions.
func TestUpgrade(t *testing.T) {
	up := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Upgrade") != "websocket" {
			http.Error(w, "no upgrade", 400)
			return
		}
		c, buf, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer c.Close()
		_, _ = io.WriteString(c, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
		line, _ := buf.ReadString('\n')
		_, _ = io.WriteString(c, "echo "+line)
	})
	url, _ := serve(t, to(up.URL))
	c, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_, _ = io.WriteString(c, "GET /v1/responses HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
	in := bufio.NewReader(c)
	r, err := http.ReadResponse(in, nil)
	if err != nil || r.StatusCode != 101 {
		t.Fatalf("%v %v", r, err)
	}
	_, _ = io.WriteString(c, "hello\n")
	if line, err := in.ReadString('\n'); line != "echo hello\n" {
		t.Errorf("%q %v", line, err)
	}
}

// TestNoGoroutineStays sends five hundred requests, or as many as $HYGEIA_REQUESTS
// says: clean ones, damaged ones, streams, some given up, some failing.
func TestNoGoroutineStays(t *testing.T) {
	n, err := strconv.Atoi(cmp.Or(os.Getenv("HYGEIA_REQUESTS"), "500"))
	if err != nil {
		t.Fatal(err)
	}
	up := newUpstream(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.RawQuery {
		case "stream":
			for range 3 {
				_, _ = io.WriteString(w, "data: 1\n\n")
				w.(http.Flusher).Flush()
			}
		case "abort":
			_, _ = io.WriteString(w, "data: 1\n\n")
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		case "refuse":
			w.WriteHeader(400)
			_, _ = io.WriteString(w, `{"type":"error","error":{"type":"invalid_request_error","message":"messages.1.content.0: Invalid `+"`signature` in `thinking`"+` block"}}`)
		}
	})
	before := runtime.NumGoroutine()
	func() {
		url, _ := serve(t, to(up.URL))
		client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}}
		var work sync.WaitGroup
		for w := range 16 {
			work.Go(func() {
				for i := w; i < n; i += 16 {
					body := good
					if i%2 == 0 {
						body = bad
					}
					ctx, cancel := context.WithCancel(context.Background())
					r, _ := http.NewRequestWithContext(ctx, "POST", url+"/v1/messages?"+[]string{"", "stream", "abort", "refuse", "leave"}[i%5], strings.NewReader(body))
					got, err := client.Do(r)
					if err == nil {
						if i%5 == 4 {
							cancel()
						}
						_, _ = io.Copy(io.Discard, got.Body)
						got.Body.Close()
					}
					cancel()
				}
			})
		}
		work.Wait()
		client.CloseIdleConnections()
	}()
	up.CloseClientConnections()
	// What is left are the two servers and connections that are closing.
	left := 0
	for range 3000 {
		if left = runtime.NumGoroutine() - before; left <= 8 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	buf := make([]byte, 1<<16)
	t.Errorf("%d goroutines stay\n%s", left, buf[:runtime.Stack(buf, true)])
}

// TestIdleUpgrade ends a WebSocket through which nothing goes for the idle time,
// also one whose client takes nothing of what the upstream sends.
func TestIdleUpgrade(t *testing.T) {
	for name, flood := range map[string]bool{"silence": false, "a client that does not read": true} {
		t.Run(name, func(t *testing.T) {
			ended := make(chan struct{})
			up := newUpstream(t, func(w http.ResponseWriter, _ *http.Request) {
				defer close(ended)
				c, rw, err := http.NewResponseController(w).Hijack()
				if err != nil {
					t.Error(err)
					return
				}
				defer c.Close()
				_, _ = io.WriteString(c, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
				for flood && err == nil {
					_, err = c.Write(make([]byte, 64<<10))
				}
				_, _ = io.Copy(io.Discard, rw) // until the proxy ends it
			})
			c := to(up.URL)
			c.Limits.IdleTime = 50 * time.Millisecond
			url, _ := serve(t, c)
			conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			_, _ = io.WriteString(conn, "GET /v1/responses HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
			<-ended
			if _, err := io.Copy(io.Discard, conn); err != nil && !errors.Is(err, syscall.ECONNRESET) {
				t.Error(err)
			}
		})
	}
}
