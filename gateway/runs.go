package gateway

import (
	"net/http"
	"slices"
	"sync"
)

// runs are those of all sessions: of each session one works, others wait.
type runs struct {
	mu      sync.Mutex
	queues  map[string][]*run // by session key; the first works
	known   map[string]*run   // by session key and id, the last ones
	order   []string
	ended   map[string]string // by session key: the id of the run that ended last
	started int
}

const (
	mostWaiting = 32    // prompts of one session
	mostKnown   = 1_000 // runs that are remembered
)

func runKey(session, id string) string { return session + "\x00" + id }

// inFlight returns the answer that a session is giving.
func (r *runs) inFlight(key string) *inFlight {
	r.mu.Lock()
	defer r.mu.Unlock()
	q := r.queues[key]
	if len(q) == 0 {
		return nil
	}
	n := q[0]
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.ended.IsZero() {
		return nil // it is about to go
	}
	f := &inFlight{RunID: n.id, Text: n.live(), Thinking: n.thinking.of(n.turn.Thinking(), n.redact), Calls: n.turn.Calls()}
	for i := range f.Calls {
		f.Calls[i].Arguments = n.redact(f.Calls[i].Arguments)
	}
	return f
}

// add queues a run, or returns the one with its id that is there already.
func (r *runs) add(n *run) (known *run, first bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.known == nil {
		r.known, r.queues, r.ended = map[string]*run{}, map[string][]*run{}, map[string]string{}
	}
	key := runKey(n.peer.Key, n.id)
	if old := r.known[key]; old != nil {
		return old, false, nil
	}
	q := r.queues[n.peer.Key]
	if len(q) >= mostWaiting {
		return nil, false, failure{http.StatusTooManyRequests, "too_many", "too many prompts wait in this session"}
	}
	if len(r.order) >= mostKnown {
		i := slices.IndexFunc(r.order, func(key string) bool { return r.known[key].over() })
		if i < 0 {
			return nil, false, failure{http.StatusTooManyRequests, "too_many", "too many prompts wait"}
		}
		delete(r.known, r.order[i])
		r.order = slices.Delete(r.order, i, i+1)
	}
	r.known[key] = n
	r.order = append(r.order, key)
	r.queues[n.peer.Key] = append(q, n)
	r.started++
	return n, len(q) == 0, nil
}

// last returns the id of the run that ended last in a session, "" for none.
func (r *runs) last(key string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ended[key]
}

// next takes the first run of a session away and returns the one behind it.
func (r *runs) next(key string) *run {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.ended) >= mostKnown {
		clear(r.ended)
	}
	r.ended[key] = r.queues[key][0].id
	q := r.queues[key][1:]
	if len(q) == 0 {
		delete(r.queues, key)
		return nil
	}
	r.queues[key] = q
	return q[0]
}

func (r *runs) get(session, id string) *run {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.known[runKey(session, id)]
}

// all returns the runs of a session that are not over, the one that works first.
func (r *runs) all(session string) []*run {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(r.queues[session]), func(n *run) bool {
		n.mu.Lock()
		defer n.mu.Unlock()
		return !n.ended.IsZero()
	})
}
