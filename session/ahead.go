package session

import "slices"

// forward is a link to a record that stands behind the one that has it.
type forward struct {
	from, to int32
	instead  int32 // the leaf when from was read
}

// linkAhead adds the links that point forward. All others point backward, so a
// circle needs one of these; it is cut where it goes to its latest entry
// (F-B13). What is cut off goes on from the leaf in front of it all.
func (t *tree) linkAhead(ahead []forward) {
	if len(ahead) == 0 {
		return
	}
	hung := newTrees(t.nodes)
	instead := make(map[int32]int32, len(ahead))
	for _, f := range ahead {
		instead[f.from] = f.instead
	}
	slices.SortFunc(ahead, func(a, b forward) int {
		if a.to != b.to {
			return int(a.to - b.to)
		}
		return int(a.from - b.from)
	})
	for _, f := range ahead {
		p, why := f.to, asSaid
		if hung.root(p) == f.from {
			why = circle
			if p = f.instead; p != none && hung.root(p) == f.from {
				p = instead[hung.low[f.from]] // only a link that points forward can lead away from the lowest
			}
		}
		t.nodes[f.from].up = p
		hung.join(f.from, p)
		if why != asSaid && t.nodes[f.from].kind != lost {
			t.see.relinked(f.from, why)
		}
	}
	for _, f := range ahead {
		t.shorten(f.from)
	}
}

// shorten lets record i and the records between it and its parent point to that
// entry directly.
func (t *tree) shorten(i int32) {
	top := t.entry(t.nodes[i].up)
	for {
		up := t.nodes[i].up
		t.nodes[i].up = top
		if up == none || t.nodes[up].kind == canonical {
			return
		}
		i = up
	}
}

// trees knows which records hang together, in nearly linear time.
type trees struct {
	up  []int32 // towards the root; a root points to itself
	low []int32 // of a root, the first record of its tree in the file
}

// newTrees takes the links as far as they are known: all of them backward.
func newTrees(nodes []node) trees {
	t := trees{up: make([]int32, len(nodes)), low: make([]int32, len(nodes))}
	for i, n := range nodes {
		t.up[i], t.low[i] = int32(i), int32(i)
		if n.up >= 0 {
			t.up[i] = n.up
		}
	}
	return t
}

func (t trees) root(i int32) int32 {
	for t.up[i] != i {
		t.up[i] = t.up[t.up[i]]
		i = t.up[i]
	}
	return i
}

// join hangs the root i from record p of another tree, or from nothing.
func (t trees) join(i, p int32) {
	if p == none {
		return
	}
	t.up[i] = p
	r := t.root(p)
	t.low[r] = min(t.low[r], t.low[i])
}
