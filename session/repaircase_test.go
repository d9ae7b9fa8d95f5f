package session

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hygeia/internal/jsonline"
)

// Each case of testdata/repair is one archive: the reason and the rules in the
// comment, the file in "in" or "in.quoted" as for the cases of reading, and what
// becomes of it: the repaired file in "out" in the same form, what is told in
// "told", and what is left out in "quarantine".
func TestRepairCases(t *testing.T) {
	for _, c := range archives(t, "testdata/repair") {
		t.Run(c.name, func(t *testing.T) {
			a, file := c.Archive, c.input(t)
			name := section(a, "name")
			if name == "" {
				name = "x.jsonl"
				checkRepair(t, file)
			}
			r := repairText(file, name, surveyOptions{})
			quoted := ""
			if section(a, "in.quoted") != "" {
				quoted = ".quoted"
			}
			got := map[string]string{"told": told(r), "out" + quoted: written(r.text, quoted != ""), "quarantine" + quoted: written(r.kept, quoted != "")}
			if r.err == nil && bytes.Equal(r.text, file) {
				got["out"+quoted] = "" // as it was
			}
			for name, text := range got {
				switch was := section(a, name); {
				case *update && (text != "" || was != ""):
					set(a, name, []byte(text))
				case was != strings.TrimSpace(text):
					t.Errorf("%s%s\n(-want +got)\n%s", a.Comment, name, cmp.Diff(strings.Split(was, "\n"), strings.Split(strings.TrimSpace(text), "\n")))
				}
			}
			if *update {
				c.write(t)
			}
		})
	}
}

// sharedCases lies beside the project while it is being developed.
const sharedCases = "../../shared/cases/cases.jsonl"

// Every session file of that collection is repaired to lines of JSON that read as
// the damaged one does, whatever target its case has.
func TestRepairSharedCases(t *testing.T) {
	text, err := os.ReadFile(sharedCases)
	if err != nil {
		t.Skip(err)
	}
	files := 0
	for line := range bytes.Lines(text) {
		c := jsonline.ParseObject(bytes.TrimSpace(line))
		if c.Get("format").String() != "jsonl" {
			continue
		}
		file := []byte(c.Get("input").String())
		if c.Get("encoding").String() == "base64" {
			if file, err = base64.StdEncoding.DecodeString(string(file)); err != nil {
				t.Fatal(err)
			}
		}
		files++
		t.Run(c.Get("id").String(), func(t *testing.T) { checkRepair(t, file) })
	}
	if files < 10 {
		t.Errorf("only %d session files", files)
	}
}

// told writes down what a repair tells.
func told(r repaired) string {
	if r.err != nil {
		return "error " + r.err.Error() + "\n"
	}
	var w strings.Builder
	for _, c := range r.changes {
		fmt.Fprintf(&w, "%s %s %d", c.Rule, c.Op, c.Line)
		if c.Last > c.Line {
			fmt.Fprintf(&w, "-%d", c.Last)
		}
		fmt.Fprintf(&w, " %q %s%s%s\n", c.Entry, c.Reason, map[bool]string{true: " (lossy)"}[c.Lossy], map[bool]string{true: " (synthetic)"}[c.Synthetic])
	}
	fmt.Fprintf(&w, "%d changes: %s\n", r.report.Changes, r.report.Counters())
	return w.String()
}

// written returns text as a section of an archive, one quoted line a line if that
// is wanted.
func written(text []byte, quoted bool) string {
	if !quoted {
		return string(text)
	}
	var w strings.Builder
	for line := range bytes.Lines(text) {
		w.WriteString(strconv.Quote(string(line)) + "\n")
	}
	return w.String()
}
