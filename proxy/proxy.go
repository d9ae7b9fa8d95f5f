package proxy

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"hygeia"
	"hygeia/internal/guard"
	"hygeia/proxy/endpoint"
)

// Proxy is an http.Handler. It is safe for concurrent use.
type Proxy struct {
	state    atomic.Pointer[state]
	throttle guard.Throttle
	metrics  metrics
	running  atomic.Int64 // requests
	buffered atomic.Int64 // bytes of bodies
	stopping atomic.Bool
}

// state is what a configuration makes of a proxy.
type state struct {
	config Config
	token  guard.Token
	routes []*route
	origin *http.CrossOriginProtection
	log    *slog.Logger
}

// New returns a proxy. The error wraps [ErrConfig].
func New(c Config) (*Proxy, error) {
	p := &Proxy{}
	if err := p.Reload(c); err != nil {
		return nil, err
	}
	return p, nil
}

// Reload replaces the configuration for requests to come; those under way go on
// with the old one. On an error, which wraps [ErrConfig], the old one stays.
func (p *Proxy) Reload(c Config) error {
	if err := c.check(); err != nil {
		return err
	}
	c.Limits = c.Limits.filled()
	s := &state{config: c, origin: http.NewCrossOriginProtection(), log: c.Log}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.token, s.config.Token = guard.NewToken(c.Token), ""
	for _, r := range c.Routes {
		s.routes = append(s.routes, p.newRoute(s, r))
	}
	// The longest prefix first.
	slices.SortStableFunc(s.routes, func(a, b *route) int { return len(b.prefix) - len(a.prefix) })
	if old := p.state.Swap(s); old != nil {
		for _, r := range old.routes {
			r.base.CloseIdleConnections()
		}
	}
	return nil
}

// ServeHTTP passes a request on.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s := p.state.Load()
	if status, message := p.refuse(s, r); status != 0 {
		p.fail(w, r, endpoint.Endpoint{}, status, message)
		return
	}
	switch r.URL.Path {
	case "/healthz":
		p.health(w)
		return
	case "/metrics":
		if p.admitted(w, s, r) {
			p.metrics.write(w, p.running.Load(), p.buffered.Load())
		}
		return
	}
	rt := s.find(r.URL.EscapedPath())
	if rt == nil {
		p.fail(w, r, endpoint.Endpoint{}, http.StatusNotFound, "no upstream is configured for this path")
		return
	}
	if !p.admitted(w, s, r) {
		return
	}
	defer p.running.Add(-1)
	if p.running.Add(1) > int64(s.config.Limits.MaxRequests) {
		w.Header().Set("Retry-After", "1")
		p.fail(w, r, rt.shape, http.StatusServiceUnavailable, "too many requests at a time")
		return
	}
	rt.serve(w, r)
}

// refuse says why a request is not even looked at.
func (p *Proxy) refuse(s *state, r *http.Request) (status int, message string) {
	switch {
	case !guard.Host(r.Host, s.config.Hosts, s.token.Given()):
		return http.StatusForbidden, "the proxy is not reachable under this Host"
	case r.Method == http.MethodConnect, r.URL.IsAbs(), r.URL.Host != "", !plainPath(r.URL.EscapedPath()):
		return http.StatusBadRequest, "the target of the request is no plain path"
	case s.origin.Check(r) != nil:
		return http.StatusForbidden, "requests of other sites are not taken"
	}
	return 0, ""
}

// admitted answers a request without the token.
func (p *Proxy) admitted(w http.ResponseWriter, s *state, r *http.Request) bool {
	if !s.token.Given() {
		return true
	}
	e := endpoint.Endpoint{}
	if rt := s.find(r.URL.EscapedPath()); rt != nil {
		e = rt.shape
	}
	now := time.Now()
	if p.throttle.Closed(r.RemoteAddr, now) {
		w.Header().Set("Retry-After", strconv.Itoa(int(guard.FailureTime/time.Second)))
		p.fail(w, r, e, http.StatusTooManyRequests, "too many wrong tokens")
		return false
	}
	if !s.admit(r) {
		p.throttle.Fail(r.RemoteAddr, now)
		p.fail(w, r, e, http.StatusUnauthorized, "the proxy's token is missing or wrong; it goes into the header "+tokenHeader)
		return false
	}
	return true
}

func (p *Proxy) health(w http.ResponseWriter) {
	if p.stopping.Load() {
		http.Error(w, "stopping", http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write([]byte("ok\n"))
}

// find returns the route of a path, nil if there is none.
func (s *state) find(path string) *route {
	for _, r := range s.routes {
		if rest, ok := strings.CutPrefix(path, r.prefix); ok && (rest == "" || rest[0] == '/') {
			return r
		}
	}
	return nil
}

// fail answers with an error as the API of the path writes it, that of other if
// the path is of none.
func (p *Proxy) fail(w http.ResponseWriter, r *http.Request, other endpoint.Endpoint, status int, message string) {
	e, ok := endpoint.Find(r.Method, r.URL.EscapedPath())
	if ok {
		e = e.As(other.Provider)
	} else {
		e = other
	}
	body, header := e.Failure(status, "hygeia proxy: "+message)
	for name, values := range header {
		w.Header()[name] = values
	}
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	p.metrics.refused(status)
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client may be gone
}

// failure returns status and text of an error on the way to the upstream. The
// text holds neither URL nor content.
func failure(err error) (status int, message string) {
	var refused *hygeia.RefusedError
	var net net.Error
	switch {
	case errors.As(err, &refused):
		return refused.Status, refused.Error()
	case errors.Is(err, errRedirect):
		return http.StatusBadGateway, errRedirect.Error()
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &net) && net.Timeout():
		return http.StatusGatewayTimeout, "the upstream does not answer in time"
	}
	return http.StatusBadGateway, "the upstream cannot be reached or ended the answer before it began"
}
