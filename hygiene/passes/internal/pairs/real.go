package pairs

import (
	"cmp"
	"slices"
)

// Real reports whether the call at that block of message i, which must be one
// of the list, has a real result.
func (t *Table) Real(i, block int) bool {
	n, found := slices.BinarySearchFunc(t.Frames, i, func(f Frame, i int) int { return cmp.Compare(f.At, i) })
	if !found {
		return true // every call of a frame in order has one
	}
	calls := t.Calls(t.Frames[n])
	n, _ = slices.BinarySearchFunc(calls, block, func(c Call, block int) int { return cmp.Compare(c.Block, block) })
	return calls[n].real
}
