package gateway

import (
	"net/http"

	"hygeia"
	"hygeia/hygiene"
	"hygeia/projection"
)

// changed is a change that the engine would make (design §8). What stands there
// before and after is no part of it: it may hold what is not shown.
type changed struct {
	Rule      string     `json:"rule"`
	Pass      string     `json:"pass"`
	Op        hygiene.Op `json:"op"`
	Entry     string     `json:"entry,omitempty"`
	Message   int        `json:"message"`
	Reason    string     `json:"reason"`
	Lossy     bool       `json:"lossy"`
	Synthetic bool       `json:"synthetic"`
}

// verdict is what one target says of a session.
type verdict struct {
	Target  string   `json:"target"` // PROVIDER/MODEL
	API     string   `json:"api,omitempty"`
	Rules   []string `json:"rules"`   // that the session as it is breaks there
	Changes int      `json:"changes"` // that the engine would make
	Empty   bool     `json:"empty,omitzero"`
}

// health is what is told of a session as it is stored.
type health struct {
	SessionID string    `json:"sessionId,omitempty"`
	Bytes     int64     `json:"bytes"`
	Leaf      string    `json:"leaf,omitempty"`
	Branches  int       `json:"branches"`
	Problems  []string  `json:"problems"`
	Backups   []string  `json:"backups"`
	Shown     int       `json:"shown"`
	Targets   []verdict `json:"targets"`
	// Changes are those for the target that the request names.
	Changes []changed `json:"changes,omitempty"`
}

// health says what is wrong with a session, and what the engine would change
// for each provider (H-B15).
func (g *Gateway) health(c *call) error {
	p, err := g.peer(c)
	if err != nil {
		return err
	}
	t, err := g.transcript(p.Path)
	if err != nil {
		return err
	}
	to, err := c.target()
	if err != nil {
		return err
	}
	out := health{SessionID: p.ID, Problems: []string{}, Backups: []string{}, Targets: []verdict{}}
	if t == nil {
		return c.answer(http.StatusOK, out)
	}
	out.Bytes, out.Backups = fileFacts(p.Path)
	s, err := g.view(p, "", projection.Options{MaxText: projection.DefaultMaxText, Redact: g.redactor.Text})
	if err != nil {
		return err
	}
	out.Shown = len(s.messages)
	if err := out.examine(t, to); err != nil {
		return err
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

const mostProblems = 100 // that are told

// examine tells of the session, what each target says of it, and what would change
// for the one that is named.
func (h *health) examine(t *hygeia.Transcript, to hygeia.Target) error {
	h.Leaf, h.Branches = t.Session.Leaf(), len(t.Session.Branches())
	for _, problem := range t.Problems() {
		if len(h.Problems) == mostProblems {
			break
		}
		h.Problems = append(h.Problems, problem.String())
	}
	if to != (hygeia.Target{}) {
		r, err := t.Replay(to, hygeia.ReplayOptions{Prompt: nextPrompt})
		if err != nil {
			return failure{http.StatusUnprocessableEntity, "no_request", "the session cannot be sent to this target"}
		}
		for _, c := range r.Report.Changes {
			h.Changes = append(h.Changes, changed{c.Rule, c.Pass, c.Op, c.Entry, c.Message, c.Reason, c.Lossy, c.Synthetic})
		}
	}
	verdicts, err := t.Outlook(hygeia.ReplayOptions{Prompt: nextPrompt})
	if err != nil {
		return err
	}
	for _, v := range verdicts {
		h.Targets = append(h.Targets, verdict{v.Target.Provider + "/" + v.Target.Model, v.Target.API, v.Rules, v.Changes, v.Empty})
	}
	return nil
}

// nextPrompt stands for the prompt that would come next: whether a session can
// go on is what people want to know of it.
const nextPrompt = "Go on."
