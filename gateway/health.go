package gateway

import (
	"net/http"

	"hygeia"
	"hygeia/projection"
)

// health is what is told of a session as it is stored.
type health struct {
	SessionID string `json:"sessionId,omitempty"`
	Shown     int    `json:"shown"` // messages
	hygeia.Health
}

// health says what is wrong with a session, and what the engine would change
// for each provider (H-B15).
func (g *Gateway) health(c *call) error {
	p, err := g.peer(c)
	if err != nil {
		return err
	}
	to, err := c.target()
	if err != nil {
		return err
	}
	t, err := g.transcript(p.Path)
	if err != nil {
		return err
	}
	out := health{SessionID: p.ID, Health: hygeia.Health{Problems: []string{}, Backups: []string{}, Targets: []hygeia.TargetHealth{}}}
	if t == nil {
		return c.answer(http.StatusOK, out)
	}
	s, err := g.view(p, "", projection.Options{MaxText: projection.DefaultMaxText})
	if err != nil {
		return err
	}
	out.Shown = len(s.messages)
	if out.Health, err = t.Health(hygeia.ReplayOptions{}); err != nil {
		return err
	}
	if to != (hygeia.Target{}) {
		if out.Changes, err = t.Planned(to, hygeia.ReplayOptions{}); err != nil {
			return failure{http.StatusUnprocessableEntity, "no_request", "the session cannot be sent to this target"}
		}
	}
	return c.answer(http.StatusOK, out)
}

// target returns the target that a request names, none if it names none.
func (c *call) target() (to hygeia.Target, err error) {
	name := c.query.Get("to")
	if name == "" {
		if c.query.Has("api") {
			return to, badRequest("api goes with to")
		}
		return to, nil
	}
	if to, err = hygeia.ParseTarget(name); err != nil {
		return to, badRequest("to is not PROVIDER/MODEL")
	}
	to.API = c.query.Get("api")
	return to, nil
}
