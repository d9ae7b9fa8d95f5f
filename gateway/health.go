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
	var named hygeia.Target
	type target struct {
		Target  string   `json:"target"` // PROVIDER/MODEL
		API     string   `json:"api,omitempty"`
		Rules   []string `json:"rules"`   // that the session as it is breaks there
		Changes int      `json:"changes"` // that the engine would make
		Empty   bool     `json:"empty,omitzero"`
	}
	out := struct {
		SessionID string   `json:"sessionId,omitempty"`
		Bytes     int64    `json:"bytes"`
		Leaf      string   `json:"leaf,omitempty"`
		Branches  int      `json:"branches"`
		Problems  []string `json:"problems"`
		Backups   []string `json:"backups"`
		Shown     int      `json:"shown"`
		Targets   []target `json:"targets"`
		// Changes are those for the target that the request names.
		Changes []changed `json:"changes,omitempty"`
	}{SessionID: p.ID, Problems: []string{}, Backups: []string{}, Targets: []target{}}
	if to := c.query.Get("to"); to != "" {
		if named, err = hygeia.ParseTarget(to); err != nil {
			return badRequest("to is not PROVIDER/MODEL")
		}
		named.API = c.query.Get("api")
	} else if c.query.Has("api") {
		return badRequest("api goes with to")
	}
	if t == nil {
		return c.answer(http.StatusOK, out)
	}
	out.Leaf, out.Branches = t.Session.Leaf(), len(t.Session.Branches())
	out.Bytes, out.Backups = fileFacts(p.Path)
	for _, problem := range t.Problems() {
		if len(out.Problems) == 100 {
			break
		}
		out.Problems = append(out.Problems, problem.String())
	}
	s, err := g.view(p.Path, "", projection.Options{MaxText: projection.DefaultMaxText, Redact: g.redactor.Text})
	if err != nil {
		return err
	}
	out.Shown = len(s.messages)
	if named != (hygeia.Target{}) {
		r, err := t.Replay(named, hygeia.ReplayOptions{Prompt: nextPrompt})
		if err != nil {
			return failure{http.StatusUnprocessableEntity, "no_request", "the session cannot be sent to this target"}
		}
		for _, c := range r.Report.Changes {
			out.Changes = append(out.Changes, changed{c.Rule, c.Pass, c.Op, c.Entry, c.Message, c.Reason, c.Lossy, c.Synthetic})
		}
	}
	verdicts, err := t.Outlook(hygeia.ReplayOptions{Prompt: nextPrompt})
	if err != nil {
		return err
	}
	for _, v := range verdicts {
		out.Targets = append(out.Targets, target{v.Target.Provider + "/" + v.Target.Model, v.Target.API, v.Rules, v.Changes, v.Empty})
	}
	return c.answer(http.StatusOK, out)
}

// nextPrompt stands for the prompt that would come next: whether a session can
// go on is what people want to know of it.
const nextPrompt = "Go on."
