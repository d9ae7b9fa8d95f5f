package session

import (
	"cmp"
	"slices"
)

// patch is an id in record from that becomes that of record to, or null.
type patch struct {
	from, to int32
	as       uint8
	why      cause // of a parent that is another; asSaid where the same record has another id
}

// asIndex is a patch of firstKeptEntryIndex: to is the new number.
const asIndex = asKept + 1

// decide finds out which records change, and which chunks hold them.
func (s *survey) decide() error {
	for i := range s.patches {
		s.patches[i].to = s.entry(s.nodes[s.patches[i].from].up)
	}
	for i := range s.nodes {
		// One without an id stays as it is (F-14), which the version decides.
		if n := &s.nodes[i]; n.is(ill) && n.kind == canonical {
			n.flags |= dirty
		}
	}
	for _, c := range s.pairs.missing() {
		if s.waitsFor(c) {
			s.standIns = append(s.standIns, c)
			s.nodes[c.record].flags |= dirty
		}
	}
	s.sortPatches()
	s.parents()
	s.others()
	s.renumber()
	s.sortPatches()
	for _, p := range s.patches {
		s.nodes[p.from].flags |= dirty
		if p.as == asIndex || p.to == none || s.names[p.to] != "" && !s.hasStandIn(p.to) {
			continue
		}
		n := &s.nodes[p.to]
		n.flags |= wanted
		if s.ids[p.to] == noKey {
			n.flags |= dirty // it needs an id to be named (D-27)
		}
	}
	s.mark()
	return s.hold()
}

// waitsFor reports whether the conversation cannot go on without the result of a
// call. Side entries are beside it.
func (t *tree) waitsFor(c openCall) bool {
	n := &t.nodes[c.record]
	return n.kind == canonical && !n.is(side)
}

func (s *survey) sortPatches() {
	slices.SortStableFunc(s.patches, func(a, b patch) int { return cmp.Compare(a.from, b.from) })
}

// patchesOf returns the patches of record i, of which list begins with the
// first.
func patchesOf(list []patch, i int32) []patch {
	n := 0
	for n < len(list) && list[n].from == i {
		n++
	}
	return list[:n]
}

// from returns the patches of record i and of all behind it.
func (s *survey) from(i int32) []patch {
	n, _ := slices.BinarySearchFunc(s.patches, i, func(p patch, i int32) int { return cmp.Compare(p.from, i) })
	return s.patches[n:]
}

// hasStandIn reports whether a stand-in for a result comes behind record i.
func (s *survey) hasStandIn(i int32) bool {
	_, ok := s.firstStandIn(i)
	return ok
}

func (s *survey) firstStandIn(i int32) (n int, ok bool) {
	return slices.BinarySearchFunc(s.standIns, i, func(c openCall, i int32) int { return cmp.Compare(c.record, i) })
}

func (s *survey) standInsOf(i int32) []openCall {
	n, _ := s.firstStandIn(i)
	to := n
	for to < len(s.standIns) && s.standIns[to].record == i {
		to++
	}
	return s.standIns[n:to]
}

// goesOn reports whether record i comes to hang from the stand-in behind record
// at instead of from that (F-B02).
func (s *survey) goesOn(i, at int32) bool {
	n := &s.nodes[i]
	return s.hasStandIn(at) && (n.kind != canonical || n.up == at)
}

// parents patches the parents that get another id, or a stand-in behind them.
func (s *survey) parents() {
	if len(s.names)+len(s.standIns) == 0 {
		return
	}
	done, refs := s.patches, s.refs
	for i := range int32(len(s.nodes)) {
		own := patchesOf(done, i)
		done = done[len(own):]
		at := int32(none)
		for len(refs) > 0 && refs[0].from == i {
			if refs[0].as == asParent {
				at = s.holder(refs[0].id, i)
			}
			refs = refs[1:]
		}
		n := &s.nodes[i]
		if n.link == inFront {
			at = i - 1
		}
		if at == none || len(own) > 0 || n.kind == lost {
			continue
		}
		if s.names[at] != "" || s.goesOn(i, at) {
			s.patches = append(s.patches, patch{from: i, to: at, as: asParent})
		}
	}
}

