package gateway

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

func benchServer(b *testing.B, n int) (*Gateway, *httptest.Server, string) {
	b.Helper()
	state := b.TempDir()
	dir := filepath.Join(state, "agents", "main", "sessions")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		b.Fatal(err)
	}
	text := `{"type":"session","version":3,"id":"s","timestamp":"2026-03-01T10:00:00.000Z","cwd":"/x"}` + "\n" + strings.Join(turns(n), "\n") + "\n"
	path := filepath.Join(dir, "s.jsonl")
	for file, text := range map[string]string{path: text, filepath.Join(dir, "sessions.json"): `{"k":{"sessionId":"s"}}`} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	g, err := New(Config{State: state})
	if err != nil {
		b.Fatal(err)
	}
	server := httptest.NewServer(g.Handler())
	b.Cleanup(func() { server.CloseClientConnections(); g.Close(); server.Close() })
	return g, server, path
}

// BenchmarkHistory asks for the last 50 messages of sessions of several lengths:
// the cost of a page must not depend on what stands before it.
func BenchmarkHistory(b *testing.B) {
	for _, n := range []int{200, 2_000, 20_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			_, server, _ := benchServer(b, n)
			ask := func() time.Duration {
				start := time.Now()
				res, err := http.Get(server.URL + "/sessions/k/history?limit=50")
				if err != nil {
					b.Fatal(err)
				}
				defer res.Body.Close()
				if _, err := io.Copy(io.Discard, res.Body); err != nil || res.StatusCode != 200 {
					b.Fatal(res.Status, err)
				}
				return time.Since(start)
			}
			ask() // reads the file
			var took []time.Duration
			for b.Loop() {
				took = append(took, ask())
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
		})
	}
}

// BenchmarkReaders holds 1 000 streams of one session, of which none, one or a hundred
// take nothing at all of what they are sent, and measures how long a message takes to
// reach all others, and the memory.
func BenchmarkReaders(b *testing.B) {
	for _, stuck := range []int{0, 1, 100} {
		b.Run(fmt.Sprintf("%d_stuck", stuck), func(b *testing.B) { readers(b, stuck) })
	}
}

func readers(b *testing.B, stuck int) {
	const readers, stored = 1_000, 20_000
	g, server, path := benchServer(b, stored)
	l := newStuck(b, g)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	got := make(chan struct{}, readers)
	for range stuck {
		l.open(b, "/sessions/k/history?limit=50")
	}
	for range readers - stuck {
		req, err := http.NewRequestWithContext(b.Context(), "GET", server.URL+"/sessions/k/history?limit=50", nil)
		if err != nil {
			b.Fatal(err)
		}
		req.Header.Set("Accept", "text/event-stream")
		res, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { res.Body.Close() })
		go func() {
			lines := bufio.NewScanner(res.Body)
			lines.Buffer(nil, 1<<20)
			for lines.Scan() {
				if strings.HasPrefix(lines.Text(), "event: ") {
					got <- struct{}{}
				}
			}
		}()
	}
	for range readers - stuck {
		<-got // the page
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	memory := float64(after.HeapAlloc+after.StackInuse) - float64(before.HeapAlloc+before.StackInuse)
	f := appending(b, path)
	n := stored
	var took []time.Duration
	for b.Loop() {
		n++
		start := time.Now()
		fmt.Fprintf(f, `{"type":"message","id":"e%d","parentId":"e%d","timestamp":"2026-03-01T10:01:00.000Z","message":{"role":"user","content":"%d"}}`+"\n", n, n-1, n)
		for range readers - stuck {
			<-got
		}
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	b.ReportMetric(memory/readers/1024, "KiB/reader")
	b.ReportMetric(float64(took[len(took)*99/100].Milliseconds()), "p99-ms")
}

// stuckListener gives connections whose other end reads nothing: not a byte is taken
// from the service, since nothing lies in between.
type stuckListener struct {
	calls chan net.Conn
	over  chan struct{}
}

func newStuck(t testing.TB, g *Gateway) *stuckListener {
	l := &stuckListener{make(chan net.Conn), make(chan struct{})}
	server := &http.Server{Handler: g.Handler()}
	go server.Serve(l)
	t.Cleanup(func() { server.Close() })
	return l
}

// open asks for a stream and never reads it.
func (l *stuckListener) open(t testing.TB, path string) {
	ours, theirs := net.Pipe()
	t.Cleanup(func() { ours.Close() })
	l.calls <- theirs
	if _, err := io.WriteString(ours, "GET "+path+" HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nAuthorization: Bearer "+testToken+"\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
}

func (l *stuckListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.calls:
		return c, nil
	case <-l.over:
		return nil, net.ErrClosed
	}
}

func (l *stuckListener) Close() error   { close(l.over); return nil }
func (l *stuckListener) Addr() net.Addr { return &net.UnixAddr{Name: "stuck", Net: "pipe"} }
