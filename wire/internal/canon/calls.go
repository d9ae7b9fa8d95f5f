package canon

import "strconv"

// Calls pairs calls and results where the format may do without ids: then they
// belong together by name and order.
type Calls struct {
	n    int    // so far
	open []call // of the newest turn
}

type call struct{ id, name string }

// Unnamed marks a call or result whose id did not stand in the body.
const Unnamed = `,"unnamed":true`

// Turn begins a turn of the model: results of earlier calls do not follow.
func (c *Calls) Turn() { c.open = c.open[:0] }

// Call returns the id of a call, and whether it had none: then it gets "callN", N
// counting from the start of the body.
func (c *Calls) Call(id, name string) (named string, unnamed bool) {
	c.n++
	if unnamed = id == ""; unnamed {
		id = "call" + strconv.Itoa(c.n)
	}
	c.open = append(c.open, call{id, name})
	return id, unnamed
}

// Answer returns the id of the call that a result belongs to, and whether the
// result had none: then it is that of the first open call of that name, or of any
// name where the result names no tool. A result without a call gets an id that no
// call has.
func (c *Calls) Answer(id, name string) (answered string, unnamed bool) {
	for i, open := range c.open {
		if open.id == id || id == "" && (open.name == name || name == "") {
			c.open = append(c.open[:i:i], c.open[i+1:]...)
			return open.id, id == ""
		}
	}
	if id != "" {
		return id, false
	}
	return "result" + strconv.Itoa(c.n) + name, true
}
