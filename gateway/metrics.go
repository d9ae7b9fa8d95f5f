package gateway

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"sort"
	"strings"
	"sync"
)

// counts are the counters of a gateway. No key or content stands in them.
type counts struct {
	mu       sync.Mutex
	requests map[string]int // by route and class of status
}

func (n *counts) add(r route, err error) {
	status := "ok"
	var f failure
	switch {
	case err == nil || errors.Is(err, errStreamed):
	case errors.As(err, &f):
		status = fmt.Sprintf("%dxx", f.status/100)
	default:
		status = "5xx"
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.requests == nil {
		n.requests = map[string]int{}
	}
	n.requests[fmt.Sprintf("hygeia_requests_total{route=%q,status=%q}", r.method+" "+r.path, status)]++
}

func (g *Gateway) metrics(c *call) error {
	g.counts.mu.Lock()
	var lines []string
	for name, n := range g.counts.requests {
		lines = append(lines, fmt.Sprintf("%s %d\n", name, n))
	}
	g.counts.mu.Unlock()
	sort.Strings(lines)
	g.feeds.mu.Lock()
	streams := g.feeds.streams
	g.feeds.mu.Unlock()
	g.runs.mu.Lock()
	started, busy := g.runs.started, len(g.runs.queues)
	g.runs.mu.Unlock()
	c.w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, err := fmt.Fprintf(c.w, "# TYPE hygeia_requests_total counter\n%s# TYPE hygeia_streams gauge\nhygeia_streams %d\n# TYPE hygeia_runs_total counter\nhygeia_runs_total %d\n# TYPE hygeia_sessions_busy gauge\nhygeia_sessions_busy %d\n",
		strings.Join(lines, ""), streams, started, busy)
	return streamed(err)
}

func (g *Gateway) alive(c *call) error {
	c.w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	c.w.WriteHeader(http.StatusOK)
	_, err := io.WriteString(c.w, "ok\n")
	return streamed(err)
}
