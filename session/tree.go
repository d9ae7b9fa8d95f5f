package session

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/maphash"
	"math/bits"
	"slices"
)

// tree is how the records of a file hang together. It knows them by numbers and
// their ids by keys, so that it takes little memory and serves the reader, who
// holds the records, and the repair, which does not.
type tree struct {
	nodes   []node
	ids     []key           // parallel to nodes
	refs    []ref           // what the records name, in their order
	index   index           // id → first holder
	holders map[key][]int32 // all holders, only of ids that were stored twice
	repeats []repeat
	session key // id of the session
	version int // whose rules hold for the links
	see     witness

	last   key   // id of the record in front if that is an entry
	leaf   int32 // active leaf, none for an empty branch (F-21)
	cursor int32 // append cursor (F-22)
}

// witness is told what is wrong with ids and links.
type witness interface {
	// renamed says that record i got an id: version 1 stored none, or it stands
	// already on record first.
	renamed(i int32, id string, first int32)
	// relinked says that record i hangs elsewhere than it says.
	relinked(i int32, why cause)
	// misled says that the leaf control i names no record in front of it.
	misled(i int32)
}

// key stands for an id. That two ids have the same one does not happen: keys
// are hashes of 64 bits under a seed of the process.
type key uint64

const (
	noKey   key = iota // no id
	nullKey            // null
	firstKey
)

var seed = maphash.MakeSeed()

func keyOf(id string) key {
	if id == "" {
		return noKey
	}
	return max(key(maphash.String(seed, id)), firstKey)
}

// record is what the tree needs to know of a record.
type record struct {
	kind       kind
	typ        typ
	link       link // absent, null or named
	flags      flags
	id, parent key
	name       string // id, as far as that may be a repeat
}

// ref is an id that a record names, other than that of the record in front of
// it.
type ref struct {
	from int32
	as   uint8
	id   key
}

// What an id is named as.
const (
	asParent = iota
	asTarget // of a leaf control
	asAppend // of a leaf control
	asKept   // the first kept entry of a compaction, or a rejected turn
)

// repeat is a record with the id of an earlier one.
type repeat struct {
	at  int32
	sum [sha256.Size]byte // what its new id is made of (D-27)
}

func newTree(size int64) tree {
	n := min(size/lineLength, maxGuess)
	t := tree{leaf: none, cursor: none, nodes: make([]node, 0, n), ids: make([]key, 0, n)}
	t.index.resize(int(n+n/2), nil)
	return t
}

// reserve makes room for n records at once: to grow step by step leaves old tables
// behind, and to enter all ids again takes time.
func (t *tree) reserve(n int) {
	t.nodes = append(make([]node, 0, n), t.nodes...)
	t.ids = append(make([]key, 0, n), t.ids...)
	t.index.resize(n+n/2, t.ids)
}

// add appends a record.
func (t *tree) add(r record) int32 {
	i := int32(len(t.nodes))
	n := node{up: none, kind: r.kind, typ: r.typ, link: r.link, flags: r.flags}
	if r.link == named {
		if r.parent != noKey && r.parent == t.last {
			n.link = inFront
		} else {
			t.refs = append(t.refs, ref{i, asParent, r.parent})
		}
	}
	t.nodes, t.ids = append(t.nodes, n), append(t.ids, r.id)
	t.last = noKey
	if r.kind == canonical {
		t.last = r.id
	}
	if r.id != noKey && r.typ != header && r.kind != lost {
		if first := t.index.add(r.id, i, t.ids); first != i {
			t.repeat(i, first, r.name)
		}
	}
	return i
}

// repeat notes that record i has the id of an earlier one.
func (t *tree) repeat(i, first int32, id string) {
	k := t.ids[i]
	if t.holders == nil {
		t.holders = map[key][]int32{}
	}
	if t.holders[k] == nil {
		t.holders[k] = []int32{first}
	}
	t.holders[k] = append(t.holders[k], i)
	t.repeats = append(t.repeats, repeat{i, sha256.Sum256(fmt.Appendf(nil, "%s:%d", id, len(t.holders[k])))})
}

