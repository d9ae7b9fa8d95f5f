package session

import (
	"slices"
	"strings"
)

// holder returns the record that id means when record i names it: the nearest
// one in front of i, else the first behind it (F-B12). It returns none when
// nothing has that id.
func (t *tree) holder(id key, i int32) int32 {
	list, ok := t.holders[id]
	if !ok {
		if at := t.first(id); at != i {
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
func (t *tree) entry(i int32) int32 {
	for i != none && t.nodes[i].kind != canonical && t.nodes[i].up != pending {
		i = t.nodes[i].up
	}
	return i
}

// link finds the logical parents, the active leaf and the append cursor in one
// walk in file order (F-21…F-23).
func (t *tree) link() {
	var ahead []forward
	refs := t.refs
	for i := range int32(len(t.nodes)) {
		n := 0
		for n < len(refs) && refs[n].from == i {
			n++
		}
		p := t.parent(i, refs[:n])
		if p.at > i {
			ahead = append(ahead, forward{from: i, to: p.at, instead: t.leaf})
			p.at = pending
		}
		t.place(i, p.at, refs[:n])
		if p.why != asSaid && t.nodes[i].kind != lost {
			t.see.relinked(i, p.why)
		}
		refs = refs[n:]
	}
	t.linkAhead(ahead)
	t.leaf = t.entry(t.leaf)
	t.cursor = t.present(t.cursor)
}

// present returns the entry from which record i hangs if that is lost: what is
// appended needs a parent that is there.
func (t *tree) present(i int32) int32 {
	if i != none && t.nodes[i].kind == lost {
		return t.entry(i)
	}
	return i
}

// parent is where a record hangs, and why that is not where it says.
type parent struct {
	at  int32
	why cause
}

// parent returns the stored parent of record i, or what stands for it: without
// one, or with one that is missing, the record continues from the leaf (F-23a,
// F-B01).
func (t *tree) parent(i int32, refs []ref) parent {
	switch n := t.nodes[i]; {
	case n.kind == loose || n.link == absent:
		return parent{at: t.leaf}
	case n.link == null:
		return parent{at: none}
	case n.link == inFront:
		return parent{at: i - 1}
	}
	id := refs[0].id
	at := t.holder(id, i)
	switch {
	case at == none && id == noKey:
		return parent{t.leaf, noID}
	case at == none && id == t.session:
		return parent{at: none}
	case id == t.ids[i] && (at == none || at > i):
		return parent{t.leaf, itself}
	case at == none:
		return parent{t.leaf, missing}
	case t.nodes[i].typ.isNote() && (at > i || t.waits(at)):
		return parent{t.leaf, behind} // whether it is a late one cannot wait
	case at < i && t.nodes[at].kind == lost:
		return parent{at, notWhole}
	case at > i && (t.nodes[at].kind == lost || t.nodes[i].kind == lost):
		return parent{t.leaf, notWhole}
	}
	return parent{at: at}
}

// waits reports whether it is not known yet for what entry record i stands.
func (t *tree) waits(i int32) bool {
	i = t.entry(i)
	return i != none && t.nodes[i].kind != canonical
}

// cause is why a record hangs elsewhere than it says.
type cause uint8

const (
	asSaid cause = iota // it does not
	noID
	missing
	notWhole
	behind
	itself
	circle
)

// rule returns the rule under which the cause is reported.
func (c cause) rule() string {
	if c == itself || c == circle {
		return "F-B13"
	}
	return "F-B01"
}

// reason names the cause for a record with that stored parent.
func (c cause) reason(parent string) string {
	switch c {
	case noID:
		return "parentId is no id"
	case missing:
		return "parent " + clip(parent) + " is missing"
	case notWhole:
		return "parent " + clip(parent) + " is no whole record"
	case behind:
		return "parent " + clip(parent) + " leads behind the note"
	case itself:
		return "the entry names itself as its parent"
	}
	return "parent " + clip(parent) + " leads back to the entry"
}

// relinked implements witness.
func (s *Session) relinked(i int32, c cause) {
	why := c.reason(s.entries[i].Parent)
	if p := s.entry(s.nodes[i].up); p >= 0 {
		s.problem(i, c.rule(), "%s; linked to %s", why, s.entries[p].ID)
		return
	}
	s.problem(i, c.rule(), "%s; read as a root", why)
}

// misled implements witness.
func (s *Session) misled(i int32) {
	s.note(i, "F-21", "a leaf control that names no record in front of it")
}

// clip keeps ids in reasons short, whatever a file says.
func clip(id string) string {
	if len(id) > 80 {
		return strings.ToValidUTF8(id[:80], "") + "…"
	}
	return id
}

// place links record i to p and moves leaf and cursor.
func (t *tree) place(i, p int32, refs []ref) {
	n := &t.nodes[i]
	up := p
	if p != pending {
		up = t.entry(p)
	}
	n.up = up
	atCursor := p == t.cursor || up == t.cursor
	switch n.kind {
	case control:
		t.control(i, refs)
	case opaque:
		t.follow(i, atCursor)
	case canonical:
		if atCursor && !n.is(side) {
			n.up = t.leaf // F-23b
		}
		switch {
		case n.typ.isNote() && n.up != t.leaf:
			n.kind = aside
		case n.is(side):
			t.cursor = i
		default:
			t.leaf, t.cursor = i, i
		}
	}
}

// follow moves the cursor to a record that is no entry (F-22). One that hangs
// elsewhere is a late note or begins a branch of its own; either way only what
// names it goes on from it (F-14, F-B29).
func (t *tree) follow(i int32, atCursor bool) {
	if atCursor || t.nodes[i].up == t.leaf {
		t.cursor = i
	}
}

// isNote reports whether an entry of that type says something about the session
// and nothing in the conversation (F-B29).
func (t typ) isNote() bool { return t == custom || t == label || t == sessionInfo }

// control applies a leaf control. One that names what does not stand in front
// of it selects nothing (F-21) and counts as opaque.
func (t *tree) control(i int32, refs []ref) {
	n := &t.nodes[i]
	target, ok := t.named(i, refs, asTarget)
	cursor := target
	if at, there := t.named(i, refs, asAppend); there || hasRef(refs, asAppend) {
		cursor, ok = at, ok && there
	}
	if !ok {
		n.kind = opaque
		t.see.misled(i)
		t.follow(i, n.up == t.cursor)
		return
	}
	t.leaf, t.cursor = t.entry(target), t.present(cursor)
	n.up = t.leaf
}

func hasRef(refs []ref, as uint8) bool {
	return slices.ContainsFunc(refs, func(r ref) bool { return r.as == as })
}

// named returns the earlier record that control i names as that, none for null.
func (t *tree) named(i int32, refs []ref, as uint8) (at int32, ok bool) {
	for _, r := range refs {
		if r.as != as {
			continue
		}
		if r.id == nullKey {
			return none, true
		}
		at = t.holder(r.id, i)
		if at == none || at > i {
			return none, false
		}
		return at, t.nodes[at].kind != opaque || t.nodes[at].typ != leafControl
	}
	return none, false
}
