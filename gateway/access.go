package gateway

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"

	"hygeia/internal/guard"
	"hygeia/internal/swap"
)

// scope is a right (H-02). Each includes the ones before it.
type scope int

const (
	open  scope = iota // nothing is asked for
	read               // history and lists
	write              // prompts, new sessions
	admin              // inject, compact, shares
)

var scopeNames = map[scope]string{read: "read", write: "write", admin: "admin"}

// caller is who sends a request.
type caller struct {
	scope scope
	// session is the key of the only session that is shown, "" for all.
	session string
	// share is the id of the share that gave the right, "" for the token.
	share string
}

// share is a token that shows one session for a time (H-B16).
type share struct {
	ID      string    `json:"id"`
	Hash    string    `json:"hash"` // SHA-256 of the token, in hex
	Session string    `json:"session"`
	Expires time.Time `json:"expires"`
}

// access knows who may do what. Tokens are kept as hashes.
type access struct {
	mu       sync.Mutex
	token    guard.Token
	file     string
	shares   []share
	throttle guard.Throttle
}

const (
	cookieName   = "hygeia"
	maxShares    = 1_000
	longestShare = 365 * 24 * time.Hour
)

func (a *access) open(c Config) error {
	a.token = guard.NewToken(c.Token)
	a.file = filepath.Join(c.State, "gateway-shares.json")
	text, err := os.ReadFile(a.file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	}
	if err := json.Unmarshal(text, &a.shares); err != nil {
		return fmt.Errorf("%s: %w", a.file, err)
	}
	return nil
}

// identify returns who sends a request; the failure is 401 or 429.
func (g *Gateway) identify(r *http.Request) (caller, error) {
	token := bearer(r)
	a := &g.access
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.token.Given() && token == "" {
		return caller{scope: admin}, nil
	}
	now := g.Now()
	if a.throttle.Closed(r.RemoteAddr, now) {
		return caller{}, failure{http.StatusTooManyRequests, "rate_limited", "too many wrong tokens"}
	}
	if a.token.Is(token) {
		a.throttle.Forget(r.RemoteAddr)
		return caller{scope: admin}, nil
	}
	if s := a.find(sha256.Sum256([]byte(token))); s != nil && now.Before(s.Expires) {
		return caller{scope: read, session: s.Session, share: s.ID}, nil
	}
	if token != "" {
		a.throttle.Fail(r.RemoteAddr, now)
	}
	return caller{}, failure{http.StatusUnauthorized, "unauthorized", "a token is missing or wrong"}
}

func (a *access) find(hash [sha256.Size]byte) (found *share) {
	text := hex.EncodeToString(hash[:])
	for i := range a.shares {
		if subtle.ConstantTimeCompare([]byte(a.shares[i].Hash), []byte(text)) == 1 {
			found = &a.shares[i]
		}
	}
	return found
}

// valid reports whether a caller that was identified still has its right; it is
// asked again while a stream lasts (H-42).
func (g *Gateway) valid(c caller) bool {
	if c.share == "" {
		return true
	}
	a := &g.access
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.ContainsFunc(a.shares, func(s share) bool { return s.ID == c.share && g.Now().Before(s.Expires) })
}

// share makes a token that shows a session, and forgets those that are over.
func (g *Gateway) share(key string, last time.Duration) (share, string, error) {
	a := &g.access
	a.mu.Lock()
	defer a.mu.Unlock()
	now := g.Now()
	live := slices.DeleteFunc(slices.Clone(a.shares), func(s share) bool { return !now.Before(s.Expires) })
	if len(live) >= maxShares {
		return share{}, "", failure{http.StatusConflict, "too_many", "there are too many shares"}
	}
	token := rand.Text()
	hash := sha256.Sum256([]byte(token))
	s := share{ID: strings.ToLower(rand.Text()[:12]), Hash: hex.EncodeToString(hash[:]), Session: key, Expires: now.Add(last).UTC().Truncate(time.Second)}
	return s, token, a.keep(append(live, s))
}

// revoke ends a share; it is false for one that there is not.
func (g *Gateway) revoke(id string) (bool, error) {
	a := &g.access
	a.mu.Lock()
	defer a.mu.Unlock()
	rest := slices.DeleteFunc(slices.Clone(a.shares), func(s share) bool { return s.ID == id })
	if len(rest) == len(a.shares) {
		return false, nil
	}
	return true, a.keep(rest)
}

func (a *access) keep(shares []share) error {
	text, err := json.Marshal(shares)
	if err != nil {
		return err
	}
	if err := swap.Put(a.file, text); err != nil {
		return err
	}
	a.shares = shares
	return nil
}
