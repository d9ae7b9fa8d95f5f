package proxy

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"hygeia"
)

// metrics are counters. Labels are APIs, outcomes, rule ids and statuses: none of
// them comes from a caller.
type metrics struct {
	mu       sync.Mutex
	counts   map[string]int64 // by name and labels as they are written
	overhead [len(overheadBounds) + 1]int64
	seconds  float64
}

// overheadBounds are the upper bounds in seconds of the histogram of overhead.
var overheadBounds = [...]float64{0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5}

func (m *metrics) add(name string, n int) {
	if m.counts == nil {
		m.counts = map[string]int64{}
	}
	m.counts[name] += int64(n)
}

func (m *metrics) observe(x *hygeia.Exchange) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.add(fmt.Sprintf(`hygeia_requests_total{api=%q,outcome=%q}`, x.Target.API, x.Outcome), 1)
	name := "hygeia_changes_total"
	if x.Outcome != hygeia.Changed {
		name = "hygeia_changes_not_made_total"
	}
	for rule, n := range x.Counts() {
		m.add(fmt.Sprintf(`%s{rule=%q}`, name, rule), n)
	}
	if x.Remedy != "" {
		m.add(fmt.Sprintf(`hygeia_resends_total{rule=%q}`, x.Remedy), 1)
	}
	i := 0
	for i < len(overheadBounds) && x.Overhead.Seconds() > overheadBounds[i] {
		i++
	}
	m.overhead[i]++
	m.seconds += x.Overhead.Seconds()
}

func (m *metrics) answered(status int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.add(fmt.Sprintf(`hygeia_answers_total{class="%dxx"}`, status/100), 1)
}

func (m *metrics) refused(status int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.add(fmt.Sprintf(`hygeia_refused_total{status="%d"}`, status), 1)
}

// write answers in the text format of Prometheus.
func (m *metrics) write(w http.ResponseWriter, running, buffered int64) {
	m.mu.Lock()
	var b strings.Builder
	family := ""
	for _, name := range slices.Sorted(maps.Keys(m.counts)) {
		if f, _, _ := strings.Cut(name, "{"); f != family {
			family = f
			fmt.Fprintf(&b, "# TYPE %s counter\n", f)
		}
		fmt.Fprintf(&b, "%s %d\n", name, m.counts[name])
	}
	b.WriteString("# TYPE hygeia_overhead_seconds histogram\n")
	total := int64(0)
	for i, n := range m.overhead {
		total += n
		if i < len(overheadBounds) {
			fmt.Fprintf(&b, "hygeia_overhead_seconds_bucket{le=\"%g\"} %d\n", overheadBounds[i], total)
		}
	}
	fmt.Fprintf(&b, "hygeia_overhead_seconds_bucket{le=\"+Inf\"} %d\nhygeia_overhead_seconds_sum %g\nhygeia_overhead_seconds_count %d\n", total, m.seconds, total)
	m.mu.Unlock()
	fmt.Fprintf(&b, "# TYPE hygeia_running gauge\nhygeia_running %d\n# TYPE hygeia_buffered_bytes gauge\nhygeia_buffered_bytes %d\n", running, buffered)
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = w.Write([]byte(b.String()))
}
