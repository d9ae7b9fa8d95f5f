package proxy

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"hygeia"
)

// metrics are counters. Labels are APIs, outcomes, rule ids and statuses: none of
// them comes from a caller.
type metrics struct {
	mu       sync.Mutex
	counts   map[counter]int64
	overhead [len(overheadBounds) + 1]int64
	seconds  float64
}

// counter is a family with the values of its labels, as many as it has.
type counter struct{ family, first, second string }

// labels are those of the families.
var labels = map[string][]string{
	"hygeia_requests_total": {"api", "outcome"}, "hygeia_changes_total": {"rule"}, "hygeia_changes_not_made_total": {"rule"},
	"hygeia_resends_total": {"rule"}, "hygeia_answers_total": {"class"}, "hygeia_refused_total": {"status"},
}

// String returns a counter as it is written.
func (c counter) String() string {
	names := labels[c.family]
	if len(names) == 1 {
		return fmt.Sprintf("%s{%s=%q}", c.family, names[0], c.first)
	}
	return fmt.Sprintf("%s{%s=%q,%s=%q}", c.family, names[0], c.first, names[1], c.second)
}

// overheadBounds are the upper bounds in seconds of the histogram of overhead.
var overheadBounds = [...]float64{0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5}

func (m *metrics) add(c counter, n int) {
	if m.counts == nil {
		m.counts = map[counter]int64{}
	}
	m.counts[c] += int64(n)
}

func (m *metrics) observe(x *hygeia.Exchange) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.add(counter{"hygeia_requests_total", x.Target.API, string(x.Outcome)}, 1)
	name := "hygeia_changes_total"
	if x.Outcome != hygeia.Changed {
		name = "hygeia_changes_not_made_total"
	}
	for rule, n := range x.Counts() {
		m.add(counter{family: name, first: rule}, n)
	}
	if x.Remedy != "" {
		m.add(counter{family: "hygeia_resends_total", first: x.Remedy}, 1)
	}
	i := 0
	for i < len(overheadBounds) && x.Overhead.Seconds() > overheadBounds[i] {
		i++
	}
	m.overhead[i]++
	m.seconds += x.Overhead.Seconds()
}

// classes are those of statuses.
var classes = [...]string{"0xx", "1xx", "2xx", "3xx", "4xx", "5xx", "6xx", "7xx", "8xx", "9xx"}

func (m *metrics) answered(status int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.add(counter{family: "hygeia_answers_total", first: classes[min(max(status/100, 0), len(classes)-1)]}, 1)
}

func (m *metrics) refused(status int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.add(counter{family: "hygeia_refused_total", first: strconv.Itoa(status)}, 1)
}

// write answers in the text format of Prometheus.
func (m *metrics) write(w http.ResponseWriter, running, buffered int64) {
	m.mu.Lock()
	var b strings.Builder
	family := ""
	for _, c := range slices.SortedFunc(maps.Keys(m.counts), func(a, b counter) int { return strings.Compare(a.String(), b.String()) }) {
		if c.family != family {
			family = c.family
			fmt.Fprintf(&b, "# TYPE %s counter\n", family)
		}
		fmt.Fprintf(&b, "%s %d\n", c, m.counts[c])
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
