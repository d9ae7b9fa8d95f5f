package ids

import (
	"strconv"

	"hygeia/hygiene"
	"hygeia/transcript"
)

// namer gives ids to calls in list order.
type namer struct {
	run    *hygiene.Run
	form   *form
	native []func(id string) bool // other ids that stay
	openai bool                   // repetitions are spelled call_…
	ids    map[string]mark
	turn   int  // the turn whose calls get their ids
	whole  bool // all of them stay
}

// mark is what is known of one id.
type mark struct {
	times int32 // how many calls came with it
	used  bool  // a call goes out with it
}

// newNamer returns a namer for a list of about that many calls.
func newNamer(r *hygiene.Run, calls int) *namer {
	p := r.Policy
	n := &namer{run: r, form: formOf(p, r.Context.Request), ids: make(map[string]mark, calls), turn: -1}
	if n.form.native && p.PreserveNativeAnthropicToolUseIDs {
		n.native = append(n.native, isNativeAnthropic)
	}
	if n.form.native && p.DuplicateToolCallIDStyle == "openai" {
		n.openai = true
		n.native = append(n.native, isNativeOpenAI)
	}
	if p.KeepKimiToolCallIDs && n.form.kimi {
		n.native = append(n.native, isShortKimi)
	}
	return n
}

// name is the callids.Namer of the pass.
func (n *namer) name(message, block int, id string) (string, hygiene.Edit) {
	if block >= 0 && message != n.turn {
		n.turn, n.whole = message, n.reserve(n.run.At(message))
	}
	m := n.ids[id]
	m.times++
	if block >= 0 && n.whole || m.times == 1 && !m.used && n.stays(id) {
		m.used = true
		n.ids[id] = m
		return id, hygiene.Edit{}
	}
	n.ids[id] = m
	fresh, rule := n.derive(id, int(m.times))
	m = n.ids[fresh]
	m.used = true
	n.ids[fresh] = m
	return fresh, hygiene.Edit{Rule: rule, Reason: n.reason(id, fresh)}
}

func (n *namer) reason(id, fresh string) string {
	if n.stays(id) {
		return "id `" + id + "` was used before and becomes `" + fresh + "`"
	}
	return "id `" + id + "` is not " + n.form.legal + " and becomes `" + fresh + "`"
}

// stays reports whether an id may go out as it is.
func (n *namer) stays(id string) bool {
	if n.form.conforms(id) {
		return true
	}
	for _, f := range n.native {
		if f(id) {
			return true
		}
	}
	return false
}

// reserve keeps all ids of a turn whose thinking is replayed, if each is legal
// on the wire and no call has it. A turn whose ids stay anyway needs no
// reservation.
func (n *namer) reserve(m *transcript.Message) bool {
	if !n.form.native || !n.run.Policy.ProviderOwnedThinking || !m.HasThinking() ||
		!m.Any(func(b *transcript.Block) bool { return isCall(b) && !n.stays(b.ID()) }) {
		return false
	}
	var taken []string
	for _, b := range m.Blocks() {
		if !isCall(b) {
			continue
		}
		id := b.ID()
		k := n.ids[id]
		if k.used || !isWire(id, maxNative) && !n.stays(id) {
			for _, id := range taken {
				k := n.ids[id]
				k.used = false
				n.ids[id] = k
			}
			return false
		}
		k.used = true
		n.ids[id] = k
		taken = append(taken, id)
	}
	return true
}

func isCall(b *transcript.Block) bool { return b.IsToolCall() && b.ID() != "" }

// derive returns an id for the call that is the times-th with that id, and the
// rule that made it.
func (n *namer) derive(id string, times int) (fresh, rule string) {
	if n.openai && times > 1 || len(id) > maxNative && n.run.Policy.KeepKimiToolCallIDs && n.form.kimi && isKimi(id) {
		return n.openaiStyle(id, times), "R-65"
	}
	seed := id
	if times > 1 {
		seed += ":" + strconv.Itoa(times)
	}
	base := n.form.base(seed)
	fresh = base
	for attempt := 1; n.ids[fresh].used; attempt++ {
		fresh = n.form.again(seed, base, attempt)
	}
	return fresh, n.form.rule
}

// openaiStyle is the spelling of R-65.
func (n *namer) openaiStyle(id string, times int) string {
	for attempt := 0; ; attempt++ {
		fresh := "call_" + digest(id+":"+strconv.Itoa(times)+":"+strconv.Itoa(attempt), 24)
		if !n.ids[fresh].used {
			return fresh
		}
	}
}
