package cli

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"hygeia"
	"hygeia/hygiene"
)

// reporting holds the flags that say what replay prints.
type reporting struct {
	output
	emit, form, file string
}

func (o *reporting) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&o.emit, "emit", "payload", "what goes to standard output: payload, messages, report")
	f.StringVar(&o.form, "report", "", "form of the report: text, json, none (default text)")
	f.BoolVar(&o.json, "json", false, "short for --report json")
	f.StringVar(&o.file, "report-file", "", "write the report to `FILE` instead of standard error")
	o.pathFlag(c)
}

// settle checks the flags and fills in what they leave open.
func (o *reporting) settle(a *app) error {
	if err := oneOf("--emit", o.emit, "payload", "messages", "report"); err != nil {
		return err
	}
	if err := oneOf("--report", o.form, "", "text", "json", "none"); err != nil {
		return err
	}
	switch {
	case o.json && o.form != "" && o.form != "json":
		return usage("--json is short for --report json, which contradicts --report %s", o.form)
	case o.json, o.form == "" && o.emit == "report" && a.terminal(&o.output) == 0:
		o.form = "json"
	case o.form == "":
		o.form = "text"
	}
	switch {
	case o.emit == "report" && o.file != "":
		return usage("--emit report goes to standard output or to -o FILE, not to --report-file")
	case o.form == "none" && (o.emit == "report" || o.file != ""):
		return usage("--report none contradicts a report to print")
	case o.file == "-" && !o.named():
		return usage("--report-file - is standard output, where the body goes: -o FILE takes that elsewhere")
	case o.path != "" && o.path == o.file, a.samePlace(o.path, o.file):
		return usage("-o and --report-file name the same file")
	}
	return nil
}

func oneOf(flag, value string, legal ...string) error {
	if slices.Contains(legal, value) {
		return nil
	}
	legal = slices.DeleteFunc(slices.Clone(legal), func(v string) bool { return v == "" }) // the flag was not given
	return usage("%s %s: expected one of %s", flag, value, strings.Join(legal, ", "))
}

// emit writes the result and the report to their places.
func (a *app) emit(o *reporting, t *hygeia.Transcript, r *hygeia.Replay) error {
	report, err := a.report(o, t, r)
	if err != nil {
		return err
	}
	body := append(r.Body, '\n')
	switch o.emit {
	case "report":
		return a.write(&o.output, report)
	case "messages":
		body = append(r.MessagesJSON(), '\n')
	}
	if a.terminal(&o.output) > 0 {
		body = safeJSON(body)
	}
	if err := a.write(&o.output, body); err != nil {
		return err
	}
	if o.file != "" {
		return a.write(&output{path: o.file}, report)
	}
	_, err = a.stderr.Write(report)
	return err
}

func (a *app) report(o *reporting, t *hygeia.Transcript, r *hygeia.Replay) ([]byte, error) {
	switch o.form {
	case "none":
		return nil, nil
	case "json":
		text, err := t.ReportJSON(r)
		return append(safeJSON(text), '\n'), err
	}
	width := 0
	switch {
	case o.emit == "report":
		width = a.terminal(&o.output)
	case o.file == "":
		width = terminalWidth(a.stderr)
	}
	var b bytes.Buffer
	printReport(&b, width, t, r)
	return b.Bytes(), nil
}

// printReport writes the report as a table for people.
func printReport(w io.Writer, width int, t *hygeia.Transcript, r *hygeia.Replay) {
	printProblems(w, width, t)
	rows := table{head: []string{"MESSAGE", "ENTRY", "RULE", "CHANGE", "REASON"}}
	for _, c := range byMessage(r.Report.Changes) {
		rows.add(place(c), c.Entry, c.Rule, changeText(c), c.Reason)
	}
	if len(rows.rows) > 0 {
		rows.print(w, width)
	}
	printSummary(w, r)
}

// byMessage returns the changes in the order of the messages, those of one
// message in the order in which they were made.
func byMessage(changes []hygiene.Change) []*hygiene.Change {
	sorted := make([]*hygiene.Change, len(changes))
	for i := range changes {
		sorted[i] = &changes[i]
	}
	slices.SortStableFunc(sorted, func(a, b *hygiene.Change) int { return cmp.Compare(position(a), position(b)) })
	return sorted
}

// position orders the places of changes: what is inserted stands behind the
// message that it follows, and what concerns an inserted message at the end.
func position(c *hygiene.Change) int {
	switch {
	case c.Op == hygiene.Insert && c.Block < 0:
		return 2*c.Message + 1
	case c.Message < 0:
		return math.MaxInt
	}
	return 2 * c.Message
}

// place names the message and block of a change.
func place(c *hygiene.Change) string {
	switch {
	case c.Op == hygiene.Insert && c.Block < 0 && c.Message < 0:
		return "front"
	case c.Op == hygiene.Insert && c.Block < 0:
		return "after " + strconv.Itoa(c.Message)
	case c.Message < 0 && c.Op == hygiene.Replace && c.Block < 0:
		return "request"
	case c.Message < 0:
		return "new"
	case c.Block >= 0:
		return fmt.Sprintf("%d.%d", c.Message, c.Block)
	}
	return strconv.Itoa(c.Message)
}

// changeText says in a word or two what a change does.
func changeText(c *hygiene.Change) string {
	text := string(c.Op)
	if c.Lossy {
		text += ", lossy"
	}
	if c.Synthetic {
		text += ", synthetic"
	}
	return text
}
