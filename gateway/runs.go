package gateway

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/segmentio/asm/base64"
	"golang.org/x/text/unicode/norm"

	"hygeia"
	"hygeia/internal/wrappers"
	"hygeia/projection"
	"hygeia/runner"
	"hygeia/runner/model"
	"hygeia/transcript"
)

// run is one prompt and what became of it (H-20, H-21).
type run struct {
	id     string
	peer   runner.Peer
	prompt runner.Prompt
	target string
	ctx    context.Context
	cancel context.CancelFunc
	done   chan struct{}

	mu       sync.Mutex
	status   string // queued, started, ok, error, aborted
	turn     runner.Growing
	show     func(string) string // how text is shown
	redact   func(string) string // how anything else of a model is
	text     seen                // of turn
	thinking seen
	final    string
	used     model.Usage
	reason   string // stop reason
	err      string
	ended    time.Time
}

// runs are those of all sessions: of each session one works, others wait.
type runs struct {
	mu      sync.Mutex
	queues  map[string][]*run // by session key; the first works
	known   map[string]*run   // by session key and id, the last ones
	order   []string
	ended   map[string]string // by session key: the id of the run that ended last
	started int
}

const (
	mostWaiting = 32    // prompts of one session
	mostKnown   = 1_000 // runs that are remembered
	longestID   = 200
)

func runKey(session, id string) string { return session + "\x00" + id }

// inFlight returns the answer that a session is giving.
func (r *runs) inFlight(key string) *inFlight {
	r.mu.Lock()
	defer r.mu.Unlock()
	q := r.queues[key]
	if len(q) == 0 {
		return nil
	}
	q[0].mu.Lock()
	defer q[0].mu.Unlock()
	if !q[0].ended.IsZero() {
		return nil // it is about to go
	}
	n := q[0]
	f := &inFlight{RunID: n.id, Text: n.live(), Thinking: n.thinking.of(n.turn.Thinking(), n.redact), Calls: n.turn.Calls()}
	for i := range f.Calls {
		f.Calls[i].Arguments = n.redact(f.Calls[i].Arguments)
	}
	return f
}

// live returns what is shown of the growing text (X-65, X-B02, X-B17). The caller
// holds n.mu.
func (n *run) live() string {
	return n.text.of(n.turn.Text(), n.show)
}

// seen is a growing text as it was shown last.
type seen struct{ text, shown string }

func (s *seen) of(text string, show func(string) string) string {
	if len(text) != len(s.text) {
		s.text, s.shown = text, show(text)
	}
	return s.shown
}

// add queues a run, or returns the one with its id that is there already.
func (r *runs) add(n *run) (known *run, first bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.known == nil {
		r.known, r.queues, r.ended = map[string]*run{}, map[string][]*run{}, map[string]string{}
	}
	key := runKey(n.peer.Key, n.id)
	if old := r.known[key]; old != nil {
		return old, false, nil
	}
	q := r.queues[n.peer.Key]
	if len(q) >= mostWaiting {
		return nil, false, failure{http.StatusTooManyRequests, "too_many", "too many prompts wait in this session"}
	}
	for len(r.order) >= mostKnown {
		old := r.known[r.order[0]]
		select {
		case <-old.done:
			delete(r.known, r.order[0])
		default:
			return nil, false, failure{http.StatusTooManyRequests, "too_many", "too many prompts wait"}
		}
		r.order = r.order[1:]
	}
	r.known[key] = n
	r.order = append(r.order, key)
	r.queues[n.peer.Key] = append(q, n)
	r.started++
	return n, len(q) == 0, nil
}

// last returns the id of the run that ended last in a session, "" for none.
func (r *runs) last(key string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ended[key]
}

// next takes the first run of a session away and returns the one behind it.
func (r *runs) next(key string) *run {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.ended) >= mostKnown {
		clear(r.ended)
	}
	r.ended[key] = r.queues[key][0].id
	q := r.queues[key][1:]
	if len(q) == 0 {
		delete(r.queues, key)
		return nil
	}
	r.queues[key] = q
	return q[0]
}

func (r *runs) get(session, id string) *run {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.known[runKey(session, id)]
}

// all returns the runs of a session that are not over, the one that works first.
func (r *runs) all(session string) []*run {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(r.queues[session]), func(n *run) bool {
		n.mu.Lock()
		defer n.mu.Unlock()
		return !n.ended.IsZero()
	})
}

