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
	"hygeia/session"
)

// printProblems lists what reading the session file mended in memory.
func printProblems(w io.Writer, width int, t *hygeia.Transcript) {
	problems := t.Problems()
	rows := table{head: []string{"LINE", "ENTRY", "RULE", "FOUND"}}
	for _, p := range problems {
		rows.add(strconv.Itoa(p.Line), p.Entry, p.Rule, p.Reason)
	}
	if len(problems) > 0 {
		rows.print(w, width)
	}
	told := printRepaired(w, t)
	if len(problems) > 0 || told {
		fmt.Fprintln(w)
	}
}

// printRepaired says what became of a damaged file, and what is beside it now.
func printRepaired(w io.Writer, t *hygeia.Transcript) (told bool) {
	r := t.Repair
	if r == nil {
		r = &session.RepairReport{}
	}
	n := faults(t)
	switch {
	case r.Repaired:
		fmt.Fprintf(w, "%s in the file, repaired on the disk\n", plural(n, "fault"))
	case n > 0:
		fmt.Fprintf(w, "%s in the file, mended in memory only\n", plural(n, "fault"))
	}
	told = r.Repaired || n > 0
	for _, fact := range append(facts(r), leftovers(r.Leftovers)...) {
		fmt.Fprintln(w, fact)
		told = true
	}
	return told
}

// faults counts what is wrong with the session file, mere notes aside.
func faults(t *hygeia.Transcript) int {
	n := 0
	for _, p := range t.Problems() {
		if !p.Note {
			n++
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
