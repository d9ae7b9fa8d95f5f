package gateway

import (
	"cmp"
	"context"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/segmentio/asm/base64"
	"golang.org/x/text/unicode/norm"

	"hygeia"
	"hygeia/internal/wrappers"
	"hygeia/projection"
	"hygeia/runner"
)

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

const (
	mostAttachments = 20
	longestID       = 200 // bytes
)

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
	if known := g.runs.get(p.Key, in.IdempotencyKey); known != nil {
		return known, false, nil // not even the branch that it chose is chosen again
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