// others patches what leaf controls and compactions name.
func (s *survey) others() {
	for _, r := range s.refs {
		n := &s.nodes[r.from]
		if r.as == asParent || r.id < firstKey || n.kind == lost {
			continue
		}
		at := s.holder(r.id, r.from)
		if at == none || r.id == s.ids[r.from] && n.typ == compaction {
			continue // one that names itself is a hard boundary
		}
		to := at
		switch gone := s.nodes[at].kind == lost && !s.nodes[at].is(untold); {
		case gone && r.as == asKept:
			if to = s.standsFor(at, r.from); to == none {
				continue
			}
		case gone && n.kind == control:
			to = s.entry(at)
		case r.as == asKept && s.cutOff(at, r.from):
			to = s.hung.root(r.from)
		case s.names[at] != "":
		case n.kind != control || !s.hasStandIn(at):
			continue
		}
		s.patches = append(s.patches, patch{from: r.from, to: to, as: r.as})
	}
}

// standsFor returns the entry that stands for record at, which goes, where
// compaction i names it (C-02).
func (s *survey) standsFor(at, i int32) int32 {
	if e := s.entry(at); e != none {
		return e
	}
	root := s.root(i)
	if s.holder(s.parentKey(root), root) == at {
		return root
	}
	return none
}

// root returns the first entry of the branch of record i.
func (s *survey) root(i int32) int32 {
	if s.hung.up == nil {
		s.hung = newTrees(s.nodes) // all walks together are about linear
	}
	return s.hung.root(i)
}

// cutOff reports whether record at is no entry and comes to stand beside the
// branch of record i, in front of which it stood, since what is between goes
// (C-02). The walks of all records together are bounded.
func (s *survey) cutOff(at, i int32) bool {
	if len(s.patches) == 0 || s.entry(at) != none {
		return false
	}
	goes := false
	for on := s.root(i); s.walked < 8*len(s.nodes); s.walked++ {
		up := s.holder(s.parentKey(on), on)
		if s.nodes[on].link == inFront {
			up = on - 1
		}
		if up == none || up > on {
			break
		}
		n := &s.nodes[up]
		goes = goes || n.kind == lost && !n.is(untold)
		if up == at {
			return goes
		}
		on = up
	}
	return false
}

// parentKey returns the id that record i names as its parent where that is not
// the one in front of it.
func (t *tree) parentKey(i int32) key {
	n, ok := slices.BinarySearchFunc(t.refs, i, func(r ref, i int32) int { return cmp.Compare(r.from, i) })
	if ok && t.refs[n].as == asParent {
		return t.refs[n].id
	}
	return noKey
}

// renumber patches the numbers by which compactions of version 1 name entries:
// they count the lines of the file, the header's being the first.
func (s *survey) renumber() {
	if len(s.indexes) == 0 || len(s.standIns) == 0 && !s.late {
		return
	}
	var stands []int // how many listed records are in front of the stand-ins
	listed, next := 0, s.standIns
	for i := range s.nodes {
		if s.nodes[i].kind == lost {
			continue
		}
		listed++
		for ; len(next) > 0 && next[0].record == int32(i); next = next[1:] {
			stands = append(stands, listed)
		}
	}
	for _, x := range s.indexes {
		if x.n < 0 || x.n > float64(len(s.nodes)+len(stands)) {
			continue // it names nothing, and will not
		}
		now := 0
		if at := int(x.n); at != s.before { // else it names the header
			if at > s.before {
				at--
			}
			more, _ := slices.BinarySearch(stands, at+1)
			now = at + more + 1
		}
		if float64(now) != x.n {
			s.patches = append(s.patches, patch{from: x.from, to: int32(now), as: asIndex})
		}
	}
}

// mark finds the chunks of the records that change.
func (s *survey) mark() {
	for c := range s.chunks {
		if s.each(c, dirty) {
			s.chunks[c].dirty = true
		}
	}
	if s.late {
		s.chunks[s.chunkOf(s.line)].dirty = true
	}
	if (s.late || s.header.Entry == nil) && len(s.chunks) > 0 {
		s.chunks[0].dirty = true // there may be a byte-order mark
	}
}

// each reports whether a record of chunk c has the flag.
func (s *survey) each(c int, f flags) bool {
	from, to := s.chunks[c].record, int32(len(s.nodes))
	if c+1 < len(s.chunks) {
		to = s.chunks[c+1].record
	}
	return slices.ContainsFunc(s.nodes[from:to], func(n node) bool { return n.is(f) })
}

// chunkOf returns the chunk in which a line is.
func (s *survey) chunkOf(line int) int {
	n, ok := slices.BinarySearchFunc(s.chunks, line, func(c chunk, line int) int { return cmp.Compare(c.line, line) })
	if !ok {
		n--
	}
	return n
}

// clean reports whether nothing has to change.
func (s *survey) clean() bool {
	return !slices.ContainsFunc(s.chunks, func(c chunk) bool { return c.dirty })
}
