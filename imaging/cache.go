package imaging

import (
	"container/list"
	"context"
	"errors"
	"sync"
)

// key names the work on one picture: what it is, by its bytes, and what becomes
// of it.
type key struct {
	sum               Sum
	side, most        int
	png, jpeg, verify bool
	strip, turn       bool
	scope             string
}

func keyOf(sum Sum, v *Verdict, l Limits) key {
	return key{
		sum: sum, side: l.Side(), most: l.MaxFile(), png: l.Takes(PNG), jpeg: l.Takes(JPEG),
		verify: v.Verify, strip: l.StripMetadata, turn: l.Turn, scope: l.Scope,
	}
}

// cache remembers results, the ones used last, up to a number of bytes. Work
// that is asked for twice at the same time is done once.
type cache struct {
	mu   sync.Mutex
	free int // bytes
	used list.List
	of   map[key]*list.Element
}

// made is a picture that was worked on. Without data, the one that came in stays.
type made struct {
	Picture
	quality int // of a JPEG that was encoded, 0 for any other picture
}

// entry is one result. It is there when done is closed.
type entry struct {
	key  key
	done chan struct{}
	made made
	err  error
}

// entrySize is what an entry takes beside its picture, in bytes.
const entrySize = 512

func (e *entry) size() int { return entrySize + len(e.made.Data) }

// get returns the result of work, from memory if it is there. Results that end
// with an error of the context are not kept.
func (c *cache) get(ctx context.Context, k key, work func() (made, error)) (made, error) {
	for {
		e, found := c.entry(k)
		if !found {
			e.made, e.err = work()
			c.settle(e)
			return e.made, e.err
		}
		select {
		case <-e.done:
		case <-ctx.Done():
			return made{}, ctx.Err()
		}
		if !cancelled(e.err) { // else the other one gave up
			return e.made, e.err
		}
		if ctx.Err() != nil {
			return made{}, ctx.Err()
		}
	}
}

func cancelled(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// entry returns the entry of a key, or puts in a new one.
func (c *cache) entry(k key) (e *entry, found bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at := c.of[k]; at != nil {
		c.used.MoveToFront(at)
		return at.Value.(*entry), true
	}
	if c.of == nil {
		c.of = map[key]*list.Element{}
	}
	e = &entry{key: k, done: make(chan struct{})}
	c.of[k] = c.used.PushFront(e)
	c.free -= entrySize
	return e, false
}

// settle makes a result known and makes room for it.
func (c *cache) settle(e *entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	close(e.done)
	if cancelled(e.err) {
		c.remove(c.of[e.key], entrySize)
		return
	}
	c.free -= e.size() - entrySize
	for at := c.used.Back(); at != nil && c.free < 0; {
		old := at.Value.(*entry)
		at = at.Prev()
		select {
		case <-old.done:
			c.remove(c.of[old.key], old.size())
		default: // still at work
		}
	}
}

func (c *cache) remove(at *list.Element, size int) {
	delete(c.of, at.Value.(*entry).key)
	c.used.Remove(at)
	c.free += size
}
