//go:build unix

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
	"syscall"
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

func newPair(b testing.TB) *pair {
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

func (p *pair) ask(b testing.TB, url, caller string, body []byte) time.Duration {
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

// speed is a kind of request whose speed is measured.
type speed struct {
	name                string
	size, at            int // bytes, and how many at a time
	damaged, turn, cold bool
}

// speeds are those of the table. "turn" is a conversation that grows by a round with
// each request, "cold" one that the proxy has not seen before.
var speeds = []speed{
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
}

// times are those of requests, sorted: by the clock, and of a processor where
// requests come one at a time.
type times struct{ clock, cpu []time.Duration }

func (l times) at(percent int) time.Duration { return l.clock[(len(l.clock)-1)*percent/100] }

// mean is the time of a processor for a request, that of client and upstream
// included, 0 if it is not known. A mean, since memory is cleared now and then.
func (l times) mean() time.Duration {
	var sum time.Duration
	for _, d := range l.cpu {
		sum += d
	}
	return sum / time.Duration(max(len(l.cpu), 1))
}

// run asks n times directly and through the proxy in turn.
func (c speed) run(b testing.TB, n int) (direct, through times) {
	p := newPair(b)
	body := talked(c.size, c.damaged)
	var mu sync.Mutex
	asked := 0
	next := func() (int, []byte) {
		mu.Lock()
		defer mu.Unlock()
		asked++
		if c.turn {
			body = grown(body, 1_000_000+asked)
		}
		return asked, body
	}
	ask := func(l *times, url, caller string, body []byte) {
		before := processorTime(b)
		took := p.ask(b, url, caller, body)
		used := processorTime(b) - before
		mu.Lock()
		defer mu.Unlock()
		l.clock = append(l.clock, took)
		if c.at == 1 {
			l.cpu = append(l.cpu, used)
		}
	}
	p.ask(b, p.direct, "caller", body)
	p.ask(b, p.through, "caller", body)
	var work sync.WaitGroup
	for range c.at {
		work.Go(func() {
			for {
				i, body := next()
				if i > n {
					return
				}
				caller := "caller"
				if c.cold {
					caller = strconv.Itoa(i)
				}
				ask(&direct, p.direct, caller, body)
				ask(&through, p.through, caller, body)
			}
		})
	}
	work.Wait()
	slices.Sort(direct.clock)
	slices.Sort(through.clock)
	return direct, through
}

// BenchmarkProxy reports what the proxy adds at the median and at the 99th
// percentile, the ratio of medians, and what it adds of a processor's time.
func BenchmarkProxy(b *testing.B) {
	for _, c := range speeds {
		b.Run(c.name, func(b *testing.B) {
			direct, through := c.run(b, b.N)
			report(b, direct, through)
		})
	}
}

func report(b *testing.B, direct, through times) {
	micro := func(d time.Duration) float64 { return float64(d.Microseconds()) }
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(micro(direct.at(50)), "µs-direct-p50")
	b.ReportMetric(micro(through.at(50)-direct.at(50)), "µs-added-p50")
	b.ReportMetric(micro(through.at(99)-direct.at(99)), "µs-added-p99")
	b.ReportMetric(float64(through.at(50))/float64(direct.at(50)), "ratio-p50")
	if len(direct.cpu) > 0 {
		b.ReportMetric(micro(through.mean()-direct.mean()), "µs-added-cpu")
	}
}

func processorTime(b testing.TB) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// TestSpeed prints the table of docs/performance.md:
//
//	HYGEIA_SPEED=300 go test -run TestSpeed -v -timeout 0 ./proxy/endtoend
//
// The number is how often each kind of small request is asked; of large ones it is a
// part.
func TestSpeed(t *testing.T) {
	if os.Getenv("HYGEIA_SPEED") == "" {
		t.Skip("measures only where $HYGEIA_SPEED says how many requests")
	}
	n, err := strconv.Atoi(os.Getenv("HYGEIA_SPEED"))
	if err != nil || n < 1 {
		t.Fatalf("HYGEIA_SPEED: expected a number, got %q", os.Getenv("HYGEIA_SPEED"))
	}
	var out strings.Builder
	out.WriteString("| Request | direct p50 | added p50 | added p99 | through / direct | direct, processor | added, processor |\n|---|---|---|---|---|---|---|\n")
	ms := func(d time.Duration) string { return fmt.Sprintf("%.2f ms", float64(d.Microseconds())/1000) }
	row := func(name string, direct, through times) {
		fmt.Fprintf(&out, "| %s | %s | %s | %s | %.1f |", name, ms(direct.at(50)), ms(through.at(50)-direct.at(50)), ms(through.at(99)-direct.at(99)), float64(through.at(50))/float64(direct.at(50)))
		if len(direct.cpu) > 0 {
			fmt.Fprintf(&out, " %s | %s |\n", ms(direct.mean()), ms(through.mean()-direct.mean()))
			return
		}
		out.WriteString(" | |\n")
	}
	for _, c := range speeds {
		direct, through := c.run(t, max(n*min(20_000, 1_000_000/c.size+1)/1_000, c.at, 5))
		row(c.name, direct, through)
	}
	direct, through := firstBytes(t, 4*n)
	row("first event of a stream", direct, through)
	r := requests(t)
	fmt.Fprintf(&out, "\nSmall requests, 64 at a time, client, proxy and upstream on these cores: %.0f per second directly, %.0f through the proxy; %s and %s of a processor each.\n",
		r.direct, r.through, ms(r.directCPU), ms(r.throughCPU))
	t.Log("\n" + out.String())
}

// rates are requests per second, and the time of a processor for one.
type rates struct {
	direct, through       float64
	directCPU, throughCPU time.Duration
}

// requests asks small requests directly and through the proxy, 64 at a time.
func requests(b testing.TB) rates {
	p := newPair(b)
	body := talked(300, false)
	rate := func(url string) (float64, time.Duration) {
		const n = 4096
		start, before := time.Now(), processorTime(b)
		var work sync.WaitGroup
		for range 64 {
			work.Go(func() {
				for range n / 64 {
					p.ask(b, url, "caller", body)
				}
			})
		}
		work.Wait()
		return n / time.Since(start).Seconds(), (processorTime(b) - before) / n
	}
	rate(p.through) // opens the connections
	var r rates
	r.direct, r.directCPU = rate(p.direct)
	r.through, r.throughCPU = rate(p.through)
	return r
}

// BenchmarkRequests is how many small requests go through in a second, client and
// upstream on the same cores, against direct ones in the same run.
func BenchmarkRequests(b *testing.B) {
	for b.Loop() {
		r := requests(b)
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(r.direct, "direct/s")
		b.ReportMetric(r.through, "through/s")
		b.ReportMetric(r.direct/r.through, "ratio")
		b.ReportMetric(float64(r.directCPU.Microseconds()), "µs-cpu-direct")
		b.ReportMetric(float64(r.throughCPU.Microseconds()), "µs-cpu-through")
	}
}

// BenchmarkFirstByte is the time to the first event of a stream, directly and
// through the proxy in turn.
func BenchmarkFirstByte(b *testing.B) {
	direct, through := firstBytes(b, b.N)
	report(b, direct, through)
}

func firstBytes(b testing.TB, n int) (direct, through times) {
	p := newPair(b)
	body := talked(300, false)
	first := func(l *times, url string) {
		start, before := time.Now(), processorTime(b)
		got, err := p.client.Post(url+"/v1/messages?stream", "application/json", bytes.NewReader(body))
		if err != nil {
			b.Fatal(err)
		}
		defer got.Body.Close()
		if _, err := io.ReadFull(got.Body, make([]byte, 1)); err != nil {
			b.Fatal(err)
		}
		l.clock = append(l.clock, time.Since(start))
		_, _ = io.Copy(io.Discard, got.Body)
		l.cpu = append(l.cpu, processorTime(b)-before)
	}
	for range n {
		first(&direct, p.direct)
		first(&through, p.through)
	}
	slices.Sort(direct.clock)
	slices.Sort(through.clock)
	return direct, through
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
