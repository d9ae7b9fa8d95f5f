package guard

import (
	"errors"
	"fmt"
	"net"
	"testing"
	"time"
)

// TestHost holds Host values against who may send them: names that resolve to the
// loopback whatever a name server says, and configured ones.
func TestHost(t *testing.T) {
	names := []string{"Proxy.Example", "pinned.example:8443", ""}
	for host, want := range map[string]struct{ loopback, any bool }{
		"127.0.0.1": {true, true}, "127.0.0.1:80": {true, true}, "127.8.9.1:80": {true, true}, "[::1]": {true, true}, "[::1]:80": {true, true}, "::1": {true, true},
		"[::ffff:127.0.0.1]:80": {true, true}, "localhost": {true, true}, "LocalHost.:1": {true, true}, "a.localhost:1": {true, true},
		"proxy.example": {true, true}, "PROXY.example.:8484": {true, true}, "pinned.example:8443": {true, true},
		"pinned.example": {}, "pinned.example:80": {},
		"192.0.2.1": {false, true}, "0.0.0.0:80": {false, true}, "[::]:80": {false, true}, "[2001:db8::1]:80": {false, true}, "[::ffff:192.0.2.1]": {false, true},
		"": {}, ".": {}, ":80": {}, "[]": {}, "evil.example": {}, "127.0.0.1.evil.example": {}, "localhost.evil.example:80": {}, "evil-localhost": {}, "evillocalhost": {},
		"localhost..": {}, "proxy.example.evil.example": {}, "xproxy.example": {}, "127.1": {}, "0x7f000001": {}, "2130706433": {}, "0177.0.0.1": {}, "127.0.0.1@evil.example": {},
		"127.0.0.1/.evil.example": {}, "localhost\x00.evil.example": {}, "ⓛocalhost": {}, "１２７.0.0.1": {},
	} {
		if got := Host(host, names, false); got != want.loopback {
			t.Errorf("%q: %v without a token", host, got)
		}
		if got := Host(host, names, true); got != want.any {
			t.Errorf("%q: %v with a token", host, got)
		}
	}
}

// TestListen refuses what other machines reach before anything is bound.
func TestListen(t *testing.T) {
	for _, addr := range []string{"127.0.0.1:0", "localhost:0", "127.3.4.5:0"} {
		l, err := Listen(addr, false)
		if err != nil {
			t.Errorf("%s: %v", addr, err)
			continue
		}
		if at := l.Addr().(*net.TCPAddr); !at.IP.IsLoopback() {
			t.Errorf("%s listens on %s", addr, at)
		}
		l.Close()
	}
	for _, addr := range []string{":0", "0.0.0.0:0", "[::]:0", "192.0.2.1:0", "[2001:db8::1]:0", "[::ffff:192.0.2.1]:0"} {
		if l, err := Listen(addr, false); !errors.Is(err, ErrPublic) {
			t.Errorf("%s: %v, %v", addr, l, err)
		}
	}
	for _, addr := range []string{"", "127.0.0.1", "127.0.0.1:99999", "127.0.0.1:x", "localhost:-1", "/tmp/socket"} {
		if l, err := Listen(addr, true); err == nil {
			t.Errorf("%q listens on %s", addr, l.Addr())
		}
	}
	l, err := Listen("0.0.0.0:0", true)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if at := l.Addr().(*net.TCPAddr); at.IP.To4() == nil {
		t.Errorf("0.0.0.0 listens on %s, IPv6 included", at)
	}
}

func TestToken(t *testing.T) {
	if none := NewToken(""); none.Given() || none.Is("") {
		t.Error("no token is one")
	}
	token := NewToken("secret")
	for text, want := range map[string]bool{"secret": true, "": false, "Secret": false, "secret ": false, "secre": false, "secret\x00": false} {
		if token.Is(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
	for header, want := range map[string]string{"Bearer a": "a", "bearer  a ": "a", "BEARER a b": "a b", "Basic a": "-", "Bearer": "-", "": "-", "a": "-"} {
		if got, ok := Bearer(header); ok != (want != "-") || ok && got != want {
			t.Errorf("%q: %q, %v", header, got, ok)
		}
	}
}

// TestThrottle closes the door to an address, on all its ports, for a minute, and
// keeps a bounded number of them.
func TestThrottle(t *testing.T) {
	var th Throttle
	now := time.Unix(1_000, 0)
	for i := range MaxFailures {
		if th.Closed("192.0.2.1:1", now) {
			t.Fatalf("closed after %d", i)
		}
		th.Fail(fmt.Sprintf("192.0.2.1:%d", i), now.Add(time.Duration(i)*time.Second))
	}
	for remote, want := range map[string]bool{"192.0.2.1:77": true, "192.0.2.2:1": false, "192.0.2.1": true} {
		if got := th.Closed(remote, now.Add(FailureTime-time.Second)); got != want {
			t.Errorf("%s: closed %v", remote, got)
		}
	}
	if th.Closed("192.0.2.1:1", now.Add(FailureTime)) {
		t.Error("closed for longer than a minute")
	}
	th.Fail("192.0.2.1:1", now.Add(FailureTime))
	if th.Closed("192.0.2.1:1", now.Add(FailureTime)) {
		t.Error("one wrong token of a new minute closes the door")
	}
	for range MaxFailures {
		th.Fail("[2001:db8::1]:1", now)
	}
	th.Forget("[2001:db8::1]:9")
	if th.Closed("[2001:db8::1]:1", now) {
		t.Error("closed after the right token")
	}
	for i := range 3 * maxAddresses {
		th.Fail(fmt.Sprintf("10.0.%d.%d:1", i/256, i%256), now)
	}
	if len(th.wrong) > maxAddresses {
		t.Errorf("%d addresses are remembered", len(th.wrong))
	}
}
