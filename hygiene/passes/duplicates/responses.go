package duplicates

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"strings"

	"hygeia/hygiene"
	"hygeia/hygiene/passes/internal/neighbours"
	"hygeia/hygiene/passes/internal/pairs"
	"hygeia/hygiene/passes/internal/results"
	"hygeia/hygiene/passes/internal/turns"
	"hygeia/internal/texts"
	"hygeia/transcript"
)

// responses are the turns in front that have a responseId. All of them count,
// not only the first of an id: a later pass may join that one with another turn,
// and then a second run would compare with the next (G-2).
type responses struct {
	run   *hygiene.Run
	first map[string]*original // the first turn of an id, as long as it is the only one
	said  map[speech]*original // who has said something first, once an id came again
}

// original is a turn that others may repeat.
type original struct {
	at      int
	turn    *transcript.Message
	answers map[string]int // results of its calls by call id, stand-ins left out; nil until needed
}

// speech is what a turn with a responseId says.
type speech [sha256.Size]byte

// drop drops turn i if it says nothing new beside the turns of the same
// responseId, with the results that repeat those of the earlier turn.
func (w *responses) drop(i int) bool {
	m := w.run.At(i)
	id := responseOf(m)
	if id == "" {
		return false
	}
	switch o, again := w.first[id]; {
	case !again:
		return false
	case o != nil:
		w.first[id] = nil
		w.learn(id, o)
	}
	o := w.repeated(id, m)
	if o == nil {
		return false
	}
	w.run.Drop(i, hygiene.Edit{
		Rule: "R-120", Reason: "response `" + id + "` stands in an earlier turn",
		Lossy: neighbours.LosesThinking(m, o.turn),
	})
	w.dropResults(o, i)
	return true
}

// add takes turn i for one that others may repeat; m is what it says or said.
func (w *responses) add(i int, m *transcript.Message) {
	id := responseOf(m)
	if id == "" {
		return
	}
	if w.first == nil {
		w.first = make(map[string]*original, (w.run.Len()-i)/2+1)
		w.said = map[speech]*original{}
	}
	o := &original{at: i, turn: m}
	if _, again := w.first[id]; again {
		w.learn(id, o)
		return
	}
	w.first[id] = o
}

// responseOf returns the id of a response, "" for a turn that is none: one that
// says nothing may be joined with another (G-2).
func responseOf(m *transcript.Message) string {
	if len(m.Blocks()) == 0 || turns.FailedEmpty(m) {
		return ""
	}
	return strings.TrimSpace(m.ResponseID())
}

// The parts of a turn that a copy may repeat.
const (
	whole = iota
	textAndCalls
	textAlone
	callsAlone
	nothing
)

// learn remembers all that a copy of the turn could say.
func (w *responses) learn(id string, o *original) {
	for part := range nothing + 1 {
		if s := speechOf(id, o.turn, part); w.said[s] == nil {
			w.said[s] = o
		}
	}
}

// repeated returns the turn that says all that m says: the same text or none,
// the same calls or none. Thinking beside them does not count, since a later
// pass may take it away, and a turn that stands for nothing but thinking is no
// copy unless it is the same: else a second run would find copies that the first
// did not (G-2).
func (w *responses) repeated(id string, m *transcript.Message) *original {
	text, calls := neighbours.Text(m), m.HasToolCall()
	omitted := texts.IsOmittedReasoning(text)
	if omitted && !calls {
		return nil
	}
	if o := w.said[speechOf(id, m, whole)]; o != nil {
		return o
	}
	if m.Any(other) {
		return nil
	}
	switch said := text != "" && !omitted; {
	case said && calls:
		return w.said[speechOf(id, m, textAndCalls)]
	case said:
		return w.said[speechOf(id, m, textAlone)]
	case calls:
		return w.said[speechOf(id, m, callsAlone)]
	case m.HasThinking():
		return nil
	}
	return w.said[speechOf(id, m, nothing)]
}

// other reports whether a block is neither text, thinking nor a call.
func other(b *transcript.Block) bool { return !b.IsText() && !b.IsThinking() && !b.IsToolCall() }

// speechOf returns what a part of a turn says.
func speechOf(id string, m *transcript.Message, part int) speech {
	h := sha256.New()
	write(h, []byte{byte(part)})
	write(h, []byte(id))
	switch part {
	case whole:
		for _, b := range m.Blocks() {
			write(h, b.AppendJSON(nil))
		}
	case textAndCalls, textAlone:
		write(h, []byte(neighbours.Text(m)))
	}
	if part == textAndCalls || part == callsAlone {
		for _, b := range m.Blocks() {
			if b.IsToolCall() {
				write(h, []byte(b.ID()))
				write(h, []byte(b.Name()))
				write(h, canonical(b.Get("arguments")))
			}
		}
	}
	return speech(h.Sum(nil))
}

// write makes the length of a text count, so that no two lists look the same.
func write(h hash.Hash, text []byte) {
	var size [8]byte
	binary.LittleEndian.PutUint64(size[:], uint64(len(text)))
	h.Write(size[:])
	h.Write(text)
}

// dropResults drops the results behind turn i, a copy of the original, whose
// call is answered already.
func (w *responses) dropResults(o *original, i int) {
	r := w.run
	if !pairs.StartsFrame(r.At(i)) {
		return
	}
	answer := func(j int, id string) {
		if _, ok := o.answers[id]; !ok && !results.IsSynthetic(r.At(j)) {
			o.answers[id] = j
		}
	}
	if o.answers == nil {
		o.answers = map[string]int{}
		eachResult(r, o.at, answer)
	}
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
