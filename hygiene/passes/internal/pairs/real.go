package pairs

import (
	"cmp"
	"slices"
)

// Real reports whether the call in a block of turn i, which must be one of the list,
// has a real result.
func (t *Table) Real(i, block int) bool {
	c := t.call(i, block)
	return c == nil || c.real // every call of a frame in order has one
}

// StandIn returns the index of the message that stands for the real result of the
// call in a block of turn i, -1 where there is none.
func (t *Table) StandIn(i, block int) int {
	if c := t.call(i, block); c != nil && !c.real {
		return c.Result
	}
	return -1
}

// call returns the call in a block of turn i, nil for one of a frame in order.
func (t *Table) call(i, block int) *Call {
	n, found := slices.BinarySearchFunc(t.Frames, i, func(f Frame, i int) int { return cmp.Compare(f.At, i) })
	if !found {
		return nil
	}
	calls := t.Calls(t.Frames[n])
	n, _ = slices.BinarySearchFunc(calls, block, func(c Call, block int) int { return cmp.Compare(c.Block, block) })
	return &calls[n]
}
