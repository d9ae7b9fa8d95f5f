package proxy

import (
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"hygeia"
)

// body is the body of a request that is read within limits. Its read deadline is
// lifted once it is read, so that the connection can be watched for a client that
// goes away.
type body struct {
	in       io.ReadCloser
	control  *http.ResponseController
	time     time.Duration // for a pause
	until    time.Time     // for all of it, zero where only pauses count
	buffered *atomic.Int64 // bytes of all such bodies, nil where nothing is kept
	max      int64
	read     int64
	ended    atomic.Bool // no more comes, or not in time
}

// lingerTime is how long the rest of a body is waited for that nobody wants.
const lingerTime = time.Second

var errBusy = &hygeia.RefusedError{Status: http.StatusServiceUnavailable, Err: errors.New("too many bytes of requests at a time")}

var errSlow = &hygeia.RefusedError{Status: http.StatusRequestTimeout, Err: errors.New("the body does not come in time")}

func (b *body) Read(p []byte) (int, error) {
	until := b.until
	if until.IsZero() {
		until = time.Now().Add(b.time)
	}
	_ = b.control.SetReadDeadline(until) // a server without deadlines has its own
	n, err := b.in.Read(p)
	if b.buffered != nil {
		b.read += int64(n)
		if b.buffered.Add(int64(n)) > b.max {
			return n, errBusy
		}
	}
	var timeout net.Error
	switch {
	case errors.As(err, &timeout) && timeout.Timeout():
		b.ended.Store(true)
		return n, errSlow
	case err != nil:
		b.ended.Store(true)
		_ = b.control.SetReadDeadline(time.Time{})
	}
	return n, err
}

// Close ends the reading.
func (b *body) Close() error { return b.in.Close() }

// linger takes for a moment what still comes of a body that was refused, and throws
// it away: a connection that is closed before is reset, and a client that is still
// sending never sees why.
func (b *body) linger() {
	if b.ended.Load() {
		return
	}
	_ = b.control.SetReadDeadline(time.Now().Add(lingerTime))
	_, _ = io.Copy(io.Discard, b.in)
	_ = b.control.SetReadDeadline(time.Time{})
}

// release gives the bytes of a body back when its request is over.
func (b *body) release() {
	if b.buffered != nil {
		b.buffered.Add(-b.read)
	}
}

// watched is the body of an answer that ends when nothing comes for too long, or
// when the client takes nothing.
type watched struct {
	io.ReadCloser
	control *http.ResponseController
	idle    time.Duration
	timer   *time.Timer
	once    sync.Once
}

func newWatched(in io.ReadCloser, control *http.ResponseController, idle time.Duration) *watched {
	w := &watched{ReadCloser: in, control: control, idle: idle}
	w.timer = time.AfterFunc(idle, func() { _ = w.Close() })
	return w
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.ReadCloser.Read(p)
	w.timer.Reset(w.idle)
	if n > 0 && w.control != nil {
		_ = w.control.SetWriteDeadline(time.Now().Add(w.idle))
	}
	return n, err
}

// Close ends the answer.
func (w *watched) Close() error {
	var err error
	w.once.Do(func() {
		w.timer.Stop()
		err = w.ReadCloser.Close()
	})
	return err
}
