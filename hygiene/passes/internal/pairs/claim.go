package pairs

import "hygeia/hygiene/passes/internal/results"

// open starts the frame of turn i.
func (t *Table) open(i int) {
	t.current = len(t.Frames)
	from := len(t.calls)
	for j, b := range t.messages[i].Blocks() {
		if IsCall(b) {
			t.add(j, b.ID())
		}
	}
	t.Frames = append(t.Frames, Frame{At: i, from: from, to: len(t.calls)})
}

// add puts a call into the frame that is open.
func (t *Table) add(block int, id string) {
	if t.ids == nil {
		t.ids = map[string]*state{}
	}
	s, n := t.ids[id], len(t.calls)
	switch {
	case s == nil:
		s = &state{frame: t.current, free: n, weak: n}
		t.ids[id] = s
	case s.frame != t.current:
		s.frame, s.free, s.weak = t.current, n, n
	default:
		t.calls[s.last].next = n
	}
	s.last = n
	t.calls = append(t.calls, Call{Block: block, Result: -1, id: s, next: -1})
}

// close ends the frame that is open: calls of it without a real result can be
// answered only by displaced ones from now on.
func (t *Table) close() {
	if t.current < 0 {
		return
	}
	f := t.Frames[t.current]
	for n := f.from; n < f.to; n++ {
		if c := &t.calls[n]; !c.real {
			c.id.open++
			c.id.only = n
		}
	}
	t.current = -1
}

// result finds the call that message i answers.
func (t *Table) result(i int) {
	m := t.messages[i]
	id, real := m.ToolCallID(), !results.IsSynthetic(m)
	if id == "" {
		t.adopt(i, real)
		return
	}
	switch s := t.ids[id]; {
	case s != nil && t.current >= 0 && s.frame == t.current:
		t.inFrame(s, i, real)
	case s != nil && s.open == 1:
		t.displaced(s, i, real)
	case s != nil && s.open > 1:
		t.unused(i, Ambiguous, s.open)
	case t.started:
		t.unused(i, Orphaned, -1)
	default:
		t.unused(i, Early, -1)
	}
}

// inFrame finds the place of message i, whose id a call of its frame has. A real
// result that this frame has no use for can be that of the one earlier call
// without any: a failed turn that stood between them may be gone by now, and
// whether it is must not matter (G-2).
func (t *Table) inFrame(s *state, i int, real bool) {
	switch {
	case t.claimIn(s, i, real):
	case real && s.open == 1:
		t.displaced(s, i, real)
	default:
		t.unused(i, Surplus, t.calls[s.last].Result)
	}
}

// claimIn gives message i to the first call with its id in its own frame that
// nothing claimed, or lets it take the place of a stand-in there.
func (t *Table) claimIn(s *state, i int, real bool) bool {
	if s.free >= 0 {
		c := &t.calls[s.free]
		c.claim(i, real)
		c.Rivals = s.open
		s.free = c.next
		return true
	}
	for real && s.weak >= 0 && t.calls[s.weak].real {
		s.weak = t.calls[s.weak].next
	}
	if !real || s.weak < 0 {
		return false
	}
	t.replace(s.weak, i)
	t.calls[s.weak].Rivals = s.open
	return true
}

// displaced gives message i to the one call of an earlier frame that it can
// belong to.
func (t *Table) displaced(s *state, i int, real bool) {
	switch c := &t.calls[s.only]; {
	case c.Result < 0:
		c.claim(i, real)
	case real:
		t.replace(s.only, i)
	default:
		t.unused(i, Surplus, c.Result)
	}
	if real {
		s.open = 0
	}
}

// adopt takes a result without id for that of the only call of its frame,
// unless both name a tool and the names differ.
func (t *Table) adopt(i int, real bool) {
	if t.current < 0 {
		t.unused(i, Early, -1)
		return
	}
	f := t.Frames[t.current]
	n, name := f.from, t.messages[i].ToolName()
	call := t.messages[f.At].Blocks()[t.calls[n].Block]
	if f.to-f.from != 1 || name != "" && call.Name() != "" && name != call.Name() {
		t.unused(i, Nameless, -1)
		return
	}
	if s := t.calls[n].id; !t.claimIn(s, i, real) {
		t.unused(i, Surplus, t.calls[s.last].Result)
	}
}

func (c *Call) claim(result int, real bool) { c.Result, c.real = result, real }

// replace gives call n, which a stand-in answers, the real result i.
func (t *Table) replace(n, i int) {
	t.unused(t.calls[n].Result, GaveWay, i)
	t.calls[n].claim(i, true)
}

func (t *Table) unused(i int, why Why, other int) {
	t.Unused = append(t.Unused, Unused{Result: i, Why: why, Other: other})
}
