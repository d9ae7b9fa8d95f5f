package gateway

import (
	"net/http"
	"strconv"
	"time"

	"hygeia/internal/guard"
)

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
