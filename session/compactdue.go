package session

import "hygeia/transcript"

// CompactionLimits says when a session is too large to go on with (C-04). The zero
// value has no limits.
type CompactionLimits struct {
	// Window is the context window of the model in tokens, 0 for unknown.
	Window int
	// Reserve is how many tokens of it have to stay free, 0 means 16 384. It is
	// at most half of the window.
	Reserve int
	// Embedded says that the run is one of this product's own, which needs a
	// reserve of 20 000 tokens at least.
	Embedded bool
	// MaxBytes is the size from which a file is too large, 0 for none.
	MaxBytes int64
}

const (
	defaultReserve  = 16_384
	embeddedReserve = 20_000
)

// Due reports whether a session with that context and a file of that many bytes
// is to be compacted before it goes on.
func (l CompactionLimits) Due(c *transcript.Context, size int64) bool {
	if l.MaxBytes > 0 && size > l.MaxBytes {
		return true
	}
	return l.Window > 0 && ContextTokens(c) > l.Window-l.reserve()
}

func (l CompactionLimits) reserve() int {
	n := l.Reserve
	if n <= 0 {
		n = defaultReserve
	}
	if l.Embedded {
		n = max(n, embeddedReserve)
	}
	return min(n, l.Window/2)
}
