package canon

import "strconv"

// Calls pairs calls and results where the format may do without ids: then they
// belong together by name and order. Each step takes the same time however many
// calls a turn has.
type Calls struct {
	n      int    // so far
	open   []call // of the newest turn
	next   int    // all in front of it have their result
	byID   map[string]int
	byName map[string][]int // in order
}

type call struct {
	id       string
	answered bool
}

// Unnamed marks a call or result whose id did not stand in the body.
const Unnamed = `,"unnamed":true`

// Turn begins a turn of the model: results of earlier calls do not follow.
func (c *Calls) Turn() { *c = Calls{n: c.n, open: c.open[:0]} }

// Call returns the id of a call, and whether it had none: then it gets "callN", N
// counting from the start of the body.
func (c *Calls) Call(id, name string) (named string, unnamed bool) {
	c.n++
	if unnamed = id == ""; unnamed {
		id = "call" + strconv.Itoa(c.n)
	}
	if c.byID == nil {
		c.byID, c.byName = map[string]int{}, map[string][]int{}
	}
	c.byID[id] = len(c.open)
	c.byName[name] = append(c.byName[name], len(c.open))
	c.open = append(c.open, call{id: id})
	return id, unnamed
}

// Answer returns the id of the call that a result belongs to, and whether the
// result had none: then it is that of the first open call of that name, or of any
// name where the result names no tool. A result without a call gets an id that no
// call has.
func (c *Calls) Answer(id, name string) (answered string, unnamed bool) {
	if id != "" {
		if i, ok := c.byID[id]; ok {
			c.open[i].answered = true
		}
		return id, false
	}
	at := c.first(name)
	if at < 0 {
		return "result" + strconv.Itoa(c.n) + name, true
	}
	c.open[at].answered = true
	return c.open[at].id, true
}

// first returns the index of the first open call of a name, of any for "", and -1
// for none.
func (c *Calls) first(name string) int {
	if name != "" {
		list := c.byName[name]
		for len(list) > 0 && c.open[list[0]].answered {
			list = list[1:]
		}
		if len(list) == 0 {
			delete(c.byName, name)
			return -1
		}
		c.byName[name] = list
		return list[0]
	}
	for c.next < len(c.open) && c.open[c.next].answered {
		c.next++
	}
	if c.next < len(c.open) {
		return c.next
	}
	return -1
}
