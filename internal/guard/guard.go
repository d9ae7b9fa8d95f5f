// Package guard holds what every server of the product asks before it answers
// (design §9): whether an address may be listened on, whether a request may come
// under its Host, whether a token is the right one, and how many wrong ones an
// address may bring. It knows no routes and writes no answers.
package guard

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"
)

// ErrPublic says that an address can be reached from other machines.
var ErrPublic = errors.New("not an address of the loopback")

// Listen listens on a TCP address like "127.0.0.1:8484"; port 0 picks one. Unless
// public is set the error wraps [ErrPublic] for an address that other machines can
// reach, and nothing was listened on.
func Listen(addr string, public bool) (net.Listener, error) {
	if addr == "" {
		return nil, errors.New("no address to listen on")
	}
	at, err := net.ResolveTCPAddr("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("listen on %q: %w", addr, err)
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

// Host reports whether a request may come under that Host: the loopback and the
// names, with any port. A page of another site can point a name of its own at the
// loopback (DNS rebinding), but no address; addresses lets any of these come, for
// servers that ask for a token.
func Host(host string, names []string, addresses bool) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.TrimSuffix(strings.TrimPrefix(name, "["), "]")
	if ip, err := netip.ParseAddr(name); err == nil && (addresses || ip.Unmap().IsLoopback()) {
		return true
	}
	name = strings.TrimSuffix(strings.ToLower(name), ".")
	return name == "localhost" || strings.HasSuffix(name, ".localhost") ||
		slices.ContainsFunc(names, func(n string) bool { return n != "" && (strings.EqualFold(n, name) || strings.EqualFold(n, host)) })
}

// Token is what is kept of a token: its hash. The zero Token is none.
type Token struct {
	sum   [sha256.Size]byte
	given bool
}

// NewToken returns the Token of a text, none for "".
func NewToken(text string) Token { return Token{sha256.Sum256([]byte(text)), text != ""} }

// Given reports whether there is a token.
func (t Token) Given() bool { return t.given }

// Is reports whether a text is the token, in a time that tells nothing about it.
func (t Token) Is(text string) bool {
	sum := sha256.Sum256([]byte(text))
	return t.given && subtle.ConstantTimeCompare(sum[:], t.sum[:]) == 1
}

// Bearer returns the token of a header such as Authorization, false if its scheme
// is another.
func Bearer(header string) (token string, ok bool) {
	scheme, rest, ok := strings.Cut(header, " ")
	if !ok || !strings.EqualFold(scheme, "bearer") {
		return "", false
	}
	return strings.TrimSpace(rest), true
}

// The bounds of wrong tokens from one address.
const (
	MaxFailures  = 10 // in FailureTime
	FailureTime  = time.Minute
	maxAddresses = 4_096
)

// Throttle counts wrong tokens by the address that brought them. The zero value
// is ready; it is safe for concurrent use.
type Throttle struct {
	mu    sync.Mutex
	wrong map[string]failures
}

type failures struct {
	n     int
	since time.Time
}

// Closed reports whether the address of a request has brought too many wrong
// tokens lately. remote is [net/http.Request.RemoteAddr].
func (t *Throttle) Closed(remote string, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.wrong[address(remote)]
	return f.n >= MaxFailures && now.Sub(f.since) < FailureTime
}

// Fail counts a wrong token.
func (t *Throttle) Fail(remote string, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	from := address(remote)
	f := t.wrong[from]
	if now.Sub(f.since) >= FailureTime {
		f = failures{since: now}
	}
	if t.wrong == nil || len(t.wrong) >= maxAddresses {
		t.wrong = map[string]failures{}
	}
	f.n++
	t.wrong[from] = f
}

// Forget forgets the wrong tokens of an address that has brought the right one.
func (t *Throttle) Forget(remote string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.wrong, address(remote))
}

func address(remote string) string {
	if host, _, err := net.SplitHostPort(remote); err == nil {
		return host
	}
	return remote
}
