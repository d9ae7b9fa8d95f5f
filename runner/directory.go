package runner

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"hygeia/internal/jsonline"
	"hygeia/session"
)

// Peer is a session that prompts can be sent to.
type Peer struct {
	Key  string // in the index
	ID   string // that the index has for it, "" where it has none
	Path string // of its file
	// Agent is the id of its agent, in lower form.
	Agent   string
	Channel string // that it talks in, "" where that is not known
	Label   string
	// Started is when it began by the index, in epoch milliseconds, 0 where that is not
	// known.
	Started float64
	// Parent is the key of the session that started it, "" for none.
	Parent string
	// Sandboxed says that it may see no more than its own tree (S-32), Background
	// that it is an ACP session that somebody started for a task (S-34).
	Sandboxed, Background bool
}

// Directory knows the sessions of an installation. The zero Peer and false say that
// there is none.
type Directory interface {
	// Find looks a session up by its key or id.
	Find(key string) (Peer, bool, error)
	// Labelled returns those with a label, of one agent if that is not "".
	Labelled(label, agent string) ([]Peer, error)
	// Main returns the main session of an agent and makes it if it is missing. It is
	// false for an agent that there is not.
	Main(ctx context.Context, agent string) (Peer, bool, error)
}

// Sessions is the directory of a root of state, as F-01 lays it out.
type Sessions struct {
	// State is the root: agents/AGENT/sessions lies below it.
	State string
	// Agents are the ids of agents that are configured besides those that have a
	// folder already.
	Agents []string
	Lock   session.LockOptions
}

// Find implements [Directory].
func (d Sessions) Find(key string) (Peer, bool, error) {
	return d.search(agentOf(key), func(k string, row jsonline.Object) bool { return k == key || row.Get("sessionId").String() == key })
}

// At looks a session up by the path of its file, which need not be there yet. It is
// false where no index has a row for it; the errors are those of reading the folders.
func (d Sessions) At(file string) (Peer, bool, error) {
	was, _ := os.Stat(file)
	file, err := filepath.Abs(file)
	if err != nil {
		return Peer{}, false, err
	}
	agents, err := d.agents()
	if err != nil {
		return Peer{}, false, err
	}
	for _, a := range agents {
		store := session.AgentStore(d.State, a)
		p, ok, err := d.search(a, func(_ string, row jsonline.Object) bool {
			path, err := store.Path(row)
			if err != nil {
				return false
			}
			is, err := os.Stat(path)
			if err == nil && was != nil {
				return os.SameFile(is, was)
			}
			path, err = filepath.Abs(path)
			return err == nil && path == file
		})
		if ok || err != nil {
			return p, ok, err
		}
	}
	return Peer{}, false, nil
}

// Labelled implements [Directory].
func (d Sessions) Labelled(label, agent string) ([]Peer, error) {
	return d.all(agent, func(_ string, row jsonline.Object) bool { return row.Get("label").String() == label }, false)
}

// Main implements [Directory].
func (d Sessions) Main(ctx context.Context, agent string) (Peer, bool, error) {
	agent = strings.ToLower(strings.TrimSpace(agent))
	agents, err := d.agents()
	if err != nil || !slices.Contains(agents, agent) {
		return Peer{}, false, err
	}
	key := "agent:" + agent + ":main"
	if p, ok, err := d.Find(key); ok || err != nil {
		return p, ok, err
	}
	store := session.AgentStore(d.State, agent)
	if err := os.MkdirAll(store.Dir(), 0o700); err != nil {
		return Peer{}, false, err
	}
	_, err = store.Update(ctx, d.Lock, func(x *session.Index) error {
		if x.Row(key).Exists() {
			return nil
		}
		now := jsonline.Int(time.Now().UnixMilli())
		x.Set(key, jsonline.Object{}.With("sessionId", jsonline.Text(newID())).With("updatedAt", now).With("sessionStartedAt", now))
		return nil
	})
	if err != nil {
		return Peer{}, false, err
	}
	return d.Find(key)
}

