package proxy

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"time"

	"hygeia/internal/guard"
)

// ErrPublic says that an address can be reached from other machines.
var ErrPublic = guard.ErrPublic

// Listen listens on a TCP address like "127.0.0.1:8484"; port 0 picks one.
// Without a token the error wraps [ErrPublic] for an address that other machines
// can reach.
func (p *Proxy) Listen(addr string) (net.Listener, error) {
	return guard.Listen(addr, p.state.Load().token.Given())
}

// The bounds of a connection. Bodies and answers have their own ([Limits]).
const (
	headerTime = 10 * time.Second
	idleTime   = 2 * time.Minute
	maxHeader  = 64 << 10 // bytes
)

// Serve serves requests until the context ends. Then no more are taken, those
// under way may end within [Limits.StopTime], and nothing runs on when it returns.
// The error is that of the listener.
func (p *Proxy) Serve(ctx context.Context, l net.Listener) error {
	alive, kill := context.WithCancel(context.WithoutCancel(ctx))
	defer kill()
	srv := &http.Server{
		Handler: p, ErrorLog: log.New(io.Discard, "", 0), ReadHeaderTimeout: headerTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHeader,
		BaseContext: func(net.Listener) context.Context { return alive },
	}
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(l) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	p.stopping.Store(true)
	late, cancel := context.WithTimeout(alive, p.state.Load().config.Limits.StopTime)
	defer cancel()
	if srv.Shutdown(late) != nil {
		kill()
		srv.Close()
	}
	<-failed
	for _, r := range p.state.Load().routes {
		r.base.CloseIdleConnections()
	}
	return nil
}
