package endtoend_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"hygeia"
	"hygeia/proxy"
)

// talked returns a request of Anthropic Messages of about that many bytes. In a
// damaged one the first call has no result.
func talked(size int, damaged bool) []byte {
	var b bytes.Buffer
	b.WriteString(`{"model":"claude-opus-4-6","max_tokens":100,"messages":[`)
	for i := 0; b.Len() < size; i++ {
		b.Write(round(i, damaged && i == 0))
	}
	b.WriteString(`{"role":"user","content":"go on"}]}`)
	return b.Bytes()
}

func round(i int, damaged bool) []byte {
	words := strings.Repeat(`some words of a file that was read\n\tand \"quoted\" ones, `, 30)
	result := fmt.Sprintf(`[{"type":"tool_result","tool_use_id":"toolu_%d","content":"%s"}]`, i, words)
	if damaged {
		result = `"well?"`
	}
	return fmt.Appendf(nil, `{"role":"user","content":"question %d: %s"},{"role":"assistant","content":[{"type":"text","text":"I read it."},{"type":"tool_use","id":"toolu_%d","name":"read","input":{"path":"dir/file%d.go"}}]},{"role":"user","content":%s},{"role":"assistant","content":"done: %s"},`,
		i, words[:400], i, i, result, words[:300])
}

// grown adds an answer, a round and a question to a request, as clients do.
func grown(body []byte, i int) []byte {
	body = append(bytes.Clone(bytes.TrimSuffix(body, []byte("]}"))), `,{"role":"assistant","content":"I go on."},`...)
	return append(append(body, round(i, false)...), `{"role":"user","content":"go on"}]}`...)
}

// pair is an upstream that answers at once with a proxy in front of it.
type pair struct {
	direct, through string
	client          http.Client
}

