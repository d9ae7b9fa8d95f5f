package acp

import (
	"cmp"
	"context"
	"encoding/base64"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"hygeia/internal/jsonline"
	"hygeia/runner"
	"hygeia/session"
)

// page is how many sessions a list has at once.
const page = 50

// cursor is where a list goes on, and the filter that it belongs to.
type cursor struct {
	CWD string `json:"c"`
	At  int64  `json:"t"`
	Key string `json:"k"`
}

func (c cursor) String() string {
	text, err := json.Marshal(c)
	if err != nil {
		return "" // cannot be: keys in an index are texts
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

func readCursor(text, cwd string) (c cursor, err error) {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err == nil {
		err = json.Unmarshal(raw, &c)
	}
	if err != nil || c.CWD != cwd {
		return c, fail(codeParams, "cursor is none of a list with this cwd")
	}
	return c, nil
}

// row is a session in the list.
type row struct {
	key  string
	at   int64
	info sessionInfo
}

func newer(a, b row) int { return cmp.Or(cmp.Compare(b.at, a.at), strings.Compare(a.key, b.key)) }

// list gives the sessions, the newest first.
func (s *server) list(_ context.Context, p listing) (any, error) {
	var from *row
	if p.Cursor != "" {
		c, err := readCursor(p.Cursor, p.CWD)
		if err != nil {
			return nil, err
		}
		from = &row{key: c.Key, at: c.At}
	}
	rows, err := s.rows()
	if err != nil {
		return nil, err
	}
	slices.SortFunc(rows, newer)
	out := listed{Sessions: []sessionInfo{}}
	last := row{}
	for _, r := range rows {
		if from != nil && newer(r, *from) <= 0 {
			continue
		}
		if p.CWD != "" && filepath.Clean(r.info.CWD) != filepath.Clean(p.CWD) {
			continue
		}
		if len(out.Sessions) == page {
			out.Next = cursor{p.CWD, last.at, last.key}.String()
			break
		}
		out.Sessions, last = append(out.Sessions, r.info), r
	}
	return out, nil
}

func (s *server) rows() (rows []row, err error) {
	here, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	err = s.sessions.Each(func(_, key string, o jsonline.Object) {
		if r := s.rowOf(key, o, here); r.info.SessionID != "" {
			rows = append(rows, r)
		}
	})
	return rows, err
}

// rowOf reads a row of an index. A session that does not say where it works is taken
// to work here.
func (s *server) rowOf(key string, o jsonline.Object, here string) row {
	text := func(name string) string { return o.Get(name).String() }
	at, _ := o.Get("updatedAt").Number()
	r := row{key: key, at: int64(at), info: sessionInfo{
		SessionID: text("sessionId"), CWD: cmp.Or(text("cwd"), o.Get("acp").Object().Get("cwd").String(), here),
		Title: s.plain(cmp.Or(text("label"), text("displayName"), text("derivedTitle"), key)),
	}}
	if r.at > 0 {
		r.info.UpdatedAt = time.UnixMilli(r.at).UTC().Format(time.RFC3339)
	}
	return r
}

// infoOf returns what the list says of one session.
func (s *server) infoOf(p runner.Peer) sessionInfo {
	x, err := session.AgentStore(s.State, p.Agent).Index()
	if err != nil {
		return sessionInfo{Title: s.plain(p.Key)}
	}
	return s.rowOf(p.Key, x.Row(p.Key), "").info
}
