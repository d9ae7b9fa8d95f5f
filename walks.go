package hygeia

import (
	"math"
	"slices"

	"hygeia/hygiene"
	"hygeia/hygiene/passes"
)

// places tells where in a report the changes of a rule of a pass stand: in the order in
// which the passes make them.
var places = func() map[[2]string]int {
	const walks = 8 // more than any pass makes
	m := map[[2]string]int{}
	for i, p := range passes.Suite {
		for _, r := range p.Rules {
			m[[2]string{p.Name, r.ID}] = walks*i + r.Walk
		}
	}
	return m
}()

func place(c *hygiene.Change) int {
	if at, ok := places[[2]string{c.Pass, c.Rule}]; ok {
		return at
	}
	return math.MaxInt // of the past, behind the passes
}

// mixed are the passes that mix what they change.
var mixed = func() map[string]bool {
	m := map[string]bool{}
	for _, p := range passes.Suite {
		m[p.Name] = p.Mixed
	}
	return m
}()

// declared are the rules by stage and id.
var declared = func() map[[2]string]hygiene.Rule {
	m := map[[2]string]hygiene.Rule{}
	for _, r := range Rules() {
		m[[2]string{r.Stage, r.ID}] = r.Rule
	}
	return m
}()

func ruleOf(c hygiene.Change) hygiene.Rule { return declared[[2]string{c.Pass, c.Rule}] }

func isFar(c hygiene.Change) bool { return ruleOf(c).Far }

// merge puts the changes in front of a window and those in it into the order in which
// the passes make them. It is not known where both are made by a pass that mixes them.
func merge(front, w []hygiene.Change) (all []hygiene.Change, known bool) {
	all = make([]hygiene.Change, 0, len(front)+len(w))
	if len(w) == 0 {
		return append(all, front...), true
	}
	changed := map[string]bool{}
	for i := range front {
		changed[front[i].Pass] = true
	}
	for i := range w {
		if mixed[w[i].Pass] && changed[w[i].Pass] {
			return nil, false
		}
		n, at := 0, place(&w[i])
		for n < len(front) && place(&front[n]) <= at {
			n++
		}
		all, front = append(append(all, front[:n]...), w[i]), front[n:]
	}
	return append(all, front...), true
}

// inOrder reports whether a converter makes the changes in front of a window, if there
// are any of both, before those in it: it goes over the messages once, or all are made
// on one of its ways.
func (s *steps) inOrder(front, w []hygiene.Change) bool {
	if len(front) == 0 || len(w) == 0 || wireOf(s.input.Target.API).once && !s.input.Policy.Wire.StringContent {
		return true
	}
	walk := ruleOf(w[0]).Walk // 0 is that of any rule that says nothing
	other := func(c hygiene.Change) bool { return ruleOf(c).Walk != walk }
	return walk > 0 && !slices.ContainsFunc(front, other) && !slices.ContainsFunc(w, other)
}
