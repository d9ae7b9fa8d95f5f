package session

// state reads what the entries say about the session as a whole, and reports
// what may be missed in it.
func (s *Session) state() {
	for i, n := range s.nodes {
		if n.kind != canonical && n.kind != aside {
			continue
		}
		e := s.entries[i]
		switch n.typ {
		case label:
			s.labels[e.Get("targetId").String()] = e.Get("label").String()
		case sessionInfo:
			s.name = e.Get("name").String()
		case compaction, branchSummary, customMessage:
			if _, ok := e.Timestamp(); !ok {
				s.problem(int32(i), "F-B14", "the timestamp of a %s is no time", e.Type)
			}
		}
	}
	for _, b := range s.Branches() {
		switch {
		case b.Active:
		case b.Parts == "":
			s.note(s.first(keyOf(b.Leaf)), "F-20", "a branch ends here that has no entry in common with the active one")
		default:
			s.note(s.first(keyOf(b.Leaf)), "F-20", "a branch ends here that parts from the active one at %s", b.Parts)
		}
	}
}

// Tip is where a branch ends.
type Tip struct {
	Leaf   string // id of its last entry
	Parts  string // id of the last entry that it shares with the active branch, "" for none
	Active bool
}

// Branches returns the branches of the file in the order in which they end: the
// active one, and one for each entry that nothing follows. Side entries and
// late notes make no branch (F-23, F-B29).
func (s *Session) Branches() []Tip {
	parts := s.partings()
	var tips []Tip
	for _, i := range s.tips() {
		tips = append(tips, Tip{Leaf: s.id(i), Parts: s.id(parts(i)), Active: i == s.leaf})
	}
	return tips
}

// tips returns the entries at which branches end.
func (t *tree) tips() (list []int32) {
	followed := make([]bool, len(t.nodes))
	for _, n := range t.nodes {
		if up := t.entry(n.up); n.kind == canonical && !n.is(side) && up != none {
			followed[up] = true
		}
	}
	for i, n := range t.nodes {
		if int32(i) == t.leaf || n.kind == canonical && !n.is(side) && !followed[i] {
			list = append(list, int32(i))
		}
	}
	return list
}

// partings returns a function that finds the last entry which a branch shares
// with the active one. It walks over no entry twice.
func (s *Session) partings() func(int32) int32 {
	const unknown = none - 1
	at := make([]int32, len(s.nodes))
	for i := range at {
		at[i] = unknown
	}
	for _, i := range s.path(s.leaf) {
		at[i] = i
	}
	return func(leaf int32) int32 {
		i := leaf
		for i != none && at[i] == unknown {
			i = s.entry(s.nodes[i].up)
		}
		found := int32(none)
		if i != none {
			found = at[i]
		}
		for j := leaf; j != i; j = s.entry(s.nodes[j].up) {
			at[j] = found
		}
		return found
	}
}
