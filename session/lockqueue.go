package session

import "sync"

// queues are the locks that this process has or waits for, by the path of the
// lock file. Within the process they queue here, in the order in which they come
// (F-44).
var queues = struct {
	sync.Mutex
	of map[string]*queue
}{of: map[string]*queue{}}

// queue is one lock in this process.
type queue struct {
	turn  chan struct{} // full while somebody has the lock or asks the file for it
	users int           // who have it or wait for it
	hold  *hold         // nil while nobody has it
}

// enter joins the queue for a lock. If it may be shared and somebody here has it
// and may still write, that is returned instead.
func enter(name string, share bool) (*queue, *hold) {
	queues.Lock()
	defer queues.Unlock()
	q := queues.of[name]
	if q == nil {
		q = &queue{turn: make(chan struct{}, 1)}
		queues.of[name] = q
	}
	if h := q.hold; share && h != nil && h.refs > 0 && h.usable() {
		h.refs++
		return q, h
	}
	q.users++
	return q, nil
}

// usable reports whether the holder may write, as far as this process knows. It
// does not wait for one that does.
func (h *hold) usable() bool {
	if !h.mu.TryLock() {
		return true
	}
	defer h.mu.Unlock()
	return h.err == nil
}

// occupy says that h has the lock.
func (q *queue) occupy(h *hold) {
	queues.Lock()
	defer queues.Unlock()
	h.refs, q.hold = 1, h
}

// drop takes one of those away who share h. It reports whether that was the
// last.
func (q *queue) drop(h *hold) bool {
	queues.Lock()
	defer queues.Unlock()
	h.refs--
	return h.refs == 0
}

// leave ends what enter began.
func (q *queue) leave(name string, had bool) {
	queues.Lock()
	defer queues.Unlock()
	if had {
		q.hold = nil
		<-q.turn
	}
	if q.users--; q.users == 0 {
		delete(queues.of, name)
	}
}

// holds returns the locks of this process.
func holds() (list []*hold) {
	queues.Lock()
	defer queues.Unlock()
	for _, q := range queues.of {
		if q.hold != nil {
			list = append(list, q.hold)
		}
	}
	return list
}
