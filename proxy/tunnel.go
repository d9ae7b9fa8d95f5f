package proxy

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// tunnel is a connection that is handed over to another protocol, WebSocket. It
// ends when nothing crosses for too long: both its ends are closed then, since each
// may be what the other waits for.
type tunnel struct {
	http.ResponseWriter
	mu     sync.Mutex
	client net.Conn
}

// upgrades reports whether a request asks for another protocol.
func upgrades(r *http.Request) bool { return r.Header.Get("Upgrade") != "" }

// Unwrap is for [http.ResponseController].
func (t *tunnel) Unwrap() http.ResponseWriter { return t.ResponseWriter }

// Hijack keeps the client's end.
func (t *tunnel) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	c, rw, err := http.NewResponseController(t.ResponseWriter).Hijack()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.client = c
	return c, rw, err
}

func (t *tunnel) closeClient() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.client != nil {
		t.client.Close()
	}
}

// crossing is the upstream's end of a tunnel. All that crosses passes here.
type crossing struct {
	io.ReadWriteCloser
	idle  time.Duration
	timer *time.Timer
}

func newCrossing(end io.ReadWriteCloser, t *tunnel, idle time.Duration) *crossing {
	return &crossing{end, idle, time.AfterFunc(idle, func() {
		end.Close()
		t.closeClient()
	})}
}

func (c *crossing) Read(p []byte) (int, error) {
	n, err := c.ReadWriteCloser.Read(p)
	c.timer.Reset(c.idle)
	return n, err
}

func (c *crossing) Write(p []byte) (int, error) {
	c.timer.Reset(c.idle)
	return c.ReadWriteCloser.Write(p)
}

// CloseWrite says that the client sends no more.
func (c *crossing) CloseWrite() error {
	if end, ok := c.ReadWriteCloser.(interface{ CloseWrite() error }); ok {
		return end.CloseWrite()
	}
	return errors.ErrUnsupported
}

// Close ends the tunnel.
func (c *crossing) Close() error {
	c.timer.Stop()
	return c.ReadWriteCloser.Close()
}
