// Package callids gives tool calls other ids and writes them into the results of
// these calls (W-174). A pass hands [Rewrite] its run and a [Namer], which says for
// each call what it is called from now on and why; the changes go through the run.
package callids

import (
	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// Namer says which id a call gets, and why if it is another one. It is asked
// once for each call in list order; message and block are its place. For a
// result that no call waits for, which does not occur in paired lists, block
// is -1.
type Namer func(message, block int, id string) (string, hygiene.Edit)

// Rewrite gives every call of the list the id that name says, and each result
// that of its call: behind a turn in which the results follow the calls in
// order, by place (R-B02); otherwise the first call with the result's id that
// no result took.
func Rewrite(r *hygiene.Run, name Namer) {
	w := rewriter{run: r, name: name}
	for i := range r.Len() {
		switch m := r.At(i); {
		case m.Is(transcript.Assistant):
			w.assistant(i, m)
		case m.Is(transcript.ToolResult):
			w.result(i, m)
		}
	}
}

// Results returns the number of tool results, about that of the calls.
func Results(r *hygiene.Run) int {
	n := 0
	for i := range r.Len() {
		if r.At(i).Is(transcript.ToolResult) {
			n++
		}
	}
	return n
}

// named is a call with its old and its new id.
type named struct {
	old, new string
	edit     hygiene.Edit
}

type rewriter struct {
	run     *hygiene.Run
	name    Namer
	turn    []named            // the calls of the last turn
	next    int                // the first of them that no result took
	waiting map[string][]named // calls whose results did not follow in order
}

func (w *rewriter) assistant(i int, m *transcript.Message) {
	w.wait()
	if !m.HasToolCall() {
		return
	}
	var blocks *hygiene.Blocks
	for j, b := range m.Blocks() {
		if !b.IsToolCall() {
			continue
		}
		n := named{old: b.ID()}
		if n.old == "" {
			continue
		}
		n.new, n.edit = w.name(i, j, n.old)
		w.turn = append(w.turn, n)
		if n.new == n.old {
			continue
		}
		if blocks == nil {
			blocks = w.run.Blocks(i)
		}
		blocks.Replace(j, b.With("id", jsonline.Text(n.new)), n.edit)
	}
	if blocks != nil {
		blocks.Done()
	}
}

func (w *rewriter) result(i int, m *transcript.Message) {
	n, id := named{}, m.ToolCallID()
	switch {
	case id == "":
		return
	case len(w.waiting) == 0 && w.next < len(w.turn) && w.turn[w.next].old == id:
		n = w.turn[w.next]
		w.next++
	default:
		n = w.take(i, id)
	}
	if n.new != id {
		w.run.Replace(i, withID(m, n.new), n.edit)
	}
}

// wait keeps the calls of the last turn for results that stand elsewhere.
func (w *rewriter) wait() {
	for _, n := range w.turn[w.next:] {
		if w.waiting == nil {
			w.waiting = map[string][]named{}
		}
		w.waiting[n.old] = append(w.waiting[n.old], n)
	}
	w.turn, w.next = w.turn[:0], 0
}

// take returns the first waiting call with that id, or gives the result i an id
// of its own if there is none.
func (w *rewriter) take(i int, id string) named {
	w.wait()
	queue := w.waiting[id]
	if len(queue) == 0 {
		n := named{old: id}
		n.new, n.edit = w.name(i, -1, id)
		return n
	}
	if len(queue) == 1 {
		delete(w.waiting, id)
	} else {
		w.waiting[id] = queue[1:]
	}
	return queue[0]
}

// withID returns a result with that id in every member that holds one, and in
// toolCallId.
func withID(m *transcript.Message, id string) *transcript.Message {
	v := jsonline.Text(id)
	for _, name := range transcript.ResultIDNames[1:] {
		if m.Get(name).Exists() {
			m = m.With(name, v)
		}
	}
	return m.With(transcript.ResultIDNames[0], v)
}
