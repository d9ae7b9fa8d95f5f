package gateway

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"hygeia/internal/jsonline"
)

// listing is what a caller wants to see of the sessions (H-18).
type listing struct {
	limit, offset int
	archived      bool
	search        string
	texts         bool   // search what is said, too
	only          string // the key of the only session that the caller may see, "" for all
	previews      previews
}

func (c *call) listing() (l listing, err error) {
	if l.limit, err = c.number("limit", 100, 1, 1_000); err != nil {
		return l, err
	}
	if l.offset, err = c.number("offset", 0, 0, 1<<31); err != nil {
		return l, err
	}
	if l.archived, err = c.flag("archived"); err != nil {
		return l, err
	}
	if l.texts, err = c.flag("texts"); err != nil {
		return l, err
	}
	l.search, l.only = strings.ToLower(strings.TrimSpace(c.query.Get("search"))), c.who.session
	l.previews, err = c.previews()
	return l, err
}

func (l listing) wants(r row) bool {
	return r.Archived == l.archived && (l.only == "" || l.only == r.Key) && (l.texts || l.names(r))
}

// names reports whether key or title of a session hold what is searched for.
func (l listing) names(r row) bool {
	return strings.Contains(strings.ToLower(r.Key+"\n"+r.Title), l.search)
}

// listed is a piece of the list.
type listed struct {
	Sessions []row `json:"sessions"`
	Total    int   `json:"total"`
	HasMore  bool  `json:"hasMore"`
}

// list serves the sessions, the newest first (H-18), or streams what changes in the
// list (H-32).
func (g *Gateway) list(c *call) error {
	l, err := c.listing()
	if err != nil {
		return err
	}
	if acceptsStream(c.r) {
		return g.streamList(c, l)
	}
	out, err := g.listed(l)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, out)
}

func (g *Gateway) listed(l listing) (listed, error) {
	rows, err := g.rows(l.wants)
	if err != nil {
		return listed{}, err
	}
	if l.texts && l.search != "" {
		rows = g.holding(rows, l)
	}
	total := len(rows)
	rows = rows[min(l.offset, total):min(l.offset+l.limit, total)]
	g.previewAll(rows, l.previews)
	return listed{rows, total, l.offset+l.limit < total}, nil
}

// rows returns the rows that are wanted, the newest first.
func (g *Gateway) rows(want func(row) bool) ([]row, error) {
	rows := []row{}
	err := g.sessions.Each(func(agent, key string, o jsonline.Object) {
		if r := g.rowOf(key, agent, o); want(r) {
			rows = append(rows, r)
		}
	})
	slices.SortFunc(rows, func(a, b row) int { return cmp.Or(cmp.Compare(b.UpdatedAt, a.UpdatedAt), cmp.Compare(a.Key, b.Key)) })
	return rows, err
}

// listFeed is where streams of the list are woken; no file has that path.
const listFeed = ""

// streamList sends the list, and then each row that came, changed or went (H-32).
func (g *Gateway) streamList(c *call, l listing) error {
	if l.offset > 0 || l.texts {
		return badRequest("a stream has no offset, and follows no texts")
	}
	wake, leave, err := g.feeds.join(listFeed, c.who, g.MaxStreams)
	if err != nil {
		return err
	}
	defer leave()
	out, err := g.listed(l)
	if err != nil {
		return err
	}
	s := &listStream{events: g.events(c), want: l}
	if err = s.begin(); err == nil {
		err = s.first(out)
	}
	if err == nil {
		err = s.last(wake, s.news)
	}
	_ = err // the reader left, or the right ended: nothing more can be told
	return errStreamed
}

// listStream is one open stream of the list.
type listStream struct {
	events
	want listing
	seen map[string]string // rows that the reader has, as JSON by key
}

// rowEvent tells of one row of the list.
type rowEvent struct {
	Reason  string         `json:"reason"` // created, changed, removed
	Key     string         `json:"key"`
	Session jsontext.Value `json:"session,omitempty"`
}

func (s *listStream) first(out listed) error {
	var err error
	if s.seen, err = asJSON(out.Sessions); err != nil {
		return err
	}
	return s.event("sessions", "", out)
}

func (s *listStream) news() error {
	out, err := s.g.listed(s.want)
	if err != nil {
		return err
	}
	now, err := asJSON(out.Sessions)
	if err != nil {
		return err
	}
	for key := range s.seen {
		if now[key] == "" {
			if err := s.event("changed", "", rowEvent{Reason: "removed", Key: key}); err != nil {
				return err
			}
		}
	}
	for _, r := range slices.Backward(out.Sessions) { // the newest last, which stands first
		e := rowEvent{Reason: "changed", Key: r.Key, Session: jsontext.Value(now[r.Key])}
		switch s.seen[r.Key] {
		case now[r.Key]:
			continue
		case "":
			e.Reason = "created"
		}
		if err := s.event("changed", "", e); err != nil {
			return err
		}
	}
	s.seen = now
	return nil
}

func asJSON(rows []row) (map[string]string, error) {
	list := map[string]string{}
	for _, r := range rows {
		text, err := json.Marshal(r, jsontext.AllowInvalidUTF8(true))
		if err != nil {
			return nil, err
		}
		list[r.Key] = string(text)
	}
	return list, nil
}
