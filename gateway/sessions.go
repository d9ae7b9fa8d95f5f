package gateway

import (
	"cmp"
	"crypto/rand"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"hygeia"
	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/projection"
	"hygeia/runner"
	"hygeia/session"
)

// row is a session in the list.
type row struct {
	Key       string `json:"key"`
	SessionID string `json:"sessionId,omitempty"`
	Title     string `json:"title"`
	Model     string `json:"model,omitempty"`
	Agent     string `json:"agentId,omitempty"`
	Archived  bool   `json:"archived"`
	UpdatedAt int64  `json:"updatedAt,omitzero"` // milliseconds
	HasRun    bool   `json:"hasActiveRun"`
	denied    bool   // no prompt is taken (H-20)
}

func (g *Gateway) rowOf(key, agent string, o jsonline.Object) row {
	text := func(name string) string { return o.Get(name).String() }
	r := row{
		Key: key, SessionID: text("sessionId"), Title: cmp.Or(text("label"), text("displayName"), text("derivedTitle"), key),
		Model: text("model"), Agent: agent, Archived: o.Get("archived").Bool(), HasRun: g.runs.inFlight(key) != nil,
		denied: text("sendPolicy") == "deny",
	}
	if provider := text("modelProvider"); provider != "" && r.Model != "" && !strings.Contains(r.Model, "/") {
		r.Model = provider + "/" + r.Model
	}
	if v := o.Get("updatedAt"); v.Kind == jsonline.Number {
		f, _ := strconv.ParseFloat(string(v.Raw), 64)
		r.UpdatedAt = int64(f)
	}
	return r
}

// row returns the row of a session.
func (g *Gateway) row(p runner.Peer) row {
	x, err := session.AgentStore(g.State, p.Agent).Index()
	if err != nil {
		return row{Key: p.Key, Title: p.Key}
	}
	return g.rowOf(p.Key, p.Agent, x.Row(p.Key))
}

// list serves the sessions, the newest first (H-18).
func (g *Gateway) list(c *call) error {
	limit, err := c.number("limit", 100, 1, 1_000)
	if err != nil {
		return err
	}
	offset, err := c.number("offset", 0, 0, 1<<31)
	if err != nil {
		return err
	}
	archived, err := c.flag("archived")
	if err != nil {
		return err
	}
	search := strings.ToLower(c.query.Get("search"))
	rows, err := g.rows(func(r row) bool {
		return r.Archived == archived && (c.who.session == "" || c.who.session == r.Key) &&
			(search == "" || strings.Contains(strings.ToLower(r.Key+"\n"+r.Title), search))
	})
	if err != nil {
		return err
	}
	total := len(rows)
	rows = rows[min(offset, total):min(offset+limit, total)]
	return c.answer(http.StatusOK, struct {
		Sessions []row `json:"sessions"`
		Total    int   `json:"total"`
		HasMore  bool  `json:"hasMore"`
	}{rows, total, offset+limit < total})
}

func (g *Gateway) rows(want func(row) bool) ([]row, error) {
	rows := []row{}
	err := g.sessions.Each(func(agent, key string, o jsonline.Object) {
		if r := g.rowOf(key, agent, o); want(r) {
			rows = append(rows, r)
		}
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(b.UpdatedAt, a.UpdatedAt) })
	return rows, nil
}

// settings are what people choose for a session.
type settings struct {
	Key      *string `json:"key"`
	Title    *string `json:"title"`
	Model    *string `json:"model"`
	Archived *bool   `json:"archived"`
}

const longestTitle = 200

func (s settings) check() error {
	if s.Title != nil && len(*s.Title) > longestTitle {
		return badRequest("a title has at most %d bytes", longestTitle)
	}
	if s.Model != nil && *s.Model != "" {
		if _, err := hygeia.ParseTarget(*s.Model); err != nil {
			return badRequest("the model is not PROVIDER/MODEL")
		}
	}
	return nil
}

func (s settings) apply(o jsonline.Object) jsonline.Object {
	if s.Title != nil {
		o = o.With("label", jsonline.Text(*s.Title))
	}
	if s.Model != nil {
		o = o.Without("modelProvider").With("model", jsonline.Text(*s.Model))
	}
	if s.Archived != nil {
		o = o.With("archived", jsonline.Bool(*s.Archived))
	}
	return o
}

// create makes a session; its file comes with the first message.
func (g *Gateway) create(c *call) error {
	var in settings
	if err := c.decode(&in); err != nil {
		return err
	}
	if in.Archived != nil {
		return badRequest("a new session is not archived")
	}
	if err := in.check(); err != nil {
		return err
	}
	id := strings.ToLower(rand.Text())
	key := "agent:" + g.Agent + ":" + id
	if in.Key != nil {
		var err error
		if key, err = keyOf(*in.Key); err != nil {
			return err
		}
	}
	if _, ok, err := g.sessions.Find(key); err != nil {
		return err
	} else if ok {
		return failure{http.StatusConflict, "exists", "there is a session with this key"}
	}
	made, err := g.update(c, g.Agent, func(x *session.Index) error {
		if x.Row(key).Exists() {
			return failure{http.StatusConflict, "exists", "there is a session with this key"}
		}
		o := jsonline.Object{}.With("sessionId", jsonline.Text(id)).With("sessionStartedAt", g.now()).With("updatedAt", g.now())
		x.Set(key, in.apply(o))
		return nil
	})
	if err != nil {
		return err
	}
	return c.answer(http.StatusCreated, g.rowOf(key, g.Agent, made.Row(key)))
}

func (g *Gateway) now() jsonline.Value {
	return jsonline.Parse(jsonline.AppendInt(nil, g.Now().UnixMilli()))
}

func (g *Gateway) update(c *call, agent string, change func(*session.Index) error) (*session.Index, error) {
	store := session.AgentStore(g.State, agent)
	if err := makeFolder(store.Dir()); err != nil {
		return nil, err
	}
	return store.Update(c.r.Context(), session.LockOptions{}, change)
}

func (g *Gateway) get(c *call) error {
	p, err := g.peer(c)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, g.row(p))
}

func (g *Gateway) patch(c *call) error {
	p, err := g.peer(c)
	if err != nil {
		return err
	}
	var in settings
	if err := c.decode(&in); err != nil {
		return err
	}
	if in.Key != nil {
		return badRequest("the key of a session stays")
	}
	if err := in.check(); err != nil {
		return err
	}
	x, err := g.update(c, p.Agent, func(x *session.Index) error {
		o := x.Row(p.Key)
		if !o.Exists() {
			return notFound("the session is gone")
		}
		x.Set(p.Key, in.apply(o))
		return nil
	})
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, g.rowOf(p.Key, p.Agent, x.Row(p.Key)))
}

// branches lists the branches of a session with their last words.
func (g *Gateway) branches(c *call) error {
	p, err := g.peer(c)
	if err != nil {
		return err
	}
	s, err := g.load(p.Path)
	if err != nil {
		return err
	}
	type branch struct {
		Leaf   string `json:"leaf"`
		Parts  string `json:"partsAt,omitempty"`
		Active bool   `json:"active"`
	}
	list := []branch{}
	if s != nil {
		for _, tip := range s.Branches() {
			list = append(list, branch{tip.Leaf, tip.Parts, tip.Active})
		}
	}
	return c.answer(http.StatusOK, struct {
		Branches []branch `json:"branches"`
	}{list})
}

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
