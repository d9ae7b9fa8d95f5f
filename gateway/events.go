package gateway

import (
	"net/http"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// patience is how long a reader may take for an event before it is given up.
const patience = 30 * time.Second

// events is an answer that goes on as long as its reader stays.
type events struct {
	g   *Gateway
	c   *call
	out *http.ResponseController
}

func (g *Gateway) events(c *call) events { return events{g, c, http.NewResponseController(c.w)} }

// begin starts the answer (H-42).
func (e events) begin() error {
	h := e.c.w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-cache, no-transform")
	h.Set("X-Accel-Buffering", "no")
	e.c.w.WriteHeader(http.StatusOK)
	return e.write("retry: 1000\n\n")
}

// last tells what is new whenever it is woken, until the reader leaves or its right
// ends.
func (e events) last(wake chan struct{}, news func() error) error {
	keepalive := time.NewTicker(e.g.Keepalive)
	defer keepalive.Stop()
	for {
		if err := news(); err != nil {
			return err
		}
		select {
		case <-e.c.r.Context().Done():
			return e.c.r.Context().Err()
		case <-e.g.ctx.Done():
			return e.g.ctx.Err()
		case <-keepalive.C:
			if err := e.write(": keepalive\n\n"); err != nil {
				return err
			}
		case <-wake:
		}
		if !e.g.valid(e.c.who) {
			return failure{http.StatusUnauthorized, "unauthorized", "the token is over"}
		}
	}
}

func (e events) event(name, id string, v any) error {
	text, err := json.Marshal(v, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString("event: " + name + "\n")
	if id != "" && !strings.ContainsAny(id, "\r\n\x00") {
		b.WriteString("id: " + id + "\n")
	}
	b.WriteString("data: ")
	b.Write(text) // JSON holds no line breaks
	b.WriteString("\n\n")
	return e.write(b.String())
}

func (e events) write(text string) error {
	if err := e.out.SetWriteDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	if _, err := e.c.w.Write([]byte(text)); err != nil {
		return err
	}
	return e.out.Flush()
}
