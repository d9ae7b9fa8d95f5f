package signatures

import (
	"hygeia/hygiene"
	"hygeia/transcript"
)

// compaction is the boundary in front of which signatures are stale (D-25,
// R-B19).
type compaction struct {
	position int     // of the newest compaction entry, -1 when unknown
	index    int     // of the last summary in the list, -1 when there is none
	time     float64 // of the newest summary, epoch milliseconds
	timed    bool
}

func newCompaction(r *hygiene.Run) compaction {
	c := compaction{position: r.Context.Compaction, index: -1}
	if c.position >= 0 || !r.Policy.SignatureHygiene {
		return c
	}
	for i := range r.Len() {
		m := r.At(i)
		if !m.Is(transcript.CompactionSummary) {
			continue
		}
		c.index = i
		if t, ok := m.Timestamp(); ok && (!c.timed || t > c.time) {
			c.time, c.timed = t, true
		}
	}
	return c
}

// after reports whether the compaction came after message i.
func (c *compaction) after(r *hygiene.Run, i int) bool {
	m := r.At(i)
	if c.position >= 0 {
		return m.Origin.Position >= 0 && m.Origin.Position < c.position
	}
	if c.timed && m.Origin.Position < 0 {
		if t, ok := m.Timestamp(); ok {
			return t < c.time
		}
	}
	return i < c.index
}
