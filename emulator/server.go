package emulator

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"
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
var ErrPublic = errors.New("not an address of the loopback")

// Listen listens on a TCP address like "127.0.0.1:8080". Unless public is set
// the error wraps [ErrPublic] for an address that other machines can reach.
func Listen(addr string, public bool) (net.Listener, error) {
	at, err := net.ResolveTCPAddr("tcp", addr)
	if err != nil {
		return nil, err
	}
	if !public && !at.IP.IsLoopback() {
		return nil, fmt.Errorf("listen on %q: %w", addr, ErrPublic)
	}
	network := "tcp"
	if at.IP.To4() != nil {
		network = "tcp4" // else 0.0.0.0 means IPv6 as well
	}
	return net.ListenTCP(network, at)
}

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

// allowed reports whether a request may come under that Host.
func (e *Emulator) allowed(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.TrimSuffix(strings.TrimPrefix(name, "["), "]")
	if addr, err := netip.ParseAddr(name); err == nil {
		return addr.Unmap().IsLoopback() || e.o.Public
	}
	name = strings.TrimSuffix(strings.ToLower(name), ".")
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return true
	}
	for _, h := range e.o.Hosts {
		if strings.EqualFold(h, name) {
			return true
		}
	}
	return false
}
