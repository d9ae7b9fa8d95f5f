package gateway

import (
	"cmp"
	"crypto/rand"
	"net/http"
	"strings"

	"hygeia"
	"hygeia/internal/jsonline"
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
	// Preview is there where it was asked for (H-17).
	Preview *preview    `json:"preview,omitempty"`
	denied  bool        // no prompt is taken (H-20)
	named   bool        // people gave it the title
	file    runner.Peer // its path and start only
}

func (g *Gateway) rowOf(key, agent string, o jsonline.Object) row {
	text := func(name string) string { return o.Get(name).String() }
	named := cmp.Or(text("label"), text("displayName"))
	r := row{
		Key: key, SessionID: text("sessionId"), named: named != "",
		Title: cmp.Or(g.names.plain(named), g.names.derived(text("derivedTitle")), g.names.plain(key)),
		Model: text("model"), Agent: agent, Archived: o.Get("archived").Bool(), HasRun: g.runs.inFlight(key) != nil,
		denied: text("sendPolicy") == "deny",
	}
	if provider := text("modelProvider"); provider != "" && r.Model != "" && !strings.Contains(r.Model, "/") {
		r.Model = provider + "/" + r.Model
	}
	at, _ := o.Get("updatedAt").Number()
	r.UpdatedAt = int64(at)
	r.file.Path, _ = session.AgentStore(g.State, agent).Path(o) // "" for one that leads nowhere
	r.file.Started, _ = o.Get("sessionStartedAt").Number()
	return r
}

// row returns the row of a session.
func (g *Gateway) row(p runner.Peer) row { return g.rowOf(p.Key, p.Agent, g.indexRow(p)) }

// indexRow returns what the index says of a session, nothing where it cannot be read.
func (g *Gateway) indexRow(p runner.Peer) (o jsonline.Object) {
	if x, err := session.AgentStore(g.State, p.Agent).Index(); err == nil {
		o = x.Row(p.Key)
	}
	return o
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

// checkNew is check for a session that is being made.
func (s settings) checkNew() error {
	if s.Archived != nil {
		return badRequest("a new session is not archived")
	}
	return s.check()
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
	if err := in.checkNew(); err != nil {
		return err
	}
	id := strings.ToLower(rand.Text())
	return g.add(c, g.Agent, in, jsonline.Object{}.With("sessionId", jsonline.Text(id)))
}

// add puts the row of a new session into the index of an agent, with what people
// choose for it, and answers with it. It may have a key of their choice.
func (g *Gateway) add(c *call, agent string, in settings, o jsonline.Object) error {
	key := "agent:" + agent + ":" + o.Get("sessionId").String()
	if in.Key != nil {
		var err error
		if key, err = keyOf(*in.Key); err != nil {
			return err
		}
	}
	taken := failure{http.StatusConflict, "exists", "there is a session with this key"}
	if _, ok, err := g.sessions.Find(key); err != nil {
		return err
	} else if ok {
		return taken
	}
	made, err := g.update(c, agent, func(x *session.Index) error {
		if x.Row(key).Exists() {
			return taken
		}
		if !o.Get("sessionStartedAt").Exists() {
			o = o.With("sessionStartedAt", g.now())
		}
		x.Set(key, in.apply(o.With("updatedAt", g.now())))
		return nil
	})
	if err != nil {
		return err
	}
	return c.answer(http.StatusCreated, g.rowOf(key, agent, made.Row(key)))
}

func (g *Gateway) now() jsonline.Value {
	return jsonline.Int(g.Now().UnixMilli())
}

func (g *Gateway) update(c *call, agent string, change func(*session.Index) error) (*session.Index, error) {
	store := session.AgentStore(g.State, agent)
	if err := makeFolder(store.Dir()); err != nil {
		return nil, err
	}
	defer g.feeds.poke(listFeed)
	x, err := store.Update(c.r.Context(), session.LockOptions{}, change)
	if x != nil && g.Log != nil {
		for _, p := range x.Problems() {
			g.Log.Warn("index of the sessions written anew", "agent", agent, "reason", p.Reason)
		}
	}
	return x, err
}

func (g *Gateway) get(c *call) error {
	p, err := g.peer(c)
	if err != nil {
		return err
	}
	asked, err := c.previews()
	if err != nil {
		return err
	}
	r := g.row(p)
	g.preview(&r, asked)
	return c.answer(http.StatusOK, r)
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
