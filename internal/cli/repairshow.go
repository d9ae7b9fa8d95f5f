package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"hygeia/session"
)

// repairReport is what repair prints as JSON (design §8, F-60, F-B25).
type repairReport struct {
	Changes []fileChange            `json:"changes"` // the first 10 000 of each file
	Counts  map[string]int          `json:"counts"`
	Repair  *session.RepairReport   `json:"repair"` // of the one file, or the totals
	Files   []*session.RepairReport `json:"files"`
}

type fileChange struct {
	File string `json:"file"`
	session.RepairChange
}

// conclude prints what was found and done, and says with what exit code to end.
func (a *app) conclude(o *repairing, jobs []*job, leftovers []string) error {
	out := repairReport{Changes: []fileChange{}, Counts: map[string]int{}, Files: []*session.RepairReport{}}
	failed := slices.Clone(o.unread)
	for _, j := range jobs {
		out.Files = append(out.Files, j.report)
		for _, c := range j.changes {
			out.Changes = append(out.Changes, fileChange{j.report.File, c})
		}
		for rule, n := range j.counts {
			out.Counts[rule] += n
		}
		// A folder may hold sessions in which nobody has said anything yet.
		if j.err != nil && !(j.root != "" && errors.Is(j.err, session.ErrEmpty)) {
			failed = append(failed, j.err)
		}
	}
	out.Repair = total(out.Files, leftovers)
	err := a.show(&o.output, out, func(w io.Writer, width int) { printRepairs(w, width, o, jobs, out.Repair) })
	switch {
	case err != nil:
		return err
	case len(failed) > len(o.unread):
		return a.failures(failed, "%d of %s were not repaired", len(failed)-len(o.unread), plural(len(jobs), "session"))
	case len(failed) > 0:
		return a.unlisted(failed)
	case out.Repair.Changes > 0 && !o.Write && o.outDir == "":
		return errPending
	}
	return nil
}

// unlisted is what to say of folders that could not be listed, nil where there are none.
func (a *app) unlisted(folders []error) error {
	if len(folders) == 0 {
		return nil
	}
	return a.failures(folders, "%s could not be read", plural(len(folders), "folder"))
}

// failures returns the error that there is. Several are printed, and what they come to
// is returned.
func (a *app) failures(list []error, sum string, args ...any) error {
	if len(list) == 1 {
		return list[0]
	}
	for _, err := range list {
		fmt.Fprintf(a.stderr, "hygeia: %s\n", oneLine(err))
	}
	return fmt.Errorf(sum, args...)
}

// total returns the report of the one file there is, or the sums of all.
func total(files []*session.RepairReport, leftovers []string) *session.RepairReport {
	if len(files) == 1 && len(leftovers) == 0 {
		return files[0]
	}
	sum := &session.RepairReport{Leftovers: leftovers}
	for _, r := range files {
		sum.Add(r)
		sum.Repaired = sum.Repaired || r.Repaired
		sum.ElapsedMS = max(sum.ElapsedMS, r.ElapsedMS)
		sum.Leftovers = append(sum.Leftovers, r.Leftovers...)
	}
	return sum
}

// printRepairs writes the report for people: the changes of each file, then the
// totals.
func printRepairs(w io.Writer, width int, o *repairing, jobs []*job, sum *session.RepairReport) {
	verb, damaged := "would change", 0
	if o.Write || o.outDir != "" {
		verb = "repaired"
	}
	for _, j := range jobs {
		if j.report.Changes > 0 && (verb == "would change" || j.report.Repaired) {
			damaged++
		}
		printRepair(w, width, j)
	}
	for _, line := range leftovers(sum.Leftovers) {
		fmt.Fprintln(w, line)
	}
	fmt.Fprintf(w, "%s read, %d %s", plural(len(jobs), "session"), damaged, verb)
	if c := sum.Counters(); c != "" {
		fmt.Fprintf(w, ": %s", c)
	}
	fmt.Fprintln(w)
}

// printRepair writes what is to tell of one file, which may be nothing.
func printRepair(w io.Writer, width int, j *job) {
	r := j.report
	if r.Changes == 0 && r.Reason == "" && len(r.Notes) == 0 {
		return
	}
	fmt.Fprintln(w, safe(r.File))
	rows := table{head: []string{"LINE", "ENTRY", "RULE", "CHANGE", "REASON"}}
	for _, c := range j.changes {
		rows.add(lineText(c.Line, c.Last), c.Entry, c.Rule, repairText(&c), c.Reason)
	}
	for _, n := range r.Notes {
		rows.add(lineText(n.Line, n.Last), n.Entry, n.Rule, "none", n.Reason)
	}
	if len(rows.rows) > 0 {
		rows.print(w, width)
	}
	if more := r.Changes - len(j.changes); more > 0 {
		fmt.Fprintf(w, "and %s more\n", plural(more, "change"))
	}
	for _, fact := range facts(j.shown()) {
		fmt.Fprintln(w, fact)
	}
	fmt.Fprintln(w)
}

// shown returns the report as people see it: of a file that is no session at all it
// says what is in there instead, where F-58 calls it empty.
func (j *job) shown() *session.RepairReport {
	r := *j.report
	if errors.Is(j.err, session.ErrNotSession) {
		r.Reason = errors.Unwrap(j.err).Error()
	}
	return &r
}

// facts are what people have to know of a repair besides its changes (F-B25).
func facts(r *session.RepairReport) (lines []string) {
	for _, fact := range []struct{ what, is string }{{"left out: ", r.QuarantinePath}, {"backup: ", r.BackupPath}, {"", r.Reason}} {
		if fact.is != "" {
			lines = append(lines, fact.what+safe(fact.is))
		}
	}
	for _, path := range r.Expired {
		lines = append(lines, "removed after 90 days: "+safe(path))
	}
	return lines
}

func leftovers(paths []string) (lines []string) {
	for _, path := range paths {
		lines = append(lines, "left by an earlier repair: "+safe(path))
	}
	return lines
}

func lineText(line, last int) string {
	switch {
	case line == 0:
		return ""
	case last > line:
		return fmt.Sprintf("%d-%d", line, last)
	}
	return strconv.Itoa(line)
}

// repairText says in a word or two what a change does.
func repairText(c *session.RepairChange) string {
	text := c.Op
	if c.Lossy {
		text += ", lossy"
	}
	if c.Synthetic {
		text += ", synthetic"
	}
	return text
}

// bar shows on a terminal how many of the files are done, once that has taken
// more than a second. The returned function ends it and clears the line.
func (a *app) bar(done *atomic.Int64, of int) func() {
	width := terminalWidth(a.stderr)
	if width == 0 {
		return func() {}
	}
	stop := make(chan struct{})
	var ended sync.WaitGroup
	ended.Go(func() {
		for shown := false; ; shown = true {
			select {
			case <-stop:
				if shown {
					fmt.Fprint(a.stderr, "\r\033[K")
				}
				return
			case <-time.After(time.Second):
				fmt.Fprint(a.stderr, "\r\033[K"+barText(int(done.Load()), of, width))
			}
		}
	})
	return sync.OnceFunc(func() { close(stop); ended.Wait() })
}

// barText draws the bar for a terminal of that width.
func barText(done, of, width int) string {
	text := fmt.Sprintf(" %d of %s", done, plural(of, "session"))
	room := min(width-len(text)-3, 40)
	if room < 10 {
		return text
	}
	full := room * done / max(of, 1)
	return "[" + strings.Repeat("=", full) + strings.Repeat(" ", room-full) + "]" + text
}
