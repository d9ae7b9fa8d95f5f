package gateway

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"sync"
	"time"

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

// seen is a growing text as it was shown last.
type seen struct{ text, shown string }

func (s *seen) of(text string, show func(string) string) string {
	if text != s.text { // which costs nothing where it only grew
		s.text, s.shown = text, show(text)
	}
	return s.shown
}

// live returns what is shown of the growing text (X-65, X-B02, X-B17). The caller
// holds n.mu.
func (n *run) live() string {
	return n.text.of(n.turn.Text(), n.show)
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

// over reports whether nothing more comes of a run.
func (n *run) over() bool {
	select {
	case <-n.done:
		return true
	default:
		return false
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
	over := n.over()
	if !over {
		n.cancel()
	}
	return c.answer(http.StatusOK, aborted{true, !over, []string{n.id}})
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
