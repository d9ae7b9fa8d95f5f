package hygeia

import (
	"slices"

	"hygeia/hygiene"
)

// mixed are the passes that go over the list in ways in which the changes of one part
// come between those of another.
var mixed = map[string]bool{"calls": true, "failed": true}

// pairs are the passes that pair calls and results.
var pairs = map[string]bool{"pairing": true, "pairing-again": true}

// later are the rules for which other passes go over the list again, in this order.
var later = map[string]int{
	"R-80": 1, "R-82": 1,
	"R-95": 1, "R-90": 2, "R-92": 3, "R-93": 3,
	"R-27": 4, "R-26": 5, "D-04": 5,
}

// merge puts the changes in front of a window and those in it into the order in which
// the passes make them. It is not known where both are made by a pass that mixes them.
func (s *steps) merge(front, w []hygiene.Change) (all []hygiene.Change, known bool) {
	all = make([]hygiene.Change, 0, len(front)+len(w))
	if len(w) == 0 {
		return append(all, front...), true
	}
	const walks = 8 // more than any pass makes
	place, changed := map[string]int{pastStage: walks * len(s.passes)}, map[string]bool{}
	for i, p := range s.passes {
		place[p.Name] = walks * i
	}
	rank := func(c *hygiene.Change) int {
		again := later[c.Rule]
		if again == 0 && pairs[c.Pass] && c.Op != hygiene.Drop {
			again = 1 // results that answer nothing are left out first
		}
		return place[c.Pass] + again
	}
	for i := range front {
		changed[front[i].Pass] = true
	}
	for i := range w {
		n := 0
		for n < len(front) && rank(&front[n]) <= rank(&w[i]) {
			n++
		}
		if mixed[w[i].Pass] && changed[w[i].Pass] {
			return nil, false
		}
		all, front = append(append(all, front[:n]...), w[i]), front[n:]
	}
	return append(all, front...), true
}

// oneWalk are the APIs whose converters go over the messages once.
var oneWalk = map[string]bool{
	"google-generative-ai": true, "google-vertex": true,
	"openai-completions": true, "mistral-conversations": true, "ollama": true,
	"openai-responses": true, "openai-chatgpt-responses": true, "azure-openai-responses": true,
}

// inOrder reports whether a converter makes the changes in front of a window before
// those in it: it goes over the messages once, or all are made in the same walk.
func (s *steps) inOrder(front, w []hygiene.Change) bool {
	if oneWalk[s.input.Target.API] && !s.input.Policy.Wire.StringContent {
		return true
	}
	other := func(c hygiene.Change) bool { return c.Rule != "W-707" }
	return !slices.ContainsFunc(front, other) && !slices.ContainsFunc(w, other)
}

// renames reports whether a converter gave a call another id (W-206, W-706): which one
// depends on those in front.
func renames(changes []hygiene.Change) bool {
	return slices.ContainsFunc(changes, func(c hygiene.Change) bool { return c.Rule == "W-206" || c.Rule == "W-706" })
}
