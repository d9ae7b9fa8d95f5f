package duplicates

import (
	"strings"

	"hygeia/hygiene"
	"hygeia/hygiene/passes/internal/neighbours"
	"hygeia/hygiene/passes/internal/pairs"
	"hygeia/hygiene/passes/internal/results"
	"hygeia/hygiene/passes/internal/turns"
	"hygeia/internal/texts"
	"hygeia/transcript"
)

// original is a turn whose responseId came again.
type original struct {
	turn    *transcript.Message
	text    string
	calls   []*call
	answers map[string]int // results of its calls by call id, stand-ins left out
}

// repeatedResponses drops turns that repeat an earlier response, and the
// results that repeat those of its calls.
func repeatedResponses(r *hygiene.Run) {
	var first map[string]int // turn by responseId
	originals := map[int]*original{}
	for i := range r.Len() {
		m := r.At(i)
		if !m.Is(transcript.Assistant) || len(m.Blocks()) == 0 || turns.FailedEmpty(m) {
			continue // a turn that says nothing is no response, and may be joined with another (G-2)
		}
		id := strings.TrimSpace(m.ResponseID())
		if id == "" {
			continue
		}
		if first == nil {
			first = make(map[string]int, (r.Len()-i)/2+1)
		}
		at, seen := first[id]
		if !seen {
			first[id] = i
			continue
		}
		o := originals[at]
		if o == nil {
			o = newOriginal(r, at)
			originals[at] = o
		}
		if o.repeatedBy(m) {
			r.Drop(i, hygiene.Edit{
				Rule: "R-120", Reason: "response `" + id + "` stands in an earlier turn",
				Lossy: neighbours.LosesThinking(m, o.turn),
			})
			o.dropResults(r, i)
		}
	}
}

func newOriginal(r *hygiene.Run, i int) *original {
	o := &original{turn: r.At(i), text: neighbours.Text(r.At(i)), answers: map[string]int{}}
	for _, b := range o.turn.Blocks() {
		if b.IsToolCall() {
			o.calls = append(o.calls, &call{block: b})
		}
	}
	eachResult(r, i, o.answer(r))
	return o
}

// answer returns a function that takes result j for that of the call unless
// there is one.
func (o *original) answer(r *hygiene.Run) func(j int, id string) {
	return func(j int, id string) {
		if _, ok := o.answers[id]; !ok && !results.IsSynthetic(r.At(j)) {
			o.answers[id] = j
		}
	}
}

// repeatedBy reports whether a turn says nothing new: its text is the same or
// blank, its calls are the same or none. Thinking beside them does not count,
// since a later pass may take it away, and a turn that stands for nothing but
// thinking is no copy unless it is the same: else a second run would find
// copies that the first did not (G-2).
func (o *original) repeatedBy(m *transcript.Message) bool {
	text := neighbours.Text(m)
	omitted := texts.IsOmittedReasoning(text)
	switch {
	case omitted && !m.HasToolCall():
		return false
	case results.Same(o.turn, m):
		return true
	case omitted:
		text = ""
	}
	if text != "" && text != o.text {
		return false
	}
	n := 0
	for _, b := range m.Blocks() {
		switch {
		case b.IsText(), b.IsThinking():
		case !b.IsToolCall(), n == len(o.calls), !o.calls[n].same(b):
			return false
		default:
			n++
		}
	}
	if n == 0 && text == "" && m.HasThinking() {
		return false
	}
	return n == 0 || n == len(o.calls)
}

// dropResults drops the results behind turn i, a copy of the original, whose
// call is answered already.
func (o *original) dropResults(r *hygiene.Run, i int) {
	answer := o.answer(r)
	eachResult(r, i, func(j int, id string) {
		kept, ok := o.answers[id]
		if !ok {
			answer(j, id)
			return
		}
		r.Drop(j, hygiene.Edit{
			Rule: "R-120", Reason: "the result of call `" + id + "` stands behind the earlier turn",
			Lossy: !results.IsSynthetic(r.At(j)) && !results.Same(r.At(j), r.At(kept)),
		})
	})
}

// eachResult calls f for the results in the frame of turn i that name one of
// its calls.
func eachResult(r *hygiene.Run, i int, f func(j int, id string)) {
	var ids map[string]bool
	for j := i + 1; j < r.Len() && !pairs.StartsFrame(r.At(j)); j++ {
		if !r.At(j).Is(transcript.ToolResult) {
			continue
		}
		if ids == nil {
			ids = callIDs(r.At(i))
		}
		if id := r.At(j).ToolCallID(); ids[id] {
			f(j, id)
		}
	}
}

func callIDs(m *transcript.Message) map[string]bool {
	ids := map[string]bool{}
	for _, b := range m.Blocks() {
		if pairs.IsCall(b) {
			ids[b.ID()] = true
		}
	}
	return ids
}
