package gateway

import (
	"context"
	"encoding/base64"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"hygeia/internal/jsonline"
	"hygeia/projection"
	"hygeia/runner"
	"hygeia/session"
	"hygeia/transcript"
)

// branch makes the branch that ends at an entry the active one, so that the
// next prompt goes on from there. Nothing is overwritten (H-B18).
func (g *Gateway) branch(p runner.Peer, leaf string) error {
	if g.runs.inFlight(p.Key) != nil {
		return failure{http.StatusConflict, "busy", "a run is active in this session"}
	}
	err := session.ChooseBranch(g.ctx, p.Path, leaf, g.writing())
	if errors.Is(err, session.ErrUnknownEntry) {
		return notFound("there is no entry %s", strconv.Quote(leaf))
	}
	return err
}

// writing says how session files are written.
func (g *Gateway) writing() session.WriteOptions {
	return session.WriteOptions{Repair: session.RepairOptions{Log: g.Log}}
}

// inject adds an assistant row that no model wrote; it says so (H-24, H-B12).
func (g *Gateway) inject(c *call) error {
	p, err := g.peer(c)
	if err != nil {
		return err
	}
	var in struct {
		Message string `json:"message"`
		Label   string `json:"label"`
	}
	if err := c.decode(&in); err != nil {
		return err
	}
	text := strings.TrimSpace(in.Message)
	if text == "" || strings.ContainsRune(text, 0) || len(in.Label) > 100 {
		return badRequest("message must not be empty or hold a NUL, label has at most 100 bytes")
	}
	if in.Label != "" {
		text = "[" + in.Label + "]\n\n" + text
	}
	meta := jsonline.Object{}.With("injectedBy", jsonline.Text("gateway"))
	if in.Label != "" {
		meta = meta.With("label", jsonline.Text(in.Label))
	}
	m := transcript.New(transcript.Assistant, transcript.NewTextBlock(text)).
		With("api", jsonline.Text("openai-responses")).With("provider", jsonline.Text("openclaw")).With("model", jsonline.Text("gateway-injected")).
		With("stopReason", jsonline.Text("stop")).With("usage", jsonline.Parse([]byte(`{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"totalTokens":0}`))).
		With("timestamp", g.now()).With("__openclaw", meta.Value())
	id, err := session.NewAppender(p.Path, g.writing()).Append(c.r.Context(), transcript.NewMessageEntry(m))
	if err != nil {
		return err
	}
	g.touch(p)
	g.feeds.poke(p.Path)
	return c.answer(http.StatusOK, struct {
		OK        bool   `json:"ok"`
		MessageID string `json:"messageId"`
	}{true, id})
}

// compact lets a summary stand for the older part of a session: the given one,
// or one that the session's model writes (H-B07, C-06).
func (g *Gateway) compact(c *call) error {
	p, err := g.peer(c)
	if err != nil {
		return err
	}
	var in struct {
		Summary    string `json:"summary"`
		KeepTokens int    `json:"keepTokens"`
	}
	if err := c.decode(&in); err != nil {
		return err
	}
	if in.KeepTokens < 0 {
		return badRequest("keepTokens must not be negative")
	}
	o := session.CompactOptions{KeepTokens: in.KeepTokens, Summary: strings.TrimSpace(in.Summary)}
	if o.Summary == "" {
		if g.Run == nil {
			return badRequest("summary is missing, and this gateway has no model to write one")
		}
		r, err := g.Run(g.row(p).Model)
		if err != nil {
			return failure{http.StatusServiceUnavailable, "no_model", "there is no model to write a summary"}
		}
		o.Summarise = r.Summarise
	}
	o.Record = session.RecordBeside(c.r.Context(), p.Path, session.LockOptions{})
	done, err := session.Compact(c.r.Context(), p.Path, o, g.writing())
	switch {
	case errors.Is(err, session.ErrNothingToCompact), errors.Is(err, session.ErrNoCut):
		return failure{http.StatusConflict, "nothing_to_compact", "there is nothing to compact"}
	case done == nil:
		return err
	}
	g.touch(p)
	g.feeds.poke(p.Path)
	return c.answer(http.StatusOK, struct {
		OK    bool   `json:"ok"`
		Entry string `json:"entry"`
	}{true, done.Entry})
}

// touch notes in the index that a session has changed. It is only a note: what
// goes wrong with it is no failure of what was done.
func (g *Gateway) touch(p runner.Peer) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(g.ctx), 5*time.Second)
	defer cancel()
	_ = g.sessions.Touch(ctx, p, g.Now())
}

// pictureTypes are those that a page may show (design §9).
var pictureTypes = map[string]bool{"image/png": true, "image/jpeg": true, "image/gif": true, "image/webp": true}

// picture serves a picture of a message that is shown.
func (g *Gateway) picture(c *call) error {
	p, s, err := g.stored(c)
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(c.r.PathValue("n"))
	if s == nil || err != nil {
		return notFound("there is no such picture")
	}
	id := c.r.PathValue("id")
	v, err := g.view(p, c.query.Get("leaf"), projection.Options{MaxText: projection.DefaultMaxText, Tools: true})
	if err != nil {
		return err
	}
	seen := false
	for _, m := range v.messages {
		seen = seen || id != "" && projection.MetaOf(m).ID == id
	}
	for _, e := range s.Entries() {
		if !seen || e.ID != id || e.Message == nil {
			continue
		}
		// They are counted by themselves: what is shown may have fewer blocks in front.
		pictures := slices.DeleteFunc(slices.Clone(e.Message.Blocks()), func(b *transcript.Block) bool { return !b.Is(transcript.TypeImage) })
		if n < 0 || n >= len(pictures) {
			break
		}
		data, err := base64.StdEncoding.DecodeString(pictures[n].Get("data").String())
		kind := http.DetectContentType(data)
		if err != nil || !pictureTypes[kind] {
			break
		}
		c.w.Header().Set("Content-Type", kind)
		c.w.Header().Set("Content-Security-Policy", "default-src 'none'; sandbox")
		_, err = c.w.Write(data)
		return streamed(err)
	}
	return notFound("there is no such picture")
}
