package gateway

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"hygeia/internal/export"
	"hygeia/internal/texts"
	"hygeia/projection"
	"hygeia/runner"
	"hygeia/transcript"
)

type rawJSON = jsontext.Value

// oversized stands for a message that is too large (H-12).
const oversized = texts.OmittedOversized

// page is the answer to a request for history (H-41).
type page struct {
	SessionKey  string    `json:"sessionKey"`
	SessionID   string    `json:"sessionId,omitempty"`
	Messages    []rawJSON `json:"messages"`
	Items       []rawJSON `json:"items"`
	HasMore     bool      `json:"hasMore"`
	NextCursor  string    `json:"nextCursor,omitempty"`
	CursorReset bool      `json:"cursorReset,omitzero"`
	InFlightRun *inFlight `json:"inFlightRun,omitempty"`
	Gap         bool      `json:"gap,omitzero"`
}

type inFlight struct {
	RunID string `json:"runId"`
	Text  string `json:"text"`
	// What only streams tell, and only those that asked for it (H-54).
	Thinking string               `json:"-"`
	Calls    []runner.GrowingCall `json:"-"`
}

// listing returns of which session messages are asked for, how they are shown, and how
// many, usual if the request does not say so.
func (g *Gateway) listing(c *call, usual int) (p runner.Peer, o projection.Options, limit int, err error) {
	if p, err = g.peer(c); err != nil {
		return p, o, 0, err
	}
	if o, err = g.show(c, projection.DefaultMaxText, 500_000); err != nil {
		return p, o, 0, err
	}
	limit, err = c.number("limit", usual, 1, 1_000)
	return p, o, limit, err
}

// history serves a page of the messages, or streams them (H-41, H-42).
func (g *Gateway) history(c *call) error {
	p, o, limit, err := g.listing(c, 200)
	if err != nil {
		return err
	}
	live, err := c.flag("live")
	if err != nil {
		return err
	}
	parts, err := c.flag("parts")
	if err != nil {
		return err
	}
	if acceptsStream(c.r) {
		if c.query.Get("cursor") != "" {
			return badRequest("a stream has no cursor")
		}
		return g.stream(c, p, limit, o, live, parts)
	}
	if live {
		return badRequest("live goes with a stream")
	}
	s, err := g.view(p, c.query.Get("leaf"), o)
	if err != nil {
		return err
	}
	out, err := g.pageOf(p, s, limit, c.query.Get("cursor"), parts)
	if err != nil {
		return err
	}
	tag := etag(s, c.r.URL.RawQuery, out.InFlightRun)
	c.w.Header().Set("ETag", tag)
	c.w.Header().Set("Vary", "Accept, Accept-Encoding, Authorization, Cookie")
	if strings.Contains(c.r.Header.Get("If-None-Match"), tag) {
		c.w.WriteHeader(http.StatusNotModified)
		return nil
	}
	return c.answer(http.StatusOK, out)
}

// etag tells the states of a view apart (H-B08).
func etag(s shown, query string, run *inFlight) string {
	h := sha256.New()
	fmt.Fprintf(h, "%d %d %s %s", s.made, len(s.messages), s.leaf, query)
	for i := max(0, len(s.messages)-1); i < len(s.messages); i++ {
		fmt.Fprintf(h, " %p", s.messages[i])
	}
	if run != nil {
		fmt.Fprintf(h, " %s %s", run.RunID, run.Text)
	}
	return `W/"` + hex.EncodeToString(h.Sum(nil)[:12]) + `"`
}

// pageOf returns the newest messages before a cursor (H-B01, H-B02).
func (g *Gateway) pageOf(p runner.Peer, s shown, limit int, cursor string, parts bool) (page, error) {
	out := page{SessionKey: p.Key, SessionID: p.ID, Messages: []rawJSON{}, Items: []rawJSON{}, InFlightRun: g.runs.inFlight(p.Key)}
	if s.session == nil {
		return out, nil
	}
	end := len(s.messages)
	if cursor != "" {
		at, reset, err := find(s, cursor)
		if err != nil {
			return out, err
		}
		end, out.CursorReset = at, reset
	}
	from := max(0, end-limit)
	list, left := render(s.messages[from:end], parts)
	from += left
	out.Messages, out.Items = list, list
	if out.HasMore = from > 0; out.HasMore {
		out.NextCursor = cursorAt(s, from)
	}
	return out, nil
}

