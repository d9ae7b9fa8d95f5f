package gateway

import (
	"fmt"
	"io"
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

// BenchmarkReaders holds 1 000 streams of one session, one of which never reads,
// and measures how long a message takes to reach all others, and the memory.
func BenchmarkReaders(b *testing.B) {
	const readers = 1_000
	_, server, path := benchServer(b, 20_000)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	got := make(chan struct{}, readers)
	for i := range readers {
		req, err := http.NewRequestWithContext(b.Context(), "GET", server.URL+"/sessions/k/history?limit=50", nil)
		if err != nil {
			b.Fatal(err)
		}
		req.Header.Set("Accept", "text/event-stream")
		res, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			b.Fatal(err)
		}
		if i == 0 {
			continue // it never reads
		}
		go func() {
			defer res.Body.Close()
			text := make([]byte, 0, 64<<10)
			piece := make([]byte, 16<<10)
			for {
				n, err := res.Body.Read(piece)
				text = append(text, piece[:n]...)
				for {
					i := strings.Index(string(text), "\n\n")
					if i < 0 {
						break
					}
					if strings.HasPrefix(string(text), "event: ") {
						got <- struct{}{}
					}
					text = text[i+2:]
				}
				if err != nil {
					return
				}
			}
		}()
	}
	for range readers - 1 {
		<-got // the page
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	memory := float64(after.HeapAlloc+after.StackInuse) - float64(before.HeapAlloc+before.StackInuse)
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	n := 20_000
	for b.Loop() {
		n++
		fmt.Fprintf(f, `{"type":"message","id":"e%d","parentId":"e%d","timestamp":"2026-03-01T10:01:00.000Z","message":{"role":"user","content":"%d"}}`+"\n", n, n-1, n)
		for range readers - 1 {
			<-got
		}
	}
	b.ReportMetric(memory/readers/1024, "KiB/reader")
}
