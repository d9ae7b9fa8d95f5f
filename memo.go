package hygeia

import (
	"container/list"
	"hash/maphash"
	"net/http"
	"sync"
	"sync/atomic"

	"hygeia/policy"
)

// memo remembers what a Transport has found out, in memory and bounded. Its zero
// value is empty.
type memo struct {
	mu       sync.Mutex
	policies map[Target]*policy.Resolution
	prefixes map[owner]*list.List // of *list.Element of newest, whose Value is an entry
	newest   list.List            // the entries, the one that was used last in front
	bytes    int                  // of bodies in the entries
	learning atomic.Int32         // bodies that are being remembered
}

// owner is whose conversations are remembered together: nothing crosses between
// callers or targets.
type owner struct {
	caller uint64
	target Target
}

// entry is a body that is remembered, with its place in the list of its owner.
type entry struct {
	owner owner
	*prefix
	made  *settled // what became of a body with faults, nil for a clean one
	place *list.Element
}

// size is how many bytes of bodies an entry keeps.
func (e *entry) size() int {
	if e.made == nil {
		return 0
	}
	return len(e.made.body) + len(e.made.tail)
}

// The bounds of what is remembered.
const (
	maxPolicies  = 512
	maxModelName = 256
	maxPrefixes  = 4096     // of all owners
	maxOwned     = 64       // of one
	maxKept      = 64 << 20 // bytes of bodies
	maxLearning  = 64       // bodies that are being remembered
)

// resolve is policy.Resolve for options that are the same in all calls.
func (m *memo) resolve(t Target, o policy.Options) (*policy.Resolution, error) {
	m.mu.Lock()
	res := m.policies[t]
	m.mu.Unlock()
	if res != nil {
		return res, nil
	}
	res, err := policy.Resolve(t, o)
	if err != nil || len(t.Model) > maxModelName {
		return res, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.policies == nil || len(m.policies) >= maxPolicies {
		m.policies = map[Target]*policy.Resolution{}
	}
	m.policies[t] = res
	return res, nil
}

// callerOf returns who sends a request, by the credentials it carries.
func callerOf(r *http.Request) uint64 {
	if r == nil {
		return 0
	}
	var h maphash.Hash
	h.SetSeed(seed)
	for _, name := range []string{"Authorization", "X-Api-Key", "Api-Key", "X-Goog-Api-Key", "Cookie"} {
		_, _ = h.WriteString(r.Header.Get(name))
		_ = h.WriteByte(0)
	}
	_, _ = h.WriteString(r.URL.Query().Get("key"))
	return h.Sum64()
}

// recall returns what becomes of a body, from what is remembered of the one before
// it in its conversation, and remembers it in its place. It is nil unless the
// result is certain to be that of the engine.
func (m *memo) recall(o owner, body []byte, res *policy.Resolution, replay ReplayOptions) *Sanitized {
	for _, e := range m.of(o) {
		if !e.begins(body) {
			continue
		}
		s, next := &Sanitized{Body: body, Target: res.Target}, &entry{owner: o}
		if e.made == nil {
			next.prefix = e.follow(body, o.target)
		} else if next.made, s.Body = e.made.follow(body, res, replay); next.made != nil {
			next.prefix, s.Report, s.names = next.made.in, next.made.report, next.made.names
		}
		if next.prefix == nil {
			return nil
		}
		m.replace(e, next)
		return s
	}
	return nil
}

// of returns what is remembered of an owner, the newest first.
func (m *memo) of(o owner) []*entry {
	m.mu.Lock()
	defer m.mu.Unlock()
	var entries []*entry
	if owned := m.prefixes[o]; owned != nil {
		for e := owned.Front(); e != nil; e = e.Next() {
			entries = append(entries, e.Value.(*list.Element).Value.(*entry))
		}
	}
	return entries
}

// replace puts what a conversation has become in the place of what it was.
func (m *memo) replace(old, e *entry) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.forget(old)
	m.put(e)
}

// meanwhile remembers a body while the answer to it is waited for. A request that
// comes before it is over is answered as if there was nothing to remember.
func (m *memo) meanwhile(learn func()) {
	if m.learning.Add(1) > maxLearning {
		m.learning.Add(-1)
		return
	}
	go func() {
		defer m.learning.Add(-1)
		learn()
	}()
}

// learn remembers a body and what became of it.
func (m *memo) learn(o owner, body []byte, s *Sanitized) {
	if len(o.target.Model) > maxModelName {
		return
	}
	e := &entry{owner: o}
	if !s.Changed() {
		e.prefix = newPrefix(body)
	} else if e.made = newSettled(body, s); e.made != nil {
		e.prefix = e.made.in
	}
	if e.prefix == nil || e.size() > maxKept {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.put(e)
}

// put adds an entry, whose lock the caller holds.
func (m *memo) put(e *entry) {
	if m.prefixes == nil {
		m.prefixes = map[owner]*list.List{}
	}
	owned := m.prefixes[e.owner]
	if owned == nil {
		owned = list.New()
		m.prefixes[e.owner] = owned
	}
	if owned.Len() >= maxOwned {
		m.forget(owned.Back().Value.(*list.Element).Value.(*entry))
	}
	m.bytes += e.size()
	for m.newest.Len() >= maxPrefixes || m.bytes > maxKept && m.newest.Len() > 0 {
		m.forget(m.newest.Back().Value.(*entry))
		if m.prefixes[e.owner] == nil { // it was the last of its owner
			m.prefixes[e.owner] = owned
		}
	}
	e.place = owned.PushFront(m.newest.PushFront(e))
}

// forget takes an entry out; one that is not there any more stays out.
func (m *memo) forget(e *entry) {
	owned := m.prefixes[e.owner]
	if e.place == nil || owned == nil {
		return
	}
	m.newest.Remove(e.place.Value.(*list.Element))
	owned.Remove(e.place)
	e.place = nil
	m.bytes -= e.size()
	if owned.Len() == 0 {
		delete(m.prefixes, e.owner)
	}
}
