package cli

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"hygeia"
	"hygeia/policy"
)

// printProblems lists what reading the session file mended in memory.
func printProblems(w io.Writer, width int, t *hygeia.Transcript) {
	if t.Session == nil || len(t.Session.Problems()) == 0 {
		return
	}
	rows := table{head: []string{"LINE", "ENTRY", "RULE", "FOUND"}}
	for _, p := range t.Session.Problems() {
		rows.add(strconv.Itoa(p.Line), p.Entry, p.Rule, p.Reason)
	}
	rows.print(w, width)
	if n := faults(t); n > 0 {
		fmt.Fprintf(w, "%s in the file, mended in memory only\n", plural(n, "fault"))
	}
	fmt.Fprintln(w)
}

// faults counts what is wrong with the session file, mere notes aside.
func faults(t *hygeia.Transcript) int {
	n := 0
	if t.Session != nil {
		for _, p := range t.Session.Problems() {
			if !p.Note {
				n++
			}
		}
	}
	return n
}

// printSummary says how much was changed for which target, and what else is
// worth knowing about the request.
func printSummary(w io.Writer, r *hygeia.Replay) {
	lossy, synthetic := 0, 0
	for i := range r.Report.Changes {
		if r.Report.Changes[i].Lossy {
			lossy++
		}
		if r.Report.Changes[i].Synthetic {
			synthetic++
		}
	}
	fmt.Fprintf(w, "%s for %s", plural(len(r.Report.Changes), "change"), targetText(r.Resolution.Target))
	if lossy > 0 {
		fmt.Fprintf(w, ", %d lossy", lossy)
	}
	if synthetic > 0 {
		fmt.Fprintf(w, ", %d synthetic", synthetic)
	}
	fmt.Fprintln(w)
	for _, rule := range slices.Sorted(maps.Keys(r.Report.Hidden)) {
		fmt.Fprintf(w, "also %s of fields that never go out [%s]\n", plural(r.Report.Hidden[rule], "change"), rule)
	}
	for _, n := range r.Report.Notes {
		fmt.Fprintf(w, "note: %s\n", safe(n))
	}
}

// targetText names a target.
func targetText(t policy.Target) string {
	return safe(strings.Trim(t.Provider+"/"+t.Model, "/") + " (" + t.API + ")")
}
