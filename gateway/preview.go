package gateway

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
	"sync"
	"time"

	"hygeia/projection"
	"hygeia/runner"
	"hygeia/session"
	"hygeia/transcript"
)

// previews says how much of each session a list shows (H-17): nothing if most is 0.
type previews struct{ most, chars int }

const (
	mostPreviewed  = 12
	longestPreview = 1_000 // characters of a message
	longestDerived = 60    // characters of a title
)

func (c *call) previews() (p previews, err error) {
	if p.most, err = c.number("preview", 0, 0, mostPreviewed); err != nil {
		return p, err
	}
	p.chars, err = c.number("maxChars", 240, 20, longestPreview)
	return p, err
}

// preview is the end of a conversation in short (H-17).
type preview struct {
	Status string         `json:"status"` // ok, empty, error
	Items  []*previewItem `json:"items"`  // oldest first
}

type previewItem struct {
	ID     string `json:"id,omitempty"`
	Role   string `json:"role"`
	Sender string `json:"senderLabel,omitempty"`
	Text   string `json:"text"`
}

// digest is what lists need of a session file, as it was when it had that size and
// time and the session had begun then.
type digest struct {
	size    int64
	at      time.Time
	started float64
	title   string // of the first words of a user; "" for none
	end     []*previewItem
	err     error
}

// digests are those of the files that were looked at last.
type digests struct {
	mu   sync.Mutex
	list map[string]*digest // by path
}

const mostDigests = 10_000

// previewAll shows the end of each session.
func (g *Gateway) previewAll(rows []row, asked previews) {
	if asked.most == 0 {
		return
	}
	var w sync.WaitGroup
	next := make(chan *row)
	for range min(runtime.GOMAXPROCS(0), len(rows)) {
		w.Go(func() {
			for r := range next {
				g.preview(r, asked)
			}
		})
	}
	for i := range rows {
		next <- &rows[i]
	}
	close(next)
	w.Wait()
}

// preview shows the end of a session in its row, and gives it a title where nobody
// else did.
func (g *Gateway) preview(r *row, asked previews) {
	if asked.most == 0 {
		return
	}
	d := g.digest(r.file)
	r.Preview = &preview{Status: "ok", Items: []*previewItem{}}
	switch {
	case d.err != nil:
		r.Preview.Status = "error"
	case len(d.end) == 0:
		r.Preview.Status = "empty"
	}
	for _, item := range d.end[max(0, len(d.end)-asked.most):] {
		short := *item
		short.Text = projection.Short(item.Text, asked.chars)
		r.Preview.Items = append(r.Preview.Items, &short)
	}
	if !r.named && d.title != "" {
		r.Title = d.title
	}
}

// digest returns what lists need of a file. It costs one stat if the file is as it
// was, and a file that nobody has open is not kept.
func (g *Gateway) digest(p runner.Peer) *digest {
	path := p.Path
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || path == "" {
		return &digest{}
	}
	if err != nil {
		return &digest{err: err}
	}
	g.digests.mu.Lock()
	d := g.digests.list[path]
	g.digests.mu.Unlock()
	if d != nil && d.size == info.Size() && d.at.Equal(info.ModTime()) && d.started == p.Started {
		return d
	}
	d = &digest{size: info.Size(), at: info.ModTime(), started: p.Started}
	messages, err := g.glance(p)
	if d.err = err; err == nil {
		d.read(messages)
	}
	g.digests.mu.Lock()
	defer g.digests.mu.Unlock()
	if len(g.digests.list) >= mostDigests || g.digests.list == nil {
		g.digests.list = map[string]*digest{}
	}
	g.digests.list[path] = d
	return d
}

// glance returns what is shown of the active branch of a session.
func (g *Gateway) glance(p runner.Peer) ([]*transcript.Message, error) {
	o := projection.Options{MaxText: projection.DefaultMaxText, Started: p.Started, Redact: g.redactor.Text}
	if g.isOpen(p.Path) {
		now, err := g.view(p, "", o)
		return now.messages, err
	}
	s, _, err := session.Open(p.Path, session.OpenOptions{AsIs: true})
	switch {
	case session.IsMissing(err):
		return nil, nil
	case err != nil:
		return nil, err
	}
	b, err := s.Branch("")
	if err != nil {
		return nil, err
	}
	return projection.Project(projection.Records(b.Entries()), o), nil
}

// isOpen reports whether somebody looked at a session lately.
func (g *Gateway) isOpen(path string) bool {
	g.reading.Lock()
	defer g.reading.Unlock()
	_, ok := g.opened[path]
	return ok
}

func (d *digest) read(messages []*transcript.Message) {
	for _, m := range messages {
		if meta := projection.MetaOf(m); m.Is(transcript.User) && meta.Kind == "" {
			if d.title = projection.Words(m, longestDerived); d.title != "" {
				break
			}
		}
	}
	for i := len(messages) - 1; i >= 0 && len(d.end) < mostPreviewed; i-- {
		m := messages[i]
		meta := projection.MetaOf(m)
		text := projection.Words(m, longestPreview)
		if text == "" || meta.Kind != "" || m.Is(transcript.ToolResult) {
			continue
		}
		d.end = append([]*previewItem{{ID: meta.ID, Role: string(m.Role()), Sender: meta.Sender, Text: text}}, d.end...)
	}
}
