package gateway

import (
	"errors"
	"io/fs"
	"os"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"hygeia/internal/export"
	"hygeia/internal/jsonline"
	"hygeia/internal/markdown"
	"hygeia/projection"
	"hygeia/runner"
	"hygeia/session"
	"hygeia/transcript"
)

// view is what is shown of one branch. It grows with the file.
type view struct {
	*projection.View
	session *session.Session
	leaf    string // the last entry of the branch
	// made tells views of one file apart: in one that was made again messages may
	// have gone.
	made  int
	marks marks
}

// views are those that were asked for last.
type views struct {
	mu   sync.Mutex
	list map[viewKey]*view
	old  []viewKey // the one that was asked for last stands last
	made int
}

type viewKey struct {
	path, leaf           string
	started              float64
	maxText              int
	thinking, tools, raw bool
}

// maxViews is how many views are remembered.
const maxViews = 64

// shown is a view at one moment. The list is not changed afterwards.
type shown struct {
	session  *session.Session
	leaf     string
	messages []*transcript.Message
	events   []projection.Event // that made them
	made     int
	marks    marks
}

// view shows a branch of a session as it is now. A session without a file is
// empty. The cost is that of what was added since the last time.
func (g *Gateway) view(p runner.Peer, leaf string, o projection.Options) (shown, error) {
	o.Started, o.Redact = p.Started, g.redactor.Text // a view serves whoever asks with its key
	v := &g.views
	v.mu.Lock()
	defer v.mu.Unlock()
	key := viewKey{p.Path, leaf, o.Started, o.MaxText, o.Thinking, o.Tools, o.Raw}
	s, err := g.load(p.Path)
	if err != nil || s == nil {
		return shown{}, err
	}
	w := v.take(key)
	if w.session != s {
		b, err := s.Branch(leaf)
		if err != nil {
			return shown{}, notFound("there is no entry %q", leaf)
		}
		w.follow(s, b.Entries(), o, &v.made)
	}
	events, _ := w.Events()
	return shown{s, w.leaf, w.Shown(), events, w.made, w.marks}, nil
}

// opened is a session as it was read when the file had that size and time.
type opened struct {
	session *session.Session
	info    fs.FileInfo
}

// maxOpened is how many sessions are remembered besides those in the cache.
const maxOpened = 256

// stored returns the session that a request names, and what load makes of its file.
func (g *Gateway) stored(c *call) (runner.Peer, *session.Session, error) {
	p, err := g.peer(c)
	if err != nil {
		return p, nil, err
	}
	s, err := g.load(p.Path)
	return p, s, err
}

// load opens a session as it is stored, nil if it has no file yet: people are
// shown what stands there, not what a repair would make of it. It costs one
// stat if the file is as it was, and what was added if it was appended to.
func (g *Gateway) load(path string) (*session.Session, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	g.reading.Lock()
	defer g.reading.Unlock()
	if o, ok := g.opened[path]; ok && o.info.Size() == info.Size() && o.info.ModTime().Equal(info.ModTime()) && os.SameFile(o.info, info) {
		return o.session, nil
	}
	s, report, err := session.Open(path, session.OpenOptions{Cache: &g.cache})
	if err == nil && report.Changes > 0 {
		s, _, err = session.Open(path, session.OpenOptions{AsIs: true})
	}
	if session.IsMissing(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if len(g.opened) >= maxOpened {
		clear(g.opened)
	}
	g.opened[path] = opened{s, info}
	return s, nil
}

// take returns the view with that key, a new one if there is none.
func (v *views) take(key viewKey) *view {
	if v.list == nil {
		v.list = map[viewKey]*view{}
	}
	w := v.list[key]
	if w == nil {
		w = &view{}
		if len(v.old) == maxViews {
			delete(v.list, v.old[0])
			v.old = v.old[1:]
		}
		v.list[key] = w
		v.old = append(v.old, key)
		return w
	}
	for i, k := range v.old {
		if k == key {
			v.old = append(append(v.old[:i:i], v.old[i+1:]...), key)
			break
		}
	}
	return w
}

// follow brings a view to what the branch holds now.
func (w *view) follow(s *session.Session, entries []*transcript.Entry, o projection.Options, made *int) {
	w.session, w.leaf = s, ""
	if n := len(entries); n > 0 {
		w.leaf = entries[n-1].ID
	}
	first := w.View == nil
	if first {
		w.View = projection.NewView(o)
	}
	if _, grew := w.Follow(entries); first || !grew {
		*made++
		w.made, w.marks = *made, marks{}
	}
	_, counts := w.Events()
	w.marks = w.marks.to(entries, counts)
}

const (
	longestMessage = 128 << 10 // of JSON, in bytes (H-12)
	longestPage    = 6 << 20   // of JSON, in bytes (H-12)
)

// render writes messages as JSON, the newest first as far as they fit, and
// returns them in order (H-12).
func render(messages []*transcript.Message, parts bool) (list []rawJSON, left int) {
	size := 0
	list = make([]rawJSON, len(messages))
	for i := len(messages) - 1; i >= 0; i-- {
		text := renderOne(messages[i], parts)
		if size += len(text); size > longestPage && i < len(messages)-1 {
			return list[i+1:], i + 1
		}
		list[i] = text
	}
	return list, 0
}

// renderOne writes a message, with its parts for a page if they are asked for; for
// one that is too large stands one that says so.
func renderOne(m *transcript.Message, parts bool) rawJSON {
	text := projection.JSON(m)
	if parts && len(text) <= longestMessage {
		return projection.JSON(m.With("parts", partsOf(m)))
	}
	if len(text) <= longestMessage {
		return text
	}
	meta := m.Get("__openclaw").Object().With("truncated", jsonline.Bool(true)).With("reason", jsonline.Text("oversized"))
	o := jsonline.Object{}.With("role", m.Get("role")).With("content", jsonline.Text(oversized))
	if at := m.Get("timestamp"); at.Exists() {
		o = o.With("timestamp", at)
	}
	if parts {
		o = o.With("parts", jsonline.Parse([]byte(`[{"kind":"other","name":"too large"}]`)))
	}
	return o.With("__openclaw", meta.Value()).AppendTo(nil)
}

// part is a piece of a message as the chat page shows it.
type part struct {
	Kind string `json:"kind"`
	Name string `json:"name,omitempty"`
	Text string `json:"text,omitempty"`
	HTML string `json:"html,omitempty"`
}

// partsOf renders the words of a message as HTML that can do nothing.
func partsOf(m *transcript.Message) jsonline.Value {
	list := []part{}
	for _, p := range export.Parts(m) {
		q := part{Kind: p.Kind, Name: p.Name, Text: p.Text}
		if p.Kind == "text" {
			q.Text, q.HTML = "", markdown.HTML(p.Text)
		}
		list = append(list, q)
	}
	text, err := json.Marshal(list, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return jsonline.Value{} // cannot be: the texts are UTF-8
	}
	return jsonline.Parse(text)
}
