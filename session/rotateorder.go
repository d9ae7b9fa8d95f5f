package session

import "slices"

// order returns the records of the successor: those beside the active branch as
// they stood, then the branch. What others hang from has to stand in front of
// them, so the branch up to there comes first, and notes that follow right behind:
// they have to stand behind what they are notes to (F-B29).
func (r *rotation) order() []int32 {
	var branch, beside []int32
	at := map[int32]int{}
	for i := r.b.leaf(); i != none; i = r.above(i) {
		if at[i] = 0; !r.gone[i] {
			branch = append(branch, i)
		}
	}
	slices.Reverse(branch)
	for n, i := range branch {
		at[i] = n + 1
	}
	first := 0
	for i := range int32(len(r.entries)) {
		if _, active := at[i]; !active && !r.gone[i] {
			beside = append(beside, i)
			first = max(first, at[r.up(i)])
		}
	}
	for first < len(branch) && r.nodes[branch[first]].typ.isNote() {
		first++
	}
	return slices.Concat(branch[:first], beside, branch[first:])
}

// overrule leaves out the names and labels that later ones took the place of, where
// the one is on the active branch and the other is not: the order of these two
// changes (C-08), and the older would come to be the last word. The leaf stays.
func (r *rotation) overrule() {
	active := map[int32]bool{}
	for _, i := range r.b.path {
		active[i] = true
	}
	newest := map[string]bool{} // whether the newest of them is active, by what it is about
	for i := int32(len(r.nodes)) - 1; i >= 0; i-- {
		t := r.nodes[i].typ
		if r.gone[i] || t != label && t != sessionInfo {
			continue
		}
		about := "name"
		if t == label {
			about = "of " + r.entries[i].Get("targetId").String()
		}
		side, known := newest[about]
		if !known {
			newest[about] = active[i]
			continue
		}
		r.gone[i] = side != active[i] && i != r.b.leaf()
	}
}

// above returns the record that record i hangs from, one that is no entry
// included (F-14).
func (r *rotation) above(i int32) int32 {
	up := r.nodes[i].up
	stored := r.holder(keyOf(r.entries[i].Parent), i)
	if stored != none && stored < i && r.nodes[stored].kind == opaque && r.entry(stored) == up {
		return stored
	}
	return up
}

func (b *Branch) leaf() int32 {
	if len(b.path) == 0 {
		return none
	}
	return b.path[len(b.path)-1]
}

// parents returns the function up. It walks over no record twice.
func (r *rotation) parents() func(int32) int32 {
	const unknown = none - 1
	known := make([]int32, len(r.nodes))
	for i := range known {
		known[i] = unknown
	}
	return func(i int32) int32 {
		at := r.above(i)
		for at != none && r.gone[at] && known[at] == unknown {
			at = r.above(at)
		}
		if at != none && r.gone[at] {
			at = known[at]
		}
		for j := r.above(i); j != none && r.gone[j] && known[j] == unknown; j = r.above(j) {
			known[j] = at
		}
		return at
	}
}
