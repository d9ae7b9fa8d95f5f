package acceptance_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"hygeia/hygiene"
)

var reportRules = []rule{
	{"reports", "RULE…", "the report has a change under each of these rules", reports},
	{"reports-only", "RULE…", "the report has changes under these rules and no other", reportsOnly},
	{"reason", "TEXT…", "the reason of one change holds all of these texts", reason},
	{"lost", "TEXT…", "each text stood in the input, does not go out, and stands in what a change says was taken away", lost},
	{"note", "TEXT", "a note of the report holds the text", note},
	{"accounted", "", "each text, thinking and picture of the input goes out, or a change tells of it", accounted},
	{"unchanged", "", "the messages that go out are the input, byte for byte, and the report is empty", unchanged},
}

func reported(o *outcome) []string {
	var rules []string
	for i := range o.report.Changes {
		rules = append(rules, o.report.Changes[i].Rule)
	}
	slices.Sort(rules)
	return slices.Compact(rules)
}

func reports(o *outcome, args []string) error {
	got := reported(o)
	for _, want := range args {
		if !slices.Contains(got, want) {
			return fmt.Errorf("there are changes under %v", got)
		}
	}
	return nil
}

func reportsOnly(o *outcome, args []string) error {
	want := slices.Sorted(slices.Values(args))
	if got := reported(o); !slices.Equal(got, want) {
		return fmt.Errorf("there are changes under %v", got)
	}
	return nil
}

func reason(o *outcome, args []string) error {
	var all []string
	for i := range o.report.Changes {
		r := o.report.Changes[i].Reason
		all = append(all, r)
		if !slices.ContainsFunc(args, func(s string) bool { return !strings.Contains(r, s) }) {
			return nil
		}
	}
	return fmt.Errorf("the reasons are %q", all)
}

// accounted looks for whole texts first, since most of them go out as they are.
func accounted(o *outcome, _ []string) error {
	out := o.wire().contents()
	whole := map[string]bool{}
	for _, s := range out {
		whole[s] = true
	}
	var told []string
	for i := range o.report.Changes {
		told = append(told, before(&o.report.Changes[i])...)
	}
	for _, s := range o.in.contents() {
		if !whole[s] && count(out, s) == 0 && count(told, s) == 0 {
			return fmt.Errorf("%.200q goes neither out nor into the report", s)
		}
	}
	return nil
}

// contents returns the texts, the thinking and the data of pictures.
func (v *view) contents() []string {
	list := v.texts()
	for _, p := range v.all {
		if p.kind == thinkingPart || p.kind == imagePart {
			list = append(list, p.text+p.data)
		}
	}
	return list
}

// before returns the strings in what a change found.
func before(c *hygiene.Change) []string {
	switch v := c.Before.(type) {
	case interface{ AppendJSON([]byte) []byte }:
		return values(v.AppendJSON(nil))
	case string:
		return []string{v}
	}
	return nil
}

// lost looks at the printed report, which shows what every change took away.
func lost(o *outcome, args []string) error {
	for _, s := range args {
		switch {
		case count(o.in.texts(), s) == 0:
			return fmt.Errorf("%q does not stand in the input", s)
		case count(o.wire().texts(), s) > 0:
			return fmt.Errorf("%q goes out", s)
		case count(values(o.printed), s) == 0:
			return fmt.Errorf("the report does not say that %q was taken away", s)
		}
	}
	return nil
}

func note(o *outcome, args []string) error {
	for _, n := range o.report.Notes {
		if strings.Contains(n, args[0]) {
			return nil
		}
	}
	return fmt.Errorf("the notes are %q", o.report.Notes)
}

func unchanged(o *outcome, _ []string) error {
	if !o.report.Empty() {
		return fmt.Errorf("there are changes under %v", reported(o))
	}
	if !bytes.Equal(o.in.json, o.out.json) {
		return fmt.Errorf("the input %s became %s", o.in.json, o.out.json)
	}
	return nil
}
