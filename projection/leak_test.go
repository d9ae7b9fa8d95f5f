package projection

import (
	"strings"
	"testing"

	"hygeia/internal/casetest"
)

// Texts that once leaked into the view of a chat, in words of our own. The names
// are the case ids of the collection of failures from the wild. The surfaces are
// held to the same cases in acceptance and conformance.
func TestLeaks(t *testing.T) {
	for _, c := range casetest.Talks(t, "testdata/leaks") {
		t.Run(c.Name, func(t *testing.T) {
			var got strings.Builder
			for _, m := range Project(c.Turns, Options{}) {
				who := string(m.Role())
				if sender := MetaOf(m).Sender; sender != "" {
					who += ", " + sender
				}
				got.WriteString(who + ": " + strings.ReplaceAll(strings.TrimRight(words(m), "\n"), "\n", `\n`) + "\n")
			}
			if got.String() != c.Shown {
				t.Errorf("got\n%s\nwant\n%s", &got, c.Shown)
			}
			for _, s := range c.Hidden {
				if strings.Contains(got.String(), s) {
					t.Errorf("%q is shown", s)
				}
			}
		})
	}
}
