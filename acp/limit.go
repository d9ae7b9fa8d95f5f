package acp

import "time"

// limit lets things happen so often within a time (H-71).
type limit struct {
	most   int
	within time.Duration
	times  []time.Time // of the last ones, at most as many as most
}

// take reports whether one more may happen now, and counts it.
func (l *limit) take(now time.Time) bool {
	old := 0
	for old < len(l.times) && now.Sub(l.times[old]) >= l.within {
		old++
	}
	l.times = append(l.times[:0], l.times[old:]...)
	if len(l.times) >= l.most {
		return false
	}
	l.times = append(l.times, now)
	return true
}
