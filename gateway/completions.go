package gateway

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"hygeia/internal/jsonline"
	"hygeia/runner"
	"hygeia/session"
)

// completion is the body of a request for a chat completion. Members that mean
// nothing here are let through, as clients send many.
type completion struct {
	Model    string `json:"model"`
	Messages []struct {
		Role    string         `json:"role"`
		Content jsontext.Value `json:"content"`
	} `json:"messages"`
	Stream bool   `json:"stream"`
	User   string `json:"user"`
	N      int    `json:"n"`
}

// complete answers like OpenAI's Chat Completions: the last user message is the
// prompt. A session of its own belongs to each user; without one the session is
// new (H-43).
func (g *Gateway) complete(c *call) error {
	var in completion
	if err := c.decode(&in, json.RejectUnknownMembers(false)); err != nil {
		return err
	}
	if in.N > 1 {
		return badRequest("n must be 1: a session has one answer")
	}
	text := in.prompt()
	if text == "" {
		return badRequest("the last message must be one of the user with text")
	}
	model := in.Model
	if !strings.Contains(model, "/") || model == defaultModel {
		model = "" // a name of ours: the session's own model
	}
	p, err := g.userSession(c, in.User)
	if err != nil {
		return err
	}
	body := prompt{Message: text, IdempotencyKey: strings.ToLower(rand.Text()), Model: model}
	parts, err := body.parts()
	if err != nil {
		return err
	}
	var wake chan struct{}
	if in.Stream { // before anything runs: there may be too many streams
		joined, leave, err := g.feeds.join(p.Path, c.who, g.MaxStreams)
		if err != nil {
			return err
		}
		defer leave()
		wake = joined
	}
	n, _, err := g.start(p, body, parts)
	if err != nil {
		return err
	}
	o := answering{c: c, n: n, id: "chatcmpl-" + n.id, model: in.Model, made: g.Now().Unix()}
	if in.Stream {
		return o.stream(wake)
	}
	select {
	case <-n.done:
	case <-c.r.Context().Done():
		n.cancel()
		return errStreamed
	}
	t := n.told()
	if t.Status != "ok" {
		return failure{http.StatusBadGateway, "run_failed", runFailed(t)}
	}
	answer := o.body("chat.completion", map[string]any{
		"index": 0, "message": map[string]any{"role": "assistant", "content": t.Text}, "finish_reason": finish(t.StopReason),
	})
	answer["usage"] = map[string]int64{
		"prompt_tokens": n.used.Input + n.used.CacheRead + n.used.CacheWrite, "completion_tokens": n.used.Output,
		"total_tokens": n.used.Input + n.used.CacheRead + n.used.CacheWrite + n.used.Output,
	}
	return c.answer(http.StatusOK, answer)
}

// prompt returns the text of the last message.
func (in completion) prompt() string {
	if len(in.Messages) == 0 {
		return ""
	}
	last := in.Messages[len(in.Messages)-1]
	if last.Role != "user" {
		return ""
	}
	v := jsonline.Parse(last.Content)
	if v.IsString() {
		return strings.TrimSpace(v.String())
	}
	var texts []string
	for e := range v.Elements() {
		if part := e.Object(); part.Get("type").String() == "text" {
			texts = append(texts, part.Get("text").String())
		}
	}
	return strings.TrimSpace(strings.Join(texts, "\n"))
}

// userSession returns the session of a user, and makes it if it is missing. The
// name of the user does not become the key: it is hashed.
func (g *Gateway) userSession(c *call, user string) (p runner.Peer, err error) {
	id := strings.ToLower(rand.Text())
	key := "agent:" + g.Agent + ":api:" + id
	if user != "" {
		sum := sha256.Sum256([]byte(user))
		id = hex.EncodeToString(sum[:16])
		key = "agent:" + g.Agent + ":api:user:" + id
	}
	if p, ok, err := g.sessions.Find(key); ok || err != nil {
		return p, err
	}
	_, err = g.update(c, g.Agent, func(x *session.Index) error {
		if !x.Row(key).Exists() {
			x.Set(key, jsonline.Object{}.With("sessionId", jsonline.Text(id)).With("sessionStartedAt", g.now()).With("updatedAt", g.now()))
		}
		return nil
	})
	if err != nil {
		return p, err
	}
	p, _, err = g.sessions.Find(key)
	return p, err
}

// answering writes a run in the form of OpenAI.
type answering struct {
	c         *call
	n         *run
	id, model string
	made      int64
}

func (o answering) body(kind string, choice map[string]any) map[string]any {
	return map[string]any{"id": o.id, "object": kind, "created": o.made, "model": o.model, "choices": []any{choice}}
}

func runFailed(t told) string {
	return strings.TrimSuffix("the run ended as "+t.Status+": "+t.Error, ": ")
}

// finish names a stop reason in OpenAI's words.
func finish(reason string) string {
	if reason == "length" {
		return "length"
	}
	return "stop"
}

// stream tells the answer as it grows. What was sent cannot be taken back: a turn
// behind a tool, and a text that turned out to be another one, stand below it (H-B10).
func (o answering) stream(wake chan struct{}) error {
	o.c.w.Header().Set("Content-Type", "text/event-stream")
	o.c.w.WriteHeader(http.StatusOK)
	out := http.NewResponseController(o.c.w)
	sent, said := "", false
	for done := false; !done; {
		select {
		case <-o.n.done:
			done = true
		case <-wake:
		case <-o.c.r.Context().Done():
			o.n.cancel()
			return errStreamed
		}
		now := o.n.told().Text
		more, other := grown(sent, now)
		if now != "" && other && strings.HasPrefix(sent, now) {
			continue // the end was no text, and what is left may grow
		}
		if said && sent == "" || other {
			more = "\n\n" + more
		}
		if sent = now; now != "" && more != "" {
			said = true
			o.chunk(out, map[string]any{"role": "assistant", "content": more}, nil)
		}
	}
	if t := o.n.told(); t.Status == "ok" {
		o.chunk(out, map[string]any{}, finish(t.StopReason))
	} else {
		o.data(out, map[string]any{"error": map[string]string{"type": "run_failed", "message": runFailed(t)}})
	}
	o.write(out, "data: [DONE]\n\n")
	return errStreamed
}

func (o answering) chunk(out *http.ResponseController, delta map[string]any, reason any) {
	o.data(out, o.body("chat.completion.chunk", map[string]any{"index": 0, "delta": delta, "finish_reason": reason}))
}

func (o answering) data(out *http.ResponseController, v any) {
	if text, err := json.Marshal(v); err == nil {
		o.write(out, "data: "+string(text)+"\n\n")
	}
}

// write sends a piece. A reader that is gone is noticed by its context.
func (o answering) write(out *http.ResponseController, text string) {
	_ = out.SetWriteDeadline(time.Now().Add(patience))
	_, _ = o.c.w.Write([]byte(text))
	_ = out.Flush()
}
