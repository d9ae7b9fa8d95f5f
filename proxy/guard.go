package proxy

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"time"
)

// plainPath reports whether an escaped path leads nowhere but down: no empty,
// "." or ".." segments, also not behind escapes, no backslashes or controls.
func plainPath(path string) bool {
	if path == "" || path == "/" {
		return true
	}
	if path[0] != '/' {
		return false
	}
	for i, segment := range strings.Split(path[1:], "/") {
		plain, err := url.PathUnescape(segment)
		if err != nil || plain == "" && i < strings.Count(path[1:], "/") {
			return false
		}
		for part := range strings.SplitSeq(plain, "/") {
			if part == "." || part == ".." || part == "" && plain != "" || strings.ContainsAny(part, "\\?#") || strings.ContainsFunc(part, func(r rune) bool { return r < ' ' || r == 0x7f }) {
				return false
			}
		}
	}
	return true
}

// allowedHost reports whether a request may come under that Host: the loopback
// and the names of the configuration, and with a token any address.
func (s *state) allowedHost(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.TrimSuffix(strings.TrimPrefix(name, "["), "]")
	if addr, err := netip.ParseAddr(name); err == nil {
		return addr.Unmap().IsLoopback() || s.token != nil
	}
	name = strings.TrimSuffix(strings.ToLower(name), ".")
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return true
	}
	for _, h := range s.config.Hosts {
		if strings.EqualFold(h, name) {
			return true
		}
	}
	return false
}

// tokenHeader takes the token; it does not go on.
const tokenHeader = "Hygeia-Token"

// credentials are the headers in which providers take keys.
var credentials = []string{"Authorization", "X-Api-Key", "Api-Key", "X-Goog-Api-Key"}

// hash is what is kept of a token.
type hash [sha256.Size]byte

// admit reports whether a request brings the token. A token in the place of a
// provider's key is taken out of the request.
func (s *state) admit(r *http.Request) bool {
	if s.token == nil {
		return true
	}
	if s.isToken(r.Header.Get(tokenHeader)) || s.isToken(bearer(r.Header.Get("Proxy-Authorization"))) {
		return true
	}
	admitted := false
	for _, name := range credentials {
		if s.isToken(bearer(r.Header.Get(name))) {
			r.Header.Del(name)
			admitted = true
		}
	}
	return admitted
}

func (s *state) isToken(text string) bool {
	sum := sha256.Sum256([]byte(text))
	return subtle.ConstantTimeCompare(sum[:], s.token[:]) == 1
}

func bearer(header string) string {
	if scheme, rest, ok := strings.Cut(header, " "); ok && strings.EqualFold(scheme, "Bearer") {
		return rest
	}
	return header
}

// The bounds of wrong tokens from one address.
const (
	maxFailures   = 10
	failureTime   = time.Minute
	maxRemembered = 4096 // addresses
)

// throttle counts wrong tokens by address.
type throttle struct {
	mu    sync.Mutex
	since time.Time
	wrong map[string]int
}

// closed reports whether an address has brought too many wrong tokens lately.
func (t *throttle) closed(remote string, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if now.Sub(t.since) > failureTime {
		t.since, t.wrong = now, nil
	}
	return t.wrong[address(remote)] >= maxFailures
}

func (t *throttle) fail(remote string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.wrong == nil || len(t.wrong) >= maxRemembered {
		t.wrong = map[string]int{}
	}
	t.wrong[address(remote)]++
}

func address(remote string) string {
	host, _, err := net.SplitHostPort(remote)
	if err != nil {
		return remote
	}
	return host
}