// prompt is the body of a request that sends one.
type prompt struct {
	Message        string `json:"message"`
	IdempotencyKey string `json:"idempotencyKey"`
	Model          string `json:"model"`
	Leaf           string `json:"leaf"`
	// Interrupt stops what the session does and what waits there (H-25).
	Interrupt   bool `json:"interrupt"`
	Attachments []struct {
		Data     string `json:"data"`
		MimeType string `json:"mimeType"`
	} `json:"attachments"`
}

const mostAttachments = 20

// parts makes of the body what is stored: text as it was typed, in NFC, without
// control characters, and pictures (H-20, H-22, X-B07).
func (in prompt) parts() (p runner.Prompt, err error) {
	switch {
	case in.IdempotencyKey == "" || len(in.IdempotencyKey) > longestID || strings.ContainsFunc(in.IdempotencyKey, unicode.IsControl):
		return p, badRequest("idempotencyKey must have from 1 to %d bytes and no control characters", longestID)
	case strings.ContainsRune(in.Message, 0):
		return p, badRequest("message holds a NUL")
	case !utf8.ValidString(in.Message):
		return p, badRequest("message is no UTF-8")
	case len(in.Attachments) > mostAttachments:
		return p, badRequest("there are more than %d attachments", mostAttachments)
	}
	text := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, norm.NFC.String(strings.ReplaceAll(in.Message, "\r\n", "\n")))
	p.Body = wrappers.EscapeInternal(strings.TrimSpace(text))
	for i, a := range in.Attachments {
		file, err := base64.StdEncoding.DecodeString(a.Data)
		if err != nil {
			return p, badRequest("attachment %d is no base64", i+1)
		}
		picture, err := hygeia.Picture(file)
		if err != nil {
			return p, badRequest("attachment %d: %v", i+1, err)
		}
		p.Pictures = append(p.Pictures, picture)
	}
	if p.Body == "" && len(p.Pictures) == 0 {
		return p, badRequest("message is empty")
	}
	p.Key = in.IdempotencyKey + ":user"
	return p, nil
}

// send takes a prompt and lets it run (H-20, H-21, H-B07).
func (g *Gateway) send(c *call) error {
	p, err := g.peer(c)
	if err != nil {
		return err
	}
	var in prompt
	if err := c.decode(&in); err != nil {
		return err
	}
	parts, err := in.parts()
	if err != nil {
		return err
	}
	n, first, err := g.start(p, in, parts)
	if err != nil {
		return err
	}
	status := n.told()
	if !first && status.Status == "started" {
		status.Status = "in_flight"
	}
	return c.answer(http.StatusAccepted, status)
}

// start queues a prompt; first says that it is not a repetition.
func (g *Gateway) start(p runner.Peer, in prompt, parts runner.Prompt) (n *run, first bool, err error) {
	if g.Run == nil {
		return nil, false, failure{http.StatusServiceUnavailable, "read_only", "this gateway answers no prompts"}
	}
	row := g.row(p)
	if row.denied {
		return nil, false, failure{http.StatusForbidden, "denied", "this session takes no prompts: its send policy is deny"}
	}
	target := cmp.Or(in.Model, row.Model)
	if target != "" {
		if _, err := hygeia.ParseTarget(target); err != nil {
			return nil, false, badRequest("the model is not PROVIDER/MODEL")
		}
	}
	n = &run{id: in.IdempotencyKey, peer: p, prompt: parts, target: target, status: "queued", done: make(chan struct{}), show: g.liveText, redact: g.growing}
	n.ctx, n.cancel = context.WithCancel(g.ctx)
	if in.Leaf != "" {
		if err := g.branch(p, in.Leaf); err != nil {
			return nil, false, err
		}
	}
	known, alone, err := g.runs.add(n)
	if err != nil {
		n.cancel()
		return nil, false, err
	}
	if known != n {
		n.cancel()
		return known, false, nil
	}
	if in.Interrupt {
		for _, other := range g.runs.all(p.Key) {
			if other != n {
				other.cancel()
			}
		}
	}
	if alone {
		n.set("started")
		g.work.Go(func() { g.runAll(n) })
	}
	return n, true, nil
}