// unlinked returns a copy of the tree as it was before identify and link, to
// which records can be added. Every record must have had an id of its own.
func (t *tree) unlinked() tree {
	c := *t
	c.nodes, c.ids, c.refs = slices.Clone(t.nodes), slices.Clip(t.ids), slices.Clip(t.refs)
	c.index.slots = slices.Clone(t.index.slots)
	c.leaf, c.cursor = none, none
	for i := range c.nodes {
		n := &c.nodes[i]
		n.up = none
		switch {
		case n.typ == leafControl:
			n.kind = control
		case n.kind == aside:
			n.kind = canonical
		}
	}
	return c
}

// first returns the first record with that id, none if there is none.
func (t *tree) first(k key) int32 { return t.index.find(k, t.ids) }

// identify gives every record an id of its own: version 1 stored none (F-15),
// and a file may hold one twice (F-B12). digest returns what the id of a record
// of version 1 is made of; without it those stay without.
func (t *tree) identify(digest func(i int32) string) {
	for i := range t.nodes {
		n := &t.nodes[i]
		if !n.is(bare) || t.version != 1 {
			continue
		}
		if n.kind == loose {
			n.kind = opaque
		}
		if digest != nil {
			t.rename(int32(i), digest(int32(i)), none)
		}
	}
	for _, r := range t.repeats {
		first := t.holders[t.ids[r.at]][0]
		t.rename(r.at, hex.EncodeToString(r.sum[:]), first)
	}
	for i := range t.nodes {
		n := &t.nodes[i]
		switch {
		case n.kind == lost:
			// A torn record answers for its id only where no whole one does.
			if t.ids[i] != noKey {
				t.index.add(t.ids[i], int32(i), t.ids)
			}
		case t.ids[i] == noKey && !(n.is(bare) && t.version == 1):
			n.kind = loose
		}
	}
}

// rename gives record i an id made of sum.
func (t *tree) rename(i int32, sum string, first int32) {
	id := t.unused(sum)
	t.ids[i] = keyOf(id)
	t.index.add(t.ids[i], i, t.ids)
	t.see.renamed(i, id, first)
}

// unused returns the first digits of sum that are no id yet (D-27).
func (t *tree) unused(sum string) string {
	n := 8
	for n < len(sum) && t.first(keyOf(sum[:n])) != none {
		n += 4
	}
	return sum[:n]
}

// index finds the first record with an id: an open table of record numbers,
// whose ids stand elsewhere.
type index struct {
	slots []int32 // number + 1, 0 for a free slot
	used  int
}

// find returns the record with that id, none if there is none.
func (x *index) find(k key, ids []key) int32 {
	if k == noKey || len(x.slots) == 0 {
		return none
	}
	return x.slots[x.slot(k, ids)] - 1
}

// slot returns the slot of the record with that id, or the free one for it.
func (x *index) slot(k key, ids []key) int {
	home, _ := bits.Mul64(uint64(k), uint64(len(x.slots)))
	at := int(home)
	for x.slots[at] != 0 && ids[x.slots[at]-1] != k {
		if at++; at == len(x.slots) {
			at = 0
		}
	}
	return at
}

// add puts record i in, which has the id k, unless there is one with that id. It
// returns the one that is in. The table is never more than four fifths full.
func (x *index) add(k key, i int32, ids []key) int32 {
	if x.used*5 >= len(x.slots)*4 {
		x.resize(len(x.slots)+len(x.slots)/2, ids)
	}
	at := x.slot(k, ids)
	if x.slots[at] == 0 {
		x.slots[at] = i + 1
		x.used++
	}
	return x.slots[at] - 1
}

// resize gives the table so many slots, or the fewest that are worth it: there
// must always be a free one.
func (x *index) resize(slots int, ids []key) {
	old := x.slots
	x.slots = make([]int32, max(64, slots))
	for _, i := range old {
		if i > 0 {
			x.slots[x.slot(ids[i-1], ids)] = i
		}
	}
}
