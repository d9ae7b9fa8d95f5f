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

// TestWith: one pass is another one, the list itself stays as it was.
func TestWith(t *testing.T) {
	other := &hygiene.Pass{Name: "images"}
	suite := With(other)
	for i, p := range Suite {
		if (p.Name == "images") != (suite[i] == other) || p.Name != suite[i].Name || p == other {
			t.Errorf("pass %d is %s", i, suite[i].Name)
		}
	}
}
