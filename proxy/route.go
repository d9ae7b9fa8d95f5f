package proxy

import (
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"time"

	"hygeia"
	"hygeia/proxy/endpoint"
)

// route is an upstream with its connections.
type route struct {
	p        *Proxy
	state    *state
	prefix   string // "" or "/name"
	upstream *url.URL
	key      Key
	signs    bool              // the caller's signature counts for nothing
	shape    endpoint.Endpoint // how errors on other paths are written
	base     *http.Transport
	reverse  httputil.ReverseProxy
}

// errRedirect is a redirect of an upstream: a client that follows it would carry
// its key to another place.
var errRedirect = errors.New("the upstream answers with a redirect, which is not followed")

func (p *Proxy) newRoute(s *state, c Route) *route {
	u, _ := url.Parse(c.Upstream) // checked before
	u.Path, u.RawPath = strings.TrimRight(u.Path, "/"), strings.TrimRight(u.RawPath, "/")
	r := &route{p: p, state: s, upstream: u, key: c.Key, signs: c.AWS != AWS{}, shape: endpoint.Of(c.To.Provider), base: http.DefaultTransport.(*http.Transport).Clone()}
	if name := strings.Trim(c.Prefix, "/"); name != "" {
		r.prefix = "/" + name
	}
	r.base.DisableCompression = true // what is not asked for is not unpacked either
	r.base.MaxIdleConns, r.base.MaxIdleConnsPerHost = 0, s.config.Limits.MaxRequests
	r.base.ResponseHeaderTimeout = s.config.Limits.AnswerTime
	r.base.MaxResponseHeaderBytes = 1 << 20
	var base http.RoundTripper = r.base
	if c.AWS != (AWS{}) {
		base = newSigner(r.base, c.AWS, s.config.Limits.MaxBody)
	}
	r.reverse = httputil.ReverseProxy{
		Rewrite:        r.rewrite,
		Transport:      r.transport(base, &c),
		FlushInterval:  -1,
		ModifyResponse: r.answered,
		ErrorHandler: func(w http.ResponseWriter, in *http.Request, err error) {
			if in.Context().Err() == nil {
				s.log.Warn("upstream failed", "provider", c.To.Provider, "err", reason(err))
			}
			status, message := failure(err)
			p.fail(w, in, r.shape, status, message)
		},
		ErrorLog:   log.New(io.Discard, "", 0), // may name content
		BufferPool: &buffers,
	}
	return r
}

// transport returns what sends requests. The identity of access by token (W-231)
// is that of the route's own key: requests with a key of the caller do without.
func (rt *route) transport(base http.RoundTripper, c *Route) http.RoundTripper {
	with := func(o hygeia.ReplayOptions) *hygeia.Transport {
		return &hygeia.Transport{
			Base: base, To: c.To, Replay: o, MaxBody: rt.state.config.Limits.MaxBody, DryRun: c.DryRun, Observe: rt.observe,
		}
	}
	if c.Replay.Payload.Identity == nil {
		return with(c.Replay)
	}
	callers := c.Replay
	callers.Payload.Identity = nil
	return &parted{key: c.Key, own: with(c.Replay), callers: with(callers)}
}

// parted sends requests with the route's own key in another way than those with a
// key of the caller.
type parted struct {
	key          Key
	own, callers http.RoundTripper
}

// RoundTrip sends a request.
func (p *parted) RoundTrip(r *http.Request) (*http.Response, error) {
	if p.key.Value != "" && r.Header.Get(p.key.Header) == p.key.Value {
		return p.own.RoundTrip(r)
	}
	return p.callers.RoundTrip(r)
}