// Each tells of every session that has a row in an index, agent by agent. The error is
// that of the first index that cannot be read.
func (d Sessions) Each(tell func(agent, key string, row jsonline.Object)) error {
	agents, err := d.agents()
	if err != nil {
		return err
	}
	for _, a := range agents {
		x, err := session.AgentStore(d.State, a).Index()
		if err != nil {
			return err
		}
		for _, key := range x.Keys() {
			tell(a, key, x.Row(key))
		}
	}
	return nil
}

// Touch notes in the index when a session changed. One without a row stays so. The
// errors are those of session.Store.Update.
func (d Sessions) Touch(ctx context.Context, p Peer, at time.Time) error {
	_, err := session.AgentStore(d.State, p.Agent).Update(ctx, d.Lock, func(x *session.Index) error {
		if row := x.Row(p.Key); row.Exists() {
			x.Set(p.Key, row.With("updatedAt", jsonline.Int(at.UnixMilli())))
		}
		return nil
	})
	return err
}

// agents returns the ids of the agents that there are, in order.
func (d Sessions) agents() ([]string, error) {
	list := slices.Clone(d.Agents)
	folders, err := os.ReadDir(filepath.Join(d.State, "agents"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, f := range folders {
		if f.IsDir() && !slices.Contains(list, f.Name()) {
			list = append(list, f.Name())
		}
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

// search returns the first session that fits, among those of an agent if that is
// not "".
func (d Sessions) search(agent string, fits func(key string, row jsonline.Object) bool) (Peer, bool, error) {
	list, err := d.all(agent, fits, true)
	if err != nil || len(list) == 0 {
		return Peer{}, false, err
	}
	return list[0], true, nil
}

// all returns the sessions that fit, among those of an agent if that is not "", or
// only the first one.
func (d Sessions) all(agent string, fits func(key string, row jsonline.Object) bool, first bool) (list []Peer, err error) {
	agents, err := d.agents()
	if err != nil {
		return nil, err
	}
	for _, a := range agents {
		if agent != "" && !strings.EqualFold(a, agent) {
			continue
		}
		store := session.AgentStore(d.State, a)
		x, err := store.Index()
		if err != nil {
			return nil, err
		}
		for _, key := range x.Keys() {
			row := x.Row(key)
			if !fits(key, row) {
				continue
			}
			p, err := peerOf(store, a, key, row)
			if err != nil {
				return nil, err
			}
			if list = append(list, p); first {
				return list, nil
			}
		}
	}
	return list, nil
}

func peerOf(store session.Store, agent, key string, row jsonline.Object) (Peer, error) {
	path, err := store.Path(row)
	if err != nil {
		return Peer{}, fmt.Errorf("session %q: %w", key, err)
	}
	text := func(names ...string) string {
		for _, n := range names {
			if s := row.Get(n).String(); s != "" {
				return s
			}
		}
		return ""
	}
	started, _ := row.Get("sessionStartedAt").Number()
	return Peer{
		Key: key, ID: text("sessionId"), Path: path, Agent: strings.ToLower(agent), Channel: text("channel", "lastChannel"), Label: text("label"), Started: started,
		Parent: text("spawnedBy", "parentSessionKey"), Sandboxed: row.Get("sandboxed").Bool(),
		Background: strings.HasPrefix(key, "acp-bridge:") || strings.Contains(key, ":acp:"),
	}, nil
}

// agentOf returns the agent in a session key, "" for a key without one.
func agentOf(key string) string {
	rest, ok := strings.CutPrefix(key, "agent:")
	if !ok {
		return ""
	}
	agent, _, _ := strings.Cut(rest, ":")
	return strings.ToLower(agent)
}

// atAgent returns a session key without the agent in it.
func atAgent(key string) string {
	if rest, ok := strings.CutPrefix(key, "agent:"); ok {
		_, key, _ = strings.Cut(rest, ":")
	}
	return key
}

// newID returns a random id for a session or a run.
func newID() string { return strings.ToLower(rand.Text()) }
