package gateway

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/klauspost/compress/gzhttp"

	"hygeia/runner"
	"hygeia/session"
)

// Config says what a gateway serves. State must be there.
type Config struct {
	// State is the root of the sessions: agents/AGENT/sessions lies below it (F-01).
	State string
	// Agent owns the sessions that are made here; "" means main.
	Agent string
	// Run returns what answers prompts for a target, PROVIDER/MODEL or "" for the
	// default one. Nil serves history alone.
	Run func(target string) (*runner.Runner, error)
	// Models are the names, PROVIDER/MODEL, that clients are told of besides those of
	// sessions (H-43).
	Models []string
	// Token is what callers have to show, with all rights. "" asks for none, which
	// is for the loopback alone.
	Token string
	// Hosts are names under which requests may come besides those of the loopback.
	Hosts []string
	// MaxBody is the longest request body in bytes, 0 means 25 MiB.
	MaxBody int64
	// MaxStreams is how many event streams there may be, 0 means 2 000.
	MaxStreams int
	// Keepalive is the time between signs of life on a stream, 0 means 15 s (H-42).
	Keepalive time.Duration
	// Poll is the time between looks at the files that streams tell of, 0 means
	// 200 ms.
	Poll time.Duration
	// Failed is told of what is answered as 500: the route, and the error, which may
	// name paths. Nil where nobody asks.
	Failed func(route string, err error)
	// Log gets a line about each repair of a session file and of the index of the
	// sessions, nil for none (F-61).
	Log *slog.Logger
	Now func() time.Time // nil means time.Now
}

// Gateway serves sessions. It is safe for concurrent use.
type Gateway struct {
	Config
	sessions runner.Sessions
	cache    session.Cache
	redactor *session.Redactor
	reading  sync.Mutex
	opened   map[string]opened // by path
	views    views
	digests  digests
	names    names
	feeds    feeds
	runs     runs
	access   access
	counts   counts
	ctx      context.Context
	stop     context.CancelFunc
	work     sync.WaitGroup
}

// ErrState says that there is no folder to serve.
var ErrState = errors.New("no state folder")

// newRedactor makes what takes secrets out of texts, once: it does not change.
var newRedactor = sync.OnceValues(func() (*session.Redactor, error) { return session.NewRedactor() })

// New returns a gateway. Close ends it.
func New(c Config) (*Gateway, error) {
	if c.State == "" {
		return nil, ErrState
	}
	defaults(&c)
	redactor, err := newRedactor()
	if err != nil {
		return nil, err
	}
	g := &Gateway{Config: c, redactor: redactor, names: names{redactor: redactor}, opened: map[string]opened{}, sessions: runner.Sessions{State: c.State, Agents: []string{c.Agent}}}
	g.ctx, g.stop = context.WithCancel(context.Background())
	if err := g.access.open(c); err != nil {
		return nil, err
	}
	g.work.Go(g.watch)
	return g, nil
}

func defaults(c *Config) {
	if c.Agent == "" {
		c.Agent = "main"
	}
	if c.MaxBody == 0 {
		c.MaxBody = 25 << 20
	}
	if c.MaxStreams == 0 {
		c.MaxStreams = 2_000
	}
	if c.Keepalive == 0 {
		c.Keepalive = 15 * time.Second
	}
	if c.Poll == 0 {
		c.Poll = 200 * time.Millisecond
	}
	if c.Now == nil {
		c.Now = time.Now
	}
}

// Close ends runs and streams and waits for them.
func (g *Gateway) Close() {
	g.stop()
	g.work.Wait()
}

// Handler returns what serves the requests.
func (g *Gateway) Handler() http.Handler {
	mux := http.NewServeMux()
	for _, r := range routes {
		mux.HandleFunc(r.method+" "+r.path, func(w http.ResponseWriter, req *http.Request) { g.serve(r, w, req) })
	}
	mux.HandleFunc("/", g.other)
	var origin http.CrossOriginProtection
	origin.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		writeError(w, failure{http.StatusForbidden, "forbidden", "requests from pages of other origins change nothing here"})
	}))
	return g.guard(origin.Handler(compressed(mux)))
}

// compressed answers in gzip where the caller takes it, streams excepted.
func compressed(h http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(gzhttp.MinSize(1024), gzhttp.ContentTypeFilter(func(t string) bool {
		return t == "application/json" || t == "text/html; charset=utf-8"
	}))
	if err != nil {
		return h // cannot be: the options are constants
	}
	return wrap(h)
}

// other answers for paths and methods that no route has.
func (g *Gateway) other(w http.ResponseWriter, r *http.Request) {
	if allowed := methodsOf(r); allowed != "" {
		w.Header().Set("Allow", allowed)
		writeError(w, failure{http.StatusMethodNotAllowed, "method_not_allowed", r.Method + " is not served here"})
		return
	}
	writeError(w, failure{http.StatusNotFound, "not_found", "nothing is served here"})
}