// serve passes a request on within the limits.
func (rt *route) serve(w http.ResponseWriter, r *http.Request) {
	limits := &rt.state.config.Limits
	_, transcript := endpoint.Find(r.Method, r.URL.EscapedPath())
	control := http.NewResponseController(w)
	if r.Body != nil && r.Body != http.NoBody {
		b := &body{in: r.Body, control: control, time: limits.BodyTime}
		if transcript {
			b.until, b.buffered, b.max = time.Now().Add(limits.BodyTime), &rt.p.buffered, limits.MaxBuffered
		}
		defer b.release()
		if r.Header.Get("Expect") == "" { // else the client waits for an answer first
			defer b.linger()
		}
		r.Body = b
	}
	defer func() { _ = control.SetWriteDeadline(time.Time{}) }() // the connection may serve more
	c := client{control: control}
	if upgrades(r) {
		c.tunnel = &tunnel{ResponseWriter: w}
		w = c.tunnel
	}
	rt.reverse.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), clientKey{}, c)))
}

// client is what an answer needs to know of the one that it goes to.
type client struct {
	control *http.ResponseController
	tunnel  *tunnel // nil unless another protocol was asked for
}

type clientKey struct{}

// rewrite makes the request to the upstream.
func (rt *route) rewrite(pr *httputil.ProxyRequest) {
	out := pr.Out
	rest := strings.TrimPrefix(pr.In.URL.EscapedPath(), rt.prefix)
	out.URL = &url.URL{Scheme: rt.upstream.Scheme, Host: rt.upstream.Host, RawQuery: pr.In.URL.RawQuery}
	out.URL.RawPath = rt.upstream.EscapedPath() + rest
	out.URL.Path, _ = url.PathUnescape(out.URL.RawPath) // both were read before
	out.Host = ""
	for name := range out.Header {
		if strings.HasPrefix(name, "Hygeia-") {
			delete(out.Header, name)
		}
	}
	if rt.signs {
		unsign(out)
	}
	if rt.key.Value != "" && !authorized(out) {
		out.Header.Set(rt.key.Header, rt.key.Value)
	}
}

// authorized reports whether a request brings a credential of its own.
func authorized(r *http.Request) bool {
	for _, name := range credentials {
		if r.Header.Get(name) != "" {
			return true
		}
	}
	return r.URL.Query().Has("key")
}

// answered looks at the beginning of an answer.
func (rt *route) answered(answer *http.Response) error {
	rt.p.metrics.answered(answer.StatusCode)
	if answer.StatusCode/100 == 3 && answer.Header.Get("Location") != "" {
		answer.Body.Close()
		return errRedirect
	}
	c, _ := answer.Request.Context().Value(clientKey{}).(client)
	idle := rt.state.config.Limits.IdleTime
	if answer.StatusCode != http.StatusSwitchingProtocols {
		answer.Body = newWatched(answer.Body, c.control, idle)
	} else if end, ok := answer.Body.(io.ReadWriteCloser); ok && c.tunnel != nil {
		answer.Body = newCrossing(end, c.tunnel, idle)
	}
	return nil
}

// maxModel is how much of the name of a model is logged, which the caller chooses.
const maxModel = 100

// observe counts and logs a request with a transcript.
func (rt *route) observe(r *http.Request, x *hygeia.Exchange) {
	rt.p.metrics.observe(x)
	attrs := []any{
		"api", x.Target.API, "provider", x.Target.Provider, "model", x.Target.Model[:min(maxModel, len(x.Target.Model))], "count", x.Count, "outcome", x.Outcome,
		"status", x.Status, "bytes", x.BytesIn, "overhead", x.Overhead,
	}
	if x.Why != "" {
		attrs = append(attrs, "why", x.Why)
	}
	if x.Remedy != "" {
		attrs = append(attrs, "remedy", x.Remedy)
	}
	if counts := x.Counts(); len(counts) > 0 {
		attrs = append(attrs, "changes", counts)
	}
	rt.state.log.InfoContext(r.Context(), "request", attrs...)
}

// reason returns an error for the log: what http.Transport says, which names
// hosts and ports, but nothing of a URL.
func reason(err error) string {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	return err.Error()
}

// buffers are those in which answers are copied.
var buffers pool

const bufferSize = 32 << 10

type pool struct{ free sync.Pool }

func (p *pool) Get() []byte {
	if b, ok := p.free.Get().(*[bufferSize]byte); ok {
		return b[:]
	}
	return make([]byte, bufferSize)
}

func (p *pool) Put(b []byte) { p.free.Put((*[bufferSize]byte)(b)) }
