package session

import (
	"slices"

	"hygeia/internal/texts"
	"hygeia/transcript"
)

// Where a list of messages may be cut in two (C-03). A cut in front of message i
// means that i and all behind it stay.

// cuts says in front of which messages a cut is legal: of no result, and nowhere
// between a call and what answers it or may still do so.
func cuts(list []*transcript.Message) []bool {
	legal := make([]bool, len(list))
	for i, m := range list {
		legal[i] = !m.Is(transcript.ToolResult)
	}
	closed := 0 // from where on no round is known to reach further
	for _, r := range rounds(list) {
		for i := max(r.from+1, closed); i <= r.to; i++ {
			legal[i] = false
		}
		closed = max(closed, r.to+1)
	}
	return legal
}

// round is a turn with calls and the last message that answers one of them.
type round struct {
	from, to int
	calls    map[string]*callsOf
}

// callsOf are the calls of a turn with one id.
type callsOf struct {
	silent  int // without any result
	waiting int // without a real one
}

// rounds finds the turns with calls and what answers them, as the pairing of a
// replay does (R-B01), in the order of the turns. The last one goes on to the end
// of the list as long as a result may still come.
func rounds(list []*transcript.Message) []round {
	var found []round
	waiting := map[string][]int{} // id of a call → rounds that have no result for it
	for i, m := range list {
		switch {
		case m.Is(transcript.Assistant) && m.HasToolCall():
			r := round{i, i, map[string]*callsOf{}}
			for _, b := range m.Blocks() {
				if b.IsToolCall() {
					r.call(b.ID())
				}
			}
			for id := range r.calls {
				waiting[id] = append(waiting[id], len(found))
			}
			found = append(found, r)
		case m.Is(transcript.ToolResult) && len(found) > 0:
			id := m.ToolCallID()
			if at := answered(found, waiting[id], id); at >= 0 {
				found[at].to = i
				if found[at].calls[id].answer(isStandIn(m)) {
					waiting[id] = without(waiting[id], at)
				}
			}
		}
	}
	if n := len(found) - 1; n >= 0 && found[n].silent() && !over(list[found[n].from:]) {
		found[n].to = len(list) - 1
	}
	return found
}

func (r *round) call(id string) {
	c := r.calls[id]
	if c == nil {
		c = &callsOf{}
		r.calls[id] = c
	}
	c.silent++
	c.waiting++
}

// silent reports whether a call has no result at all.
func (r *round) silent() bool {
	for _, c := range r.calls {
		if c.silent > 0 {
			return true
		}
	}
	return false
}

// answer notes a result, and says whether that was the last one to wait for. A
// stand-in leaves its call waiting for the real one.
func (c *callsOf) answer(standIn bool) bool {
	c.silent = max(0, c.silent-1)
	if standIn || c.waiting == 0 {
		return false
	}
	c.waiting--
	return c.waiting == 0
}

// answered returns the round that a result with that id belongs to: the newest
// if it has such a call, else the only one that still waits for it, -1 for none.
func answered(found []round, waiting []int, id string) int {
	last := len(found) - 1
	switch {
	case found[last].calls[id] != nil:
		return last
	case len(waiting) == 1:
		return waiting[0]
	}
	return -1
}

// without takes n out of a list, near whose end it mostly stands.
func without(list []int, n int) []int {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i] == n {
			return slices.Delete(list, i, i+1)
		}
	}
	return list
}

// isStandIn reports whether a result stands for one that is missing (D-03).
func isStandIn(m *transcript.Message) bool {
	d := m.Get("details").Object()
	if d.Get("openclawSyntheticMissingToolResult").Bool() || d.Get("synthetic").Bool() {
		return true
	}
	text := m.Text().String()
	if b := m.Blocks(); len(b) == 1 {
		text = b[0].Text()
	}
	return m.IsError() && texts.IsSyntheticResultText(text)
}

// over reports whether no result is to be expected any more for the turn that a
// list begins with: it failed, or the model spoke again.
func over(list []*transcript.Message) bool {
	return list[0].Failed() || slices.ContainsFunc(list[1:], func(m *transcript.Message) bool {
		return m.Is(transcript.Assistant) && !isArtefact(m)
	})
}

// cutFor returns in front of which message to cut so that about keep tokens stay:
// the first legal place at or behind the one where they are reached, else the
// last one in front of it, since a round is never cut. It is 0 where all stays.
func cutFor(list []*transcript.Message, legal []bool, keep int) int {
	at, n := len(list), 0
	for at > 0 && n < keep {
		at--
		n += EstimateTokens(list[at])
	}
	if n < keep {
		return 0
	}
	for i := at; i < len(list); i++ {
		if legal[i] {
			return i
		}
	}
	for at > 0 && !legal[at] {
		at--
	}
	return at
}

// turnStart returns the index of the message that began the turn which a cut in
// front of message at splits, at itself if it splits none.
func turnStart(list []*transcript.Message, at int) int {
	for i := at; i >= 0; i-- {
		if list[i].SpeaksAsUser() {
			return i
		}
	}
	return at
}
