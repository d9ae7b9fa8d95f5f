package acp

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
	"unicode"

	"hygeia/internal/jsonline"
	"hygeia/runner"
	"hygeia/session"
)

// bound is a session that a client has opened.
type bound struct {
	id, cwd string
	peer    runner.Peer
	run     *runner.Runner
	prompts *prompts
}

// prompts are those of a session at work.
type prompts struct {
	mu      sync.Mutex
	cancels map[int]context.CancelFunc
	next    int
}

// begin notes a prompt that can be cancelled; end forgets it.
func (p *prompts) begin(cancel context.CancelFunc) (end func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := p.next
	p.next++
	p.cancels[n] = cancel
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.cancels, n)
	}
}

// cancel ends all of them.
func (p *prompts) cancel() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, cancel := range p.cancels {
		cancel()
	}
}

func (s *server) find(id string) *bound {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bound[id]
}

func unknownSession(id string) error { return fail(codeNotFound, "there is no session %q", short(id)) }

// short bounds a text of the client that an error repeats.
func short(text string) string {
	const most = 200
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// check holds what session/new, load and resume ask for against what there is.
func (o *opening) check() error {
	switch {
	case len(o.MCPServers) > 0:
		return fail(codeParams, "mcpServers: this agent connects to none")
	case !filepath.IsAbs(o.CWD) || strings.ContainsRune(o.CWD, 0):
		return fail(codeParams, "cwd must be an absolute path")
	}
	return nil
}

// bind makes a session one of the client's. Prompts of one that is bound already work on.
func (s *server) bind(peer runner.Peer, id, cwd string) error {
	run, err := s.Run(cwd)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	b := &bound{id: id, cwd: cwd, peer: peer, run: run, prompts: &prompts{cancels: map[int]context.CancelFunc{}}}
	if old := s.bound[id]; old != nil {
		b.prompts = old.prompts
	}
	s.bound[id] = b
	return nil
}

// create makes a session; its file comes with the first prompt (H-71).
func (s *server) create(ctx context.Context, p opening) (any, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	if !s.limit.take(s.Now()) {
		return nil, fail(codeLimit, "at most %d sessions may begin within %s", s.limit.most, s.limit.within)
	}
	id := newID()
	key, agent, err := s.chosen(p, id)
	if err != nil {
		return nil, err
	}
	store := session.AgentStore(s.State, agent)
	if err := os.MkdirAll(store.Dir(), 0o700); err != nil {
		return nil, err
	}
	_, err = store.Update(ctx, session.LockOptions{}, func(x *session.Index) error {
		row := x.Row(key)
		if old := row.Get("sessionId").String(); old != "" && !p.Meta.Reset {
			id = old
		} else {
			row = row.With("sessionId", jsonline.Text(id)).With("sessionStartedAt", s.now()).Without("sessionFile")
		}
		x.Set(key, row.With("updatedAt", s.now()).With("cwd", jsonline.Text(p.CWD)))
		return nil
	})
	if err != nil {
		return nil, err
	}
	peer, err := s.existing(key)
	if err != nil {
		return nil, err
	}
	if err := s.bind(peer, id, p.CWD); err != nil {
		return nil, err
	}
	return opened{id}, nil
}

// longestKey is how long the key of a session may be, in bytes.
const longestKey = 512

// chosen returns the key and the agent of a session that begins: those that the
// client names in _meta, or its own (H-71).
func (s *server) chosen(p opening, id string) (key, agent string, err error) {
	find, name := s.sessions.Find, p.Meta.Key
	if p.Meta.Label != "" && name == "" {
		name = p.Meta.Label
		find = func(label string) (runner.Peer, bool, error) {
			list, err := s.sessions.Labelled(label, "")
			switch {
			case err != nil || len(list) == 0:
				return runner.Peer{}, false, err
			case len(list) > 1:
				return runner.Peer{}, false, fail(codeParams, "%v %q: sessionKey has to say which", runner.ErrAmbiguous, label)
			}
			return list[0], true, nil
		}
	}
	if name == "" {
		return "acp-bridge:" + id, s.Agent, nil
	}
	if len(name) > longestKey || strings.ContainsFunc(name, unicode.IsControl) {
		return "", "", fail(codeParams, "the name of a session has at most %d bytes and no control characters", longestKey)
	}
	peer, ok, err := find(name)
	switch {
	case err != nil:
		return "", "", err
	case ok:
		return peer.Key, peer.Agent, nil
	case p.Meta.Key == "" || strings.HasPrefix(name, "agent:") && !strings.HasPrefix(name, "agent:"+s.Agent+":"):
		return "", "", unknownSession(name)
	}
	return name, s.Agent, nil
}

// existing finds a session by its id or key.
func (s *server) existing(id string) (runner.Peer, error) {
	if id == "" {
		return runner.Peer{}, fail(codeParams, "sessionId is missing")
	}
	peer, ok, err := s.sessions.Find(id)
	if err == nil && !ok {
		err = unknownSession(id)
	}
	return peer, err
}

// resume binds a session without telling what was said in it.
func (s *server) resume(_ context.Context, p opening) (any, error) {
	if _, err := s.rebind(p); err != nil {
		return nil, err
	}
	return opened{}, nil
}

func (s *server) rebind(p opening) (peer runner.Peer, err error) {
	if err := p.check(); err != nil {
		return peer, err
	}
	if peer, err = s.existing(p.SessionID); err != nil {
		return peer, err
	}
	return peer, s.bind(peer, p.SessionID, p.CWD)
}

// close ends what a session does and forgets that it was open.
func (s *server) close(_ context.Context, p naming) (any, error) {
	b := s.find(p.SessionID)
	if b == nil {
		return nil, unknownSession(p.SessionID)
	}
	b.prompts.cancel()
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.bound, p.SessionID)
	return nil, nil
}

// touch notes that something was said in a session.
func (s *server) touch(p runner.Peer) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.conn.ctx), 5*time.Second)
	defer cancel()
	// The list of sessions is an old one where this fails, and nothing else.
	_ = s.sessions.Touch(ctx, p, s.Now())
}

func (s *server) now() jsonline.Value {
	return jsonline.Int(s.Now().UnixMilli())
}

// newID returns a random UUID, as ids of sessions are.
func newID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
