package conformance_test

import (
	"testing"

	"pgregory.net/rapid"
)

// TestPropertyBodiesKeepEveryMember sends generated transcripts through the SDKs.
func TestPropertyBodiesKeepEveryMember(t *testing.T) {
	t.Parallel()
	seen := newLedger()
	rapid.Check(t, func(t *rapid.T) {
		if b, ok := drawn(t); ok {
			seen.settle(t, b)
		}
	})
}
