package session

import "slices"

// forward is a link to a record that stands behind the one that has it.
type forward struct {
	from, to int32
	instead  int32 // where from hangs if the link closes a circle
}

// linkAhead adds the links that point forward. All others point backward, so a
// circle needs one of these; it is cut where it goes to its latest entry
// (F-B13). The circles are found by union, in nearly linear time.
func (s *Session) linkAhead(ahead []forward) {
	if len(ahead) == 0 {
		return
	}
	slices.SortFunc(ahead, func(a, b forward) int {
		if a.to != b.to {
			return int(a.to - b.to)
		}
		return int(a.from - b.from)
	})
	top := make([]int32, len(s.nodes))
	for i := range top {
		top[i] = int32(i)
		if up := s.nodes[i].up; up >= 0 {
			top[i] = up
		}
	}
	root := func(i int32) int32 {
		for top[i] != i {
			top[i] = top[top[i]]
			i = top[i]
		}
		return i
	}
	for _, f := range ahead {
		p, rule, why := f.to, "F-B01", ""
		if s.nodes[p].kind == lost && s.nodes[f.from].kind != lost {
			why = "is no whole record"
		}
		if root(p) == f.from {
			rule, why = "F-B13", "leads back to the entry"
			if p = f.instead; p != none && root(p) == f.from {
				p = none
			}
		}
		s.nodes[f.from].up = p
		if p != none {
			top[f.from] = p
		}
		if why != "" {
			s.relinked(f.from, rule, "parent "+clip(s.entries[f.from].Parent)+" "+why)
		}
	}
	for _, f := range ahead {
		s.shorten(f.from)
	}
}

// shorten lets record i and the records between it and its parent point to that
// entry directly.
func (s *Session) shorten(i int32) {
	top := s.entry(s.nodes[i].up)
	for {
		up := s.nodes[i].up
		s.nodes[i].up = top
		if up == none || s.nodes[up].kind == canonical {
			return
		}
		i = up
	}
}
