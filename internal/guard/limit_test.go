package guard

import (
	"errors"
	"io"
	"net"
	"testing"
)

// Design §9: one connection more than there may be waits until another one ends, and
// nobody waits behind a listener that is closed.
func TestLimit(t *testing.T) {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := Limit(inner, 2)
	accepted := make(chan net.Conn)
	ended := make(chan error, 1)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				ended <- err
				return
			}
			accepted <- c
		}
	}()
	dial := func() net.Conn {
		c, err := net.Dial("tcp", inner.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		return c
	}
	dial()
	dial()
	first, second := <-accepted, <-accepted
	third := dial()
	if len(l.(*limited).free) != 2 {
		t.Error("a third connection was taken")
	}
	select {
	case <-accepted:
		t.Error("a third connection was taken")
	default:
	}
	first.Close()
	first.Close() // counts once
	c := <-accepted
	if _, err := third.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(c, make([]byte, 1)); err != nil {
		t.Error("the third connection does not work:", err)
	}
	if n := len(l.(*limited).free); n != 2 {
		t.Errorf("%d connections count", n)
	}
	l.Close()
	if err := <-ended; !errors.Is(err, net.ErrClosed) {
		t.Error(err)
	}
	second.Close()
	c.Close()
}

// broken is a listener to which nobody comes.
type broken struct{ net.Listener }

func (broken) Accept() (net.Conn, error) { return nil, io.ErrUnexpectedEOF }

// Design §9: a connection that was not taken does not count.
func TestLimitAfterFailure(t *testing.T) {
	l := Limit(broken{}, 1)
	if _, err := l.Accept(); !errors.Is(err, io.ErrUnexpectedEOF) || len(l.(*limited).free) != 0 {
		t.Errorf("%v, and %d connections count", err, len(l.(*limited).free))
	}
}