// runAll works on the prompts of a session one after the other.
func (g *Gateway) runAll(n *run) {
	for n != nil {
		n.set("started")
		g.feeds.poke(n.peer.Path)
		g.feeds.poke(listFeed)
		g.runOne(n)
		key, path := n.peer.Key, n.peer.Path
		n = g.runs.next(key)
		g.feeds.poke(path)
		g.feeds.poke(listFeed)
	}
}

func (g *Gateway) runOne(n *run) {
	defer close(n.done)
	defer n.cancel()
	r, err := g.Run(n.target)
	if err != nil {
		n.end(nil, err, g.Now())
		return
	}
	result, err := r.Run(n.ctx, n.peer.Path, n.prompt, func(e runner.Event) {
		n.hear(e)
		g.feeds.poke(n.peer.Path)
	})
	n.end(result, err, g.Now())
	g.touch(n.peer)
}

// liveText shows text that is not stored yet as it will be shown then.
func (g *Gateway) liveText(text string) string {
	return g.redactor.Text(projection.RemoveScaffolding(projection.LiveText(text)))
}

// growing shows whatever else a model says before it is stored.
func (g *Gateway) growing(text string) string {
	return g.redactor.Text(projection.WithoutOpenKey(text))
}

func (n *run) set(status string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.status = status
}

// hear follows the turn that is being said.
func (n *run) hear(e runner.Event) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.turn.Hear(e)
	if e.Kind == runner.Called {
		n.text, n.thinking = seen{}, seen{}
	}
}

func (n *run) end(r *runner.Result, err error, now time.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.ended = now
	if r != nil {
		n.final, n.reason, n.used = r.Text, r.StopReason, r.Usage
	}
	switch {
	case n.ctx.Err() != nil || n.reason == string(transcript.StopAborted):
		n.status = "aborted"
	case err != nil:
		n.status, n.err = "error", publicError(err)
	default:
		n.status = "ok"
	}
}

// publicError says what a model answered; anything else may name paths and
// stays here.
func publicError(err error) string {
	var e *model.Error
	if errors.As(err, &e) {
		return e.Error()
	}
	return "the run failed"
}

// told is what callers are told of a run.
type told struct {
	RunID      string     `json:"runId"`
	Status     string     `json:"status"`
	Text       string     `json:"text,omitempty"`
	StopReason string     `json:"stopReason,omitempty"`
	Error      string     `json:"error,omitempty"`
	EndedAt    *time.Time `json:"endedAt,omitempty"`
}

func (n *run) told() told {
	n.mu.Lock()
	defer n.mu.Unlock()
	t := told{RunID: n.id, Status: n.status, StopReason: n.reason, Error: n.err, Text: n.live()}
	if !n.ended.IsZero() {
		ended := n.ended.UTC()
		t.EndedAt, t.Text = &ended, n.show(n.final)
	}
	return t
}

func (g *Gateway) run(c *call) error {
	n, err := g.runOf(c)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, n.told())
}

// abort stops a run; what was said so far stays (H-23).
func (g *Gateway) abort(c *call) error {
	n, err := g.runOf(c)
	if err != nil {
		return err
	}
	select {
	case <-n.done:
		return c.answer(http.StatusOK, aborted{true, false, []string{n.id}})
	default:
		n.cancel()
		return c.answer(http.StatusOK, aborted{true, true, []string{n.id}})
	}
}

// abortAll stops what runs in a session and what waits there (H-23, H-44).
func (g *Gateway) abortAll(c *call) error {
	p, err := g.peer(c)
	if err != nil {
		return err
	}
	ids := []string{}
	for _, n := range g.runs.all(p.Key) {
		n.cancel()
		ids = append(ids, n.id)
	}
	return c.answer(http.StatusOK, aborted{true, len(ids) > 0, ids})
}

// aborted says which runs were stopped.
type aborted struct {
	OK      bool     `json:"ok"`
	Aborted bool     `json:"aborted"`
	RunIDs  []string `json:"runIds"`
}

func (g *Gateway) runOf(c *call) (*run, error) {
	p, err := g.peer(c)
	if err != nil {
		return nil, err
	}
	id := c.r.PathValue("id")
	n := g.runs.get(p.Key, id)
	if n == nil {
		return nil, notFound("there is no run %s", strconv.Quote(id))
	}
	return n, nil
}
