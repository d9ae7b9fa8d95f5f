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
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"

	"hygeia/internal/guard"
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
	if err := writeWhole(a.file, text); err != nil {
		return err
	}
	a.shares = shares
	return nil
}

// writeWhole replaces a file, which is the old or the new one whatever happens.
func writeWhole(file string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*.tmp") // 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), file)
}

// bearer returns the token of a request: from the header, or from the cookie
// that a login set. Never from the URL.
func bearer(r *http.Request) string {
	if token, ok := guard.Bearer(r.Header.Get("Authorization")); ok {
		return token
	}
	if c, err := r.Cookie(cookieName); err == nil {
		return c.Value
	}
	return ""
}

// guard refuses requests for other hosts and sets the headers of all answers
// (design §9).
func (g *Gateway) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cache-Control", "private, no-cache")
		if !guard.Host(r.Host, g.Hosts, false) {
			writeError(w, failure{http.StatusMisdirectedRequest, "wrong_host", "this host is not served here"})
			return
		}
		next.ServeHTTP(w, r)
	})
}

// login trades a token for a cookie that scripts cannot read.
func (g *Gateway) login(c *call) error {
	var in struct {
		Token string `json:"token"`
	}
	if err := c.decode(&in); err != nil {
		return err
	}
	r := c.r.Clone(c.r.Context())
	r.Header.Del("Cookie")
	r.Header.Set("Authorization", "Bearer "+in.Token)
	who, err := g.identify(r)
	if err != nil {
		return err
	}
	http.SetCookie(c.w, &http.Cookie{
		Name: cookieName, Value: in.Token, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: c.r.TLS != nil,
	})
	return c.answer(http.StatusOK, struct {
		OK      bool   `json:"ok"`
		Scope   string `json:"scope"`
		Session string `json:"session,omitempty"`
	}{true, scopeNames[who.scope], who.session})
}

func (g *Gateway) logout(c *call) error {
	http.SetCookie(c.w, &http.Cookie{Name: cookieName, Path: "/", MaxAge: -1, HttpOnly: true, SameSite: http.SameSiteStrictMode})
	return c.answer(http.StatusOK, struct {
		OK bool `json:"ok"`
	}{true})
}

// shareSession makes a link's token for one session (H-B16).
func (g *Gateway) shareSession(c *call) error {
	p, err := g.peer(c)
	if err != nil {
		return err
	}
	in := struct {
		Seconds int64 `json:"expiresInSeconds"`
	}{int64((24 * time.Hour).Seconds())}
	if err := c.decode(&in); err != nil {
		return err
	}
	if in.Seconds < 1 || in.Seconds > int64(longestShare.Seconds()) {
		return badRequest("expiresInSeconds must be from 1 to %d", int64(longestShare.Seconds()))
	}
	s, token, err := g.share(p.Key, time.Duration(in.Seconds)*time.Second)
	if err != nil {
		return err
	}
	return c.answer(http.StatusCreated, struct {
		ID      string    `json:"id"`
		Token   string    `json:"token"`
		Expires time.Time `json:"expires"`
	}{s.ID, token, s.Expires})
}

func (g *Gateway) revokeShare(c *call) error {
	ok, err := g.revoke(c.r.PathValue("id"))
	if err != nil {
		return err
	}
	if !ok {
		return notFound("there is no share %s", strconv.Quote(c.r.PathValue("id")))
	}
	return c.answer(http.StatusOK, struct {
		OK bool `json:"ok"`
	}{true})
}
