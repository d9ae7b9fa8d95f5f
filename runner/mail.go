package runner

import (
	"context"
	"strings"
	"sync"
)

// mailbox takes what is sent to a session while a run is active there (S-33).
type mailbox struct {
	mu      sync.Mutex
	closed  bool
	letters []*letter // not taken yet
	taken   []*letter
}

// letter is a prompt for an active run. What became of it is known when done is
// closed: nothing, where the run ended without taking it.
type letter struct {
	prompt Prompt
	done   chan struct{}
	result *Result
	err    error
}

// ownRun reports whether a session is that of a single run.
func ownRun(key string) bool { return strings.Contains(key, ":run:") }

// join puts a prompt into the run that is active in the session file, if there is
// one in this process, and returns what came of that run. The result is nil where
// the prompt has to have a run of its own.
func (t *turns) join(ctx context.Context, path string, p Prompt) (*Result, error) {
	t.mu.Lock()
	m := t.active[realPath(path)]
	t.mu.Unlock()
	if m == nil {
		return nil, nil
	}
	l := &letter{prompt: p, done: make(chan struct{})}
	if !m.put(l) {
		return nil, nil
	}
	select {
	case <-l.done:
		return l.result, l.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func (m *mailbox) put(l *letter) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.closed {
		m.letters = append(m.letters, l)
	}
	return !m.closed
}

// take returns what came since. Where the run would end now, nothing more is taken
// behind it.
func (m *mailbox) take(ending bool) []*letter {
	m.mu.Lock()
	defer m.mu.Unlock()
	came := m.letters
	m.closed = ending && len(came) == 0
	m.letters, m.taken = nil, append(m.taken, came...)
	return came
}

// end tells the senders what came of the run.
func (m *mailbox) end(r *Result, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	for _, l := range m.taken {
		l.result, l.err = r, err
	}
	for _, l := range append(m.taken, m.letters...) {
		close(l.done)
	}
}

// open makes the mailbox of the run that is active in a session.
func (t *turns) open(name string) *mailbox {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.active == nil {
		t.active = map[string]*mailbox{}
	}
	m := &mailbox{}
	t.active[name] = m
	return m
}

func (t *turns) shut(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.active, name)
}

// receive stores what was sent to the session since, and reports whether that was
// anything.
func (s *run) receive(ending bool) (bool, error) {
	came := s.mail.take(ending)
	for _, l := range came {
		p := &l.prompt
		if s.taken(p.Key) < 0 {
			m, notes := p.stored()
			s.result.Notes = append(s.result.Notes, notes...)
			if _, err := s.addTurn(m); err != nil {
				return false, err
			}
		}
		s.prompt.System = paragraphs(s.prompt.System, p.System)
		if was := s.prompt.Origin; was == nil || p.Origin != nil && p.Origin.Hops > was.Hops {
			s.prompt.Origin = p.Origin // calls go on the longer chain (S-B07)
		}
	}
	return len(came) > 0, nil
}
