package hygiene

import (
	"slices"

	"hygeia/policy"
	"hygeia/transcript"
)

// Run is what a pass works on: the messages as the passes before left them,
// and the operations that change them. Edits of messages are seen at once;
// drops, inserts and moves take effect when the pass has ended, so indexes stay
// valid while it runs.
type Run struct {
	// Target is the route of the next request, as resolved.
	Target  policy.Target
	Policy  *policy.Policy
	Context *transcript.Context

	list   []*transcript.Message
	slots  []slot // parallel to list, nil while nothing was dropped or put in
	front  []*transcript.Message
	owned  bool // list is a copy of our own
	report *Report
	pass   string
	full   [][]Change // pages of changes
	page   []Change   // the page that is written
}

// slot holds the structural edits at one place of the list.
type slot struct {
	gone   bool
	behind []*transcript.Message
}

// Len returns the number of messages.
func (r *Run) Len() int { return len(r.list) }

// At returns message i as it stands now. A message that the pass dropped or
// moved is still there; see Gone.
func (r *Run) At(i int) *transcript.Message { return r.list[i] }

// Messages returns the list as it stands now. The caller must not change it,
// and asks again after an edit.
func (r *Run) Messages() []*transcript.Message { return r.list[:len(r.list):len(r.list)] }

// Gone reports whether the pass dropped or moved message i.
func (r *Run) Gone(i int) bool { return r.slots != nil && r.slots[i].gone }

// Drop takes message i out of the list.
func (r *Run) Drop(i int, e Edit) {
	r.slot(i).gone = true
	r.record(e.change(Drop, r.list[i], -1, r.list[i], nil))
}

// Replace puts m in the place of message i. The block is -1 when the change
// concerns the whole message, its role or a member.
func (r *Run) Replace(i int, m *transcript.Message, e Edit) {
	before := r.list[i]
	r.put(i, m)
	r.record(e.change(Replace, before, -1, before, m))
}

// InsertBehind puts a new message directly behind message i and what was put
// there already; i = -1 is the front of the list. The message takes the
// position of its neighbour.
func (r *Run) InsertBehind(i int, m *transcript.Message, e Edit) {
	at := transcript.Origin{Index: -1, Position: -1}
	if i >= 0 {
		at = r.list[i].Origin
	}
	m = m.WithOrigin(transcript.Origin{Index: -1, Position: at.Position})
	r.behind(i, m)
	c := e.change(Insert, m, -1, nil, m)
	c.Entry, c.Message = at.Entry, at.Index
	r.record(c)
}

// MoveBehind takes message i out of its place and puts it directly behind
// message j and what was put there already.
func (r *Run) MoveBehind(i, j int, e Edit) {
	r.slot(i).gone = true
	r.behind(j, r.list[i])
	r.record(e.change(Move, r.list[i], -1, r.list[i], r.list[j]))
}

// MergeInto replaces message i by m, which holds also what message j said, and
// takes message j out: one change.
func (r *Run) MergeInto(i, j int, m *transcript.Message, e Edit) {
	before := r.list[j]
	r.put(i, m)
	r.slot(j).gone = true
	r.record(e.change(Move, before, -1, before, m))
}

// Blocks returns an editor for the content of message i, which must be a list.
func (r *Run) Blocks(i int) *Blocks {
	return &Blocks{run: r, i: i, old: r.list[i].Blocks()}
}

// Hide replaces message i by m, which differs only in fields that never go out
// (D-28): counted, not listed.
func (r *Run) Hide(i int, m *transcript.Message, rule string) {
	r.put(i, m)
	if r.report.Hidden == nil {
		r.report.Hidden = map[string]int{}
	}
	r.report.Hidden[rule]++
}

// maxPage is how many changes stand on a page.
const maxPage = 1024

// record notes a change. Pages are not copied as they become more, which one long
// list would be over and over.
func (r *Run) record(c Change) {
	c.Pass = r.pass
	if len(r.page) == cap(r.page) {
		if len(r.page) > 0 {
			r.full = append(r.full, r.page)
		}
		r.page = make([]Change, 0, min(max(8, 2*cap(r.page)), maxPage))
	}
	r.page = append(r.page, c)
}

// changes returns what was recorded, nil for nothing.
func (r *Run) changes() []Change {
	if len(r.full) == 0 {
		return r.page
	}
	return slices.Concat(append(r.full, r.page)...)
}

func (r *Run) put(i int, m *transcript.Message) {
	if !r.owned {
		r.list = append([]*transcript.Message(nil), r.list...)
		r.owned = true
	}
	r.list[i] = m
}

func (r *Run) slot(i int) *slot {
	if r.slots == nil {
		r.slots = make([]slot, len(r.list))
	}
	return &r.slots[i]
}

func (r *Run) behind(i int, m *transcript.Message) {
	if i < 0 {
		r.front = append(r.front, m)
		return
	}
	s := r.slot(i)
	s.behind = append(s.behind, m)
}

// settle carries out the structural edits of a pass.
func (r *Run) settle() {
	if r.slots == nil && r.front == nil {
		return
	}
	list := append(make([]*transcript.Message, 0, len(r.list)+len(r.front)), r.front...)
	for i, m := range r.list {
		if !r.Gone(i) {
			list = append(list, m)
		}
		if r.slots != nil {
			list = append(list, r.slots[i].behind...)
		}
	}
	r.list, r.slots, r.front, r.owned = list, nil, nil, true
}

// Blocks edits the content of one message block by block. Nothing is allocated
// until the first edit; Done puts the result into the message.
type Blocks struct {
	run  *Run
	i    int
	old  []*transcript.Block
	new  []*transcript.Block
	made bool
	at   int // blocks of old that are in new already
}

// All returns the blocks as they were when the editor was made.
func (b *Blocks) All() []*transcript.Block { return b.old }

// Drop takes block j out. Blocks must be edited in rising order.
func (b *Blocks) Drop(j int, e Edit) {
	b.upTo(j)
	b.at = j + 1
	m := b.run.list[b.i]
	b.run.record(e.change(Drop, m, b.old[j].Index(), b.old[j], nil))
}

// Replace puts n in the place of block j.
func (b *Blocks) Replace(j int, n *transcript.Block, e Edit) {
	b.upTo(j)
	b.at = j + 1
	b.new = append(b.new, n)
	m := b.run.list[b.i]
	b.run.record(e.change(Replace, m, b.old[j].Index(), b.old[j], n))
}

// Insert puts n in front of block j; j may be the number of blocks.
func (b *Blocks) Insert(j int, n *transcript.Block, e Edit) {
	b.upTo(j)
	b.at = j
	b.new = append(b.new, n)
	b.run.record(e.change(Insert, b.run.list[b.i], -1, nil, n))
}

// Left returns the number of blocks that the content has after the edits.
func (b *Blocks) Left() int {
	if !b.made {
		return len(b.old)
	}
	return len(b.new) + len(b.old) - b.at
}

// Done puts the edited content into the message. It reports whether anything
// was changed.
func (b *Blocks) Done() bool {
	if !b.made {
		return false
	}
	b.upTo(len(b.old))
	b.run.put(b.i, b.run.list[b.i].WithBlocks(b.new))
	return true
}

func (b *Blocks) upTo(j int) {
	if !b.made {
		b.made = true
		b.new = make([]*transcript.Block, 0, len(b.old)+1)
	}
	b.new = append(b.new, b.old[b.at:max(j, b.at)]...)
}