// cursorAt names the place before a shown message. It holds also where that is
// counted, for the case that the entry leaves the branch.
func cursorAt(s shown, at int) string {
	m := projection.MetaOf(s.messages[at])
	return base64.RawURLEncoding.EncodeToString([]byte(strings.Join([]string{"1", s.session.Header().ID, m.ID, strconv.Itoa(m.Seq)}, "\x00")))
}

// find returns the place that a cursor names; reset says that its entry is not
// shown any more and the nearest place stands for it. Numbers are places of the
// older kind (H-41).
func find(s shown, cursor string) (at int, reset bool, err error) {
	if n, err := strconv.Atoi(strings.TrimPrefix(cursor, "seq:")); err == nil && n >= 1 {
		return before(s.messages, n), false, nil
	}
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	parts := strings.Split(string(text), "\x00")
	if err != nil || len(parts) != 4 || parts[0] != "1" {
		return 0, false, badRequest("the cursor is none of this service")
	}
	seq, err := strconv.Atoi(parts[3])
	if err != nil {
		return 0, false, badRequest("the cursor is none of this service")
	}
	at = before(s.messages, seq)
	if at < len(s.messages) && projection.MetaOf(s.messages[at]).ID == parts[2] && parts[1] == s.session.Header().ID {
		return at, false, nil
	}
	for i, m := range s.messages {
		if parts[2] != "" && projection.MetaOf(m).ID == parts[2] {
			return i, false, nil
		}
	}
	return at, true, nil
}

// before returns the index of the first message with that seq or a later one.
func before(messages []*transcript.Message, seq int) int {
	lo, hi := 0, len(messages)
	for lo < hi {
		if mid := (lo + hi) / 2; projection.MetaOf(messages[mid]).Seq < seq {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// message serves one message whole (H-14).
func (g *Gateway) message(c *call) error {
	p, err := g.peer(c)
	if err != nil {
		return err
	}
	o, err := g.show(c, 1_000_000, 2_000_000)
	if err != nil {
		return err
	}
	parts, err := c.flag("parts")
	if err != nil {
		return err
	}
	s, err := g.view(p, c.query.Get("leaf"), o)
	if err != nil {
		return err
	}
	id := c.r.PathValue("id")
	for _, m := range s.messages {
		if id != "" && projection.MetaOf(m).ID == id {
			if parts {
				m = m.With("parts", partsOf(m))
			}
			return c.answer(http.StatusOK, struct {
				OK      bool    `json:"ok"`
				Message rawJSON `json:"message"`
			}{true, projection.JSON(m)})
		}
	}
	reason := "not_found"
	if s.session != nil {
		for _, e := range s.session.Entries() {
			if e.ID == id {
				reason = "not_visible"
			}
		}
	}
	return notFound("there is no message %s: %s", strconv.Quote(id), reason)
}

// export serves the whole session as a document.
func (g *Gateway) export(c *call) error {
	p, err := g.peer(c)
	if err != nil {
		return err
	}
	o, err := g.show(c, 0, 1)
	if err != nil {
		return err
	}
	s, err := g.view(p, c.query.Get("leaf"), o)
	if err != nil {
		return err
	}
	d := export.Document{Title: g.row(p).Title, Messages: s.messages}
	switch c.query.Get("as") {
	case "", "html":
		c.w.Header().Set("Content-Type", "text/html; charset=utf-8")
		c.w.Header().Set("Content-Disposition", `attachment; filename="session.html"`)
		// The page brings its own style and nothing else.
		c.w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
		return streamed(export.HTML(c.w, d))
	case "markdown":
		c.w.Header().Set("Content-Type", "text/markdown; charset=utf-8")
		c.w.Header().Set("Content-Disposition", `attachment; filename="session.md"`)
		return streamed(export.Markdown(c.w, d))
	}
	return badRequest("as must be html or markdown")
}

func streamed(err error) error {
	if err != nil {
		return errStreamed
	}
	return nil
}
