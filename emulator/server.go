package emulator

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"time"

	"hygeia/internal/guard"
)

// Server is an emulator that listens on the loopback, in the manner of
// httptest.Server.
type Server struct {
	*Emulator
	URL string // http://127.0.0.1:PORT

	stop  context.CancelFunc
	ended chan struct{}
}

// NewServer starts a server on a free port. The caller closes it. It panics when
// there is no port, as httptest.NewServer does.
func NewServer(o Options) *Server {
	l, err := Listen("127.0.0.1:0", false)
	if err != nil {
		panic("emulator: " + err.Error())
	}
	ctx, stop := context.WithCancel(context.Background())
	s := &Server{Emulator: New(o), URL: "http://" + l.Addr().String(), stop: stop, ended: make(chan struct{})}
	go func() {
		defer close(s.ended)
		_ = s.Serve(ctx, l) // the listener was closed by Close, or else requests fail
	}()
	return s
}

// BaseURL returns the URL under which the server is the provider of that name,
// with all paths of it: [Server.URL] takes a provider from the path, which is
// not enough where several share one.
func (s *Server) BaseURL(provider string) string { return s.URL + "/to/" + provider }

// Close stops the server, answers under way included, and waits until nothing of
// it runs.
func (s *Server) Close() {
	s.stop()
	<-s.ended
}

// ErrPublic says that an address can be reached from other machines.
var ErrPublic = guard.ErrPublic

// Listen listens on a TCP address like "127.0.0.1:8080". Unless public is set
// the error wraps [ErrPublic] for an address that other machines can reach.
func Listen(addr string, public bool) (net.Listener, error) { return guard.Listen(addr, public) }

// The times that a connection may take. Answers have none, since a script may
// delay them.
const (
	headerTime   = 10 * time.Second
	readTime     = time.Minute
	idleTime     = 2 * time.Minute
	shutdownTime = time.Second / 2
	maxHeader    = 64 << 10
)

// Serve serves requests until the context ends, then stops: answers under way
// are ended, and nothing runs on when it returns. The error is that of the
// listener.
func (e *Emulator) Serve(ctx context.Context, l net.Listener) error {
	srv := &http.Server{
		Handler: e, ErrorLog: log.New(io.Discard, "", 0), ReadHeaderTimeout: headerTime, ReadTimeout: readTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHeader,
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(l) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
	defer cancel()
	if srv.Shutdown(late) != nil {
		srv.Close() // a client that does not read
	}
	<-failed
	return nil
}
