package results

import "hygeia/transcript"

// Index knows which calls of a list have a real result.
type Index struct{ real map[place]bool }

// place is that of a call in the list it was found in.
type place struct{ message, block int }

// Real reports whether the call at that block of that message has a real
// result.
func (x Index) Real(message, block int) bool { return x.real[place{message, block}] }

// Match finds the calls that have a real result, by occurrence (R-B01): a
// result answers the first call with its id in the turn in front of it that has
// none yet; one whose id is unknown there answers a call of an earlier turn if
// exactly one with that id is left; a real result takes the place of a
// stand-in; one without id answers the only call of a turn. Tool-call
// blocks for which isCall says no are passed over.
func Match(messages []*transcript.Message, isCall func(*transcript.Message, *transcript.Block) bool) Index {
	x := &matcher{real: map[place]bool{}, earlier: map[string][]*call{}}
	for i, m := range messages {
		switch m.Role() {
		case transcript.Assistant:
			x.assistant(i, m, isCall)
		case transcript.ToolResult:
			x.result(m)
		}
	}
	return Index{x.real}
}

// matcher is the state of one walk. A frame is an assistant turn with calls up
// to the next one.
type matcher struct {
	real    map[place]bool
	frame   []*call
	ids     map[string]*queue  // the calls of the frame
	earlier map[string][]*call // calls of closed frames without a real result
}

// call is one occurrence of a call.
type call struct {
	place
	id, name string
	answered bool // at least by a stand-in
}

// queue holds the calls of a frame that share an id, in order.
type queue struct {
	calls []*call
	next  int // the first that no result has claimed
	weak  int // no call before it can still be without a real result
}

func (x *matcher) assistant(i int, m *transcript.Message, isCall func(*transcript.Message, *transcript.Block) bool) {
	var frame []*call
	for j, b := range m.Blocks() {
		if b.IsToolCall() && isCall(m, b) {
			frame = append(frame, &call{place: place{i, j}, id: b.ID(), name: b.Name()})
		}
	}
	if frame == nil {
		return
	}
	for _, c := range x.frame {
		if !x.real[c.place] {
			x.earlier[c.id] = append(x.earlier[c.id], c)
		}
	}
	x.frame, x.ids = frame, make(map[string]*queue, len(frame))
	for _, c := range frame {
		q := x.ids[c.id]
		if q == nil {
			q = &queue{}
			x.ids[c.id] = q
		}
		q.calls = append(q.calls, c)
	}
}

func (x *matcher) result(m *transcript.Message) {
	id, real := m.ToolCallID(), !IsSynthetic(m)
	switch q := x.ids[id]; {
	case id == "":
		x.adopt(m, real)
	case q == nil:
		if left := x.earlier[id]; len(left) == 1 {
			x.claim(left[0], real)
			if real {
				delete(x.earlier, id)
			}
		}
	case q.next < len(q.calls):
		x.claim(q.calls[q.next], real)
		q.next++
	case real:
		for q.weak < len(q.calls) && x.real[q.calls[q.weak].place] {
			q.weak++
		}
		if q.weak < len(q.calls) {
			x.claim(q.calls[q.weak], true)
		}
	}
}

// adopt takes a result without id for that of the only call of the frame,
// unless both names are known and differ.
func (x *matcher) adopt(m *transcript.Message, real bool) {
	if len(x.frame) != 1 || x.frame[0].answered {
		return
	}
	c := x.frame[0]
	if name := m.ToolName(); name == "" || c.name == "" || name == c.name {
		x.claim(c, real)
		x.ids[c.id].next = 1
	}
}

func (x *matcher) claim(c *call, real bool) {
	c.answered = true
	if real {
		x.real[c.place] = true
	}
}