func newPair(b *testing.B) *pair {
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if r.URL.RawQuery == "stream" {
			for range 3 {
				_, _ = io.WriteString(w, "event: ping\ndata: {\"type\":\"ping\"}\n\n")
				w.(http.Flusher).Flush()
			}
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"type":"message","content":[]}`)
	}))
	px, err := proxy.New(proxy.Config{Routes: []proxy.Route{{Upstream: up.URL, To: hygeia.Target{Provider: "anthropic"}}}})
	if err != nil {
		b.Fatal(err)
	}
	l, err := px.Listen("127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- px.Serve(ctx, l) }()
	p := &pair{direct: up.URL, through: "http://" + l.Addr().String(), client: http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 128}}}
	b.Cleanup(func() {
		p.client.CloseIdleConnections()
		stop()
		<-ended
		up.Close()
	})
	return p
}

func (p *pair) ask(b *testing.B, url, caller string, body []byte) time.Duration {
	r, err := http.NewRequest(http.MethodPost, url+"/v1/messages", bytes.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	r.Header.Set("X-Api-Key", caller)
	start := time.Now()
	got, err := p.client.Do(r)
	if err != nil {
		b.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, got.Body)
	got.Body.Close()
	took := time.Since(start)
	if got.StatusCode != http.StatusOK {
		b.Fatalf("status %d", got.StatusCode)
	}
	return took
}

// BenchmarkProxy asks directly and through the proxy in turn and reports what the
// proxy adds at the median and at the 99th percentile, and the ratio of medians.
// "turn" is a conversation that grows by a round with each request, "cold" one
// that the proxy has not seen before.
func BenchmarkProxy(b *testing.B) {
	for _, c := range []struct {
		name                string
		size, at            int
		damaged, turn, cold bool
	}{
		{"small/1", 300, 1, false, false, false},
		{"small/10", 300, 10, false, false, false},
		{"small/64", 300, 64, false, false, false},
		{"small damaged/1", 300, 1, true, false, false},
		{"400KB cold/1", 400_000, 1, false, false, true},
		{"400KB turn/1", 400_000, 1, false, true, false},
		{"400KB damaged cold/1", 400_000, 1, true, false, true},
		{"400KB damaged turn/1", 400_000, 1, true, true, false},
		{"4MB cold/1", 4_000_000, 1, false, false, true},
		{"4MB turn/1", 4_000_000, 1, false, true, false},
		{"4MB damaged cold/1", 4_000_000, 1, true, false, true},
		{"4MB damaged turn/1", 4_000_000, 1, true, true, false},
	} {
		b.Run(c.name, func(b *testing.B) {
			p := newPair(b)
			body := talked(c.size, c.damaged)
			var mu sync.Mutex
			var direct, through []time.Duration
			n := 0
			next := func() (int, []byte) {
				mu.Lock()
				defer mu.Unlock()
				n++
				if c.turn {
					body = grown(body, 1_000_000+n)
				}
				return n, body
			}
			p.ask(b, p.direct, "caller", body)
			p.ask(b, p.through, "caller", body)
			var work sync.WaitGroup
			for range c.at {
				work.Go(func() {
					for {
						i, body := next()
						if i > b.N {
							return
						}
						caller := "caller"
						if c.cold {
							caller = strconv.Itoa(i)
						}
						d, t := p.ask(b, p.direct, caller, body), p.ask(b, p.through, caller, body)
						mu.Lock()
						direct, through = append(direct, d), append(through, t)
						mu.Unlock()
					}
				})
			}
			work.Wait()
			report(b, direct, through)
		})
	}
}

func report(b *testing.B, direct, through []time.Duration) {
	slices.Sort(direct)
	slices.Sort(through)
	at := func(l []time.Duration, percent int) float64 { return float64(l[(len(l)-1)*percent/100].Microseconds()) }
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(at(direct, 50), "µs-direct-p50")
	b.ReportMetric(at(through, 50)-at(direct, 50), "µs-added-p50")
	b.ReportMetric(at(through, 99)-at(direct, 99), "µs-added-p99")
	b.ReportMetric(at(through, 50)/at(direct, 50), "ratio-p50")
}

// BenchmarkRequests is how many small requests go through in a second, client and
// upstream on the same cores, against direct ones in the same run.
func BenchmarkRequests(b *testing.B) {
	p := newPair(b)
	body := talked(300, false)
	rate := func(url string) float64 {
		start, n := time.Now(), 4000
		var work sync.WaitGroup
		for range 64 {
			work.Go(func() {
				for range n / 64 {
					p.ask(b, url, "caller", body)
				}
			})
		}
		work.Wait()
		return float64(n) / time.Since(start).Seconds()
	}
	for b.Loop() {
		direct, through := rate(p.direct), rate(p.through)
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(direct, "direct/s")
		b.ReportMetric(through, "through/s")
		b.ReportMetric(direct/through, "ratio")
	}
}

// BenchmarkFirstByte is the time to the first event of a stream, directly and
// through the proxy in turn.
func BenchmarkFirstByte(b *testing.B) {
	p := newPair(b)
	body := talked(300, false)
	first := func(url string) time.Duration {
		start := time.Now()
		got, err := p.client.Post(url+"/v1/messages?stream", "application/json", bytes.NewReader(body))
		if err != nil {
			b.Fatal(err)
		}
		defer got.Body.Close()
		if _, err := io.ReadFull(got.Body, make([]byte, 1)); err != nil {
			b.Fatal(err)
		}
		took := time.Since(start)
		_, _ = io.Copy(io.Discard, got.Body)
		return took
	}
	var direct, through []time.Duration
	for b.Loop() {
		direct, through = append(direct, first(p.direct)), append(through, first(p.through))
	}
	report(b, direct, through)
}

// BenchmarkStart is the time until the command serves, and its memory then and
// after requests.
func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		start := time.Now()
		r := run(b, nil, "--upstream", "http://127.0.0.1:1", "--to", "anthropic")
		b.ReportMetric(float64(time.Since(start).Milliseconds()), "ms-to-serve")
		b.ReportMetric(memory(b, r.Process.Pid), "MB-idle")
		for range 100 {
			ask(b, r.url+"/v1/messages", string(talked(300, true)))
		}
		b.ReportMetric(memory(b, r.Process.Pid), "MB-after")
		r.terminate(b)
	}
}

// memory returns the resident memory of a process in MB.
func memory(b *testing.B, pid int) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		b.Skip(err)
	}
	_, rest, _ := strings.Cut(string(text), "VmRSS:")
	kb, _ := strconv.Atoi(strings.Fields(rest)[0])
	return float64(kb) / 1000
}
