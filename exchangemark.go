package hygeia

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// The bounds of Hygeia-Changes.
const (
	maxChangesHeader = 1024
	moreChanges      = ", ..."
	notMade          = " (not made)" // behind changes of a body that went out as it came
)

// mark says in the header of the answer what was done.
func (x *exchange) mark(h http.Header) {
	for _, name := range []string{"Hygeia-Changes", "Hygeia-Unchanged"} {
		h.Del(name)
	}
	h.Set("Hygeia-Overhead", fmt.Sprintf("%.3fms", float64(x.Overhead)/float64(time.Millisecond)))
	if x.Why != "" {
		h.Set("Hygeia-Unchanged", x.Why)
	}
	if text := x.changes(); text != "" {
		h.Set("Hygeia-Changes", text)
	}
}

// Counts returns the number of changes per rule, of those that went out or would
// have (D-28).
func (x *Exchange) Counts() map[string]int {
	counts := map[string]int{}
	if x.Report != nil {
		for i := range x.Report.Changes {
			counts[x.Report.Changes[i].Rule]++
		}
	}
	return counts
}

// changes lists the rules of the changes with their counts, at most a kilobyte.
func (x *exchange) changes() string {
	var parts []string
	for rule, n := range x.Counts() {
		parts = append(parts, fmt.Sprintf("%s=%d", rule, n))
	}
	slices.Sort(parts)
	if x.Remedy != "" {
		parts = slices.Insert(parts, 0, x.Remedy+"=1")
	}
	text, mark := strings.Join(parts, ", "), ""
	if text != "" && x.Outcome != Changed {
		mark = notMade
	}
	if most := maxChangesHeader - len(mark); len(text) > most {
		text = text[:most-len(moreChanges)]
		text = text[:strings.LastIndexByte(text, ',')] + moreChanges
	}
	return text + mark
}
