package responses

import (
	"sort"

	"hygeia/hygiene"
	"hygeia/policy"
	"hygeia/transcript"
)

// judge decides which reasoning items can be replayed.
type judge struct {
	target    policy.Target
	snapshots []transcript.Snapshot
	ids       bool // item ids are replayed (W-310 a)
	read      reader
}

// reasoning takes the items out of turn i that cannot be replayed. It
// returns the block of the first item with a recorded id that stays, -1 if
// there is none.
func (j *judge) reasoning(r *hygiene.Run, i int, m *transcript.Message) int {
	var lost map[int]string // reason by block
	first, last, foreign, asked := -1, lastOther(m), false, false
	for n, b := range m.Blocks() {
		it, ok := j.read.item(b)
		if !ok {
			continue
		}
		if !asked {
			foreign, asked = !policy.SameRoute(j.route(m), j.target), true
		}
		reason := j.reason(it, foreign, n > last)
		if reason == "" {
			if first < 0 && it.recorded {
				first = n - len(lost)
			}
			continue
		}
		if lost == nil {
			lost = map[int]string{}
		}
		lost[n] = reason
	}
	if lost != nil {
		j.remove(r, i, lost, foreign)
	}
	return first
}

// reason says why an item cannot be replayed, "" if it can.
func (j *judge) reason(it item, foreign, last bool) string {
	switch {
	case foreign:
		return "reasoning item `" + it.id + "` comes from another route"
	case last:
		return "nothing follows reasoning item `" + it.id + "` in its turn"
	case !it.encrypted && !(it.recorded && j.ids):
		return "reasoning item `" + it.id + "` has no encrypted content, and its id is not replayed"
	}
	return ""
}

// remove drops blocks of turn i, or the turn if it holds no other. foreign says
// that they go because of their route.
func (j *judge) remove(r *hygiene.Run, i int, lost map[int]string, foreign bool) {
	m := r.At(i)
	if len(lost) == len(m.Blocks()) {
		r.Drop(i, hygiene.Edit{Rule: "R-81", Reason: "the turn holds only reasoning: " + lost[0], Lossy: true})
		return
	}
	blocks := r.Blocks(i)
	for n, b := range m.Blocks() {
		if reason, ok := lost[n]; ok {
			blocks.Drop(n, hygiene.Edit{Rule: "R-81", Reason: reason, Lossy: true})
			continue
		}
		if !foreign || !b.Is(transcript.TypeText) {
			continue
		}
		if t := j.read.withoutID(b); t != b {
			blocks.Replace(n, t, hygiene.Edit{Rule: "R-81", Reason: "the text belongs to reasoning of another route"})
		}
	}
	blocks.Done()
}

// lastOther returns the index of the last block that is not of type thinking,
// -1 if there is none.
func lastOther(m *transcript.Message) int {
	n := len(m.Blocks()) - 1
	for n >= 0 && m.Blocks()[n].Is(transcript.TypeThinking) {
		n--
	}
	return n
}

// route returns the route of a turn. What the turn does not say itself is taken
// from the snapshot that the branch had then, and from the target if there is
// no snapshot (D-23); what the target does not know cannot differ.
func (j *judge) route(m *transcript.Message) policy.Target {
	at := policy.Target{Provider: m.Provider(), API: m.API(), Model: m.Model()}
	then := j.target
	if len(j.snapshots) > 0 {
		then = policy.Target(j.snapshot(m.Origin.Position))
	}
	for _, f := range []struct {
		own            *string
		snapshot, want string
	}{
		{&at.Provider, then.Provider, j.target.Provider},
		{&at.API, then.API, j.target.API},
		{&at.Model, then.Model, j.target.Model},
	} {
		if *f.own == "" {
			*f.own = f.snapshot
		}
		if *f.own == "" || f.want == "" {
			*f.own = f.want
		}
	}
	return at
}

// snapshot returns the route that the branch had in front of a position: that
// of the newest snapshot there, or of the oldest of all.
func (j *judge) snapshot(position int) transcript.Route {
	n := sort.Search(len(j.snapshots), func(n int) bool { return j.snapshots[n].Position > position })
	return j.snapshots[max(n-1, 0)].Route
}
