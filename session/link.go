package session

import (
	"slices"
	"strings"

	"hygeia/internal/jsonline"
)

// holder returns the record that id means when record i names it: the nearest
// one in front of i, else the first behind it (F-B12). It returns none when
// nothing has that id.
func (s *Session) holder(id string, i int32) int32 {
	list, ok := s.holders[id]
	if !ok {
		if at, ok := s.index[id]; ok && at != i {
			return at
		}
		return none
	}
	n, _ := slices.BinarySearch(list, i)
	if n > 0 {
		return list[n-1]
	}
	if list[0] == i {
		n = 1
	}
	if n < len(list) {
		return list[n]
	}
	return none
}

// entry returns the nearest canonical entry from i upwards, i included, none if
// there is none. It stops at a record whose parent is not known yet.
func (s *Session) entry(i int32) int32 {
	for i != none && s.nodes[i].kind != canonical && s.nodes[i].up != pending {
		i = s.nodes[i].up
	}
	return i
}

// link finds the logical parents, the active leaf and the append cursor in one
// walk in file order (F-21…F-23).
func (s *Session) link() {
	var ahead []forward
	for i := range int32(len(s.nodes)) {
		p := s.parent(i)
		if p.at > i {
			ahead = append(ahead, forward{from: i, to: p.at, instead: s.leaf})
			p.at = pending
		}
		s.place(i, p.at)
		if p.why != "" && s.nodes[i].kind != lost {
			s.relinked(i, p.rule, p.why)
		}
	}
	s.linkAhead(ahead)
	s.leaf = s.entry(s.leaf)
	if s.cursor != none && s.nodes[s.cursor].kind == lost {
		s.cursor = s.entry(s.cursor) // what is appended needs a parent that is there
	}
}

// parent is where a record hangs, and why that is not where it says.
type parent struct {
	at        int32
	rule, why string
}

// parent returns the stored parent of record i, or what stands for it: without
// one, or with one that is missing, the record continues from the leaf (F-23a,
// F-B01).
func (s *Session) parent(i int32) parent {
	switch n := s.nodes[i]; {
	case n.kind == loose || n.link == absent:
		return parent{at: s.leaf}
	case n.link == null:
		return parent{at: none}
	case n.link == inFront:
		return parent{at: i - 1}
	}
	e := s.entries[i]
	at := s.holder(e.Parent, i)
	switch {
	case at == none && e.Parent == s.header.ID:
		return parent{at: none}
	case at == none && e.Parent == "":
		return parent{s.leaf, "F-B01", "parentId is no id"}
	case at == none && e.Parent == e.ID:
		return parent{s.leaf, "F-B13", "the entry names itself as its parent"}
	case at == none:
		return parent{s.leaf, "F-B01", "parent " + clip(e.Parent) + " is missing"}
	case at < i && s.nodes[at].kind == lost:
		return parent{at, "F-B01", "parent " + clip(e.Parent) + " is no whole record"}
	}
	return parent{at: at}
}

// relinked reports that record i hangs elsewhere than it says.
func (s *Session) relinked(i int32, rule, why string) {
	if p := s.entry(s.nodes[i].up); p >= 0 {
		s.problem(i, rule, "%s; linked to %s", why, s.entries[p].ID)
		return
	}
	s.problem(i, rule, "%s; read as a root", why)
}

// clip keeps ids in reasons short, whatever a file says.
func clip(id string) string {
	if len(id) > 80 {
		return strings.ToValidUTF8(id[:80], "") + "…"
	}
	return id
}

// place links record i to p and moves leaf and cursor.
func (s *Session) place(i, p int32) {
	n := &s.nodes[i]
	up := p
	if p != pending {
		up = s.entry(p)
	}
	n.up = up
	atCursor := p == s.cursor || up == s.cursor
	switch n.kind {
	case control:
		s.control(i)
	case opaque:
		s.follow(i, atCursor)
	case canonical:
		if atCursor && !n.side {
			n.up = s.leaf // F-23b
		}
		switch {
		case n.typ.isNote() && n.up != s.leaf:
			n.kind = aside
		case n.side:
			s.cursor = i
		default:
			s.leaf, s.cursor = i, i
		}
	}
}

// follow moves the cursor to a record that is no entry (F-22). One that hangs
// elsewhere is a late note or begins a branch of its own; either way only what
// names it goes on from it (F-14, F-B29).
func (s *Session) follow(i int32, atCursor bool) {
	if atCursor || s.nodes[i].up == s.leaf {
		s.cursor = i
	}
}

// isNote reports whether an entry of that type says something about the session
// and nothing in the conversation (F-B29).
func (t typ) isNote() bool { return t == custom || t == label || t == sessionInfo }

// control applies a leaf control. One that names what does not stand in front
// of it selects nothing (F-21) and counts as opaque.
func (s *Session) control(i int32) {
	n := &s.nodes[i]
	target, ok := s.named(i, "targetId")
	cursor := target
	if ok && s.entries[i].Members().Has("appendParentId") {
		cursor, ok = s.named(i, "appendParentId")
	}
	if !ok {
		n.kind = opaque
		s.note(i, "F-21", "a leaf control that names no record in front of it")
		s.follow(i, n.up == s.cursor)
		return
	}
	s.leaf, s.cursor = s.entry(target), cursor
	n.up = s.leaf
}

// named returns the earlier record that a member of control i names, none for
// null.
func (s *Session) named(i int32, member string) (at int32, ok bool) {
	v := s.entries[i].Get(member)
	if v.Kind == jsonline.Null {
		return none, true
	}
	at = s.holder(v.String(), i)
	if !v.IsString() || at == none || at > i {
		return none, false
	}
	return at, s.nodes[at].kind != opaque || s.nodes[at].typ != leafControl
}
