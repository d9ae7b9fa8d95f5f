package passes

import (
	"testing"

	"hygeia/hygiene"
)

// TestSuite holds that the list is whole: every pass documented, every rule
// titled, every prerequisite earlier in the list.
func TestSuite(t *testing.T) {
	if err := hygiene.Validate(Suite); err != nil {
		t.Error(err)
	}
}
