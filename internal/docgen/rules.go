package main

import (
	"go/doc"
	"go/doc/comment"
	"slices"
	"strconv"
	"strings"

	"hygeia"
	"hygeia/check"
)

// stage is a pass or a converter with its rules.
type stage struct {
	name, doc string
	rules     []hygeia.Rule
}

func stages() []*stage {
	var list []*stage
	for _, r := range hygeia.Rules() {
		i := slices.IndexFunc(list, func(s *stage) bool { return s.name == r.Stage })
		if i < 0 {
			i = len(list)
			list = append(list, &stage{name: r.Stage, doc: r.Doc})
		}
		list[i].rules = append(list[i].rules, r)
	}
	return list
}

// format is a part of the provider rulebook.
type format struct {
	name  string
	rules []check.Rule
}

func (f *format) file() string {
	slug := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		}
		return '-'
	}, strings.ToLower(f.name))
	return "rulebook-" + strings.Join(strings.FieldsFunc(slug, func(r rune) bool { return r == '-' }), "-") + ".md"
}

func formats() []*format {
	var list []*format
	for _, r := range check.Rules() {
		i := slices.IndexFunc(list, func(f *format) bool { return f.name == r.Format })
		if i < 0 {
			i = len(list)
			list = append(list, &format{name: r.Format})
		}
		list[i].rules = append(list[i].rules, r)
	}
	return list
}

func rulePages(all map[string]string) {
	all["rules/README.md"] = ruleIndex()
	for _, s := range stages() {
		all["rules/"+s.name+".md"] = stagePage(s)
	}
	for _, f := range formats() {
		all["rules/"+f.file()] = formatPage(f)
	}
}

func ruleIndex() string {
	var p page
	p.f("# Rules\n\n" + generated)
	p.f("Every change in a report names the rule behind it. `hygeia rules ID` shows what\nstands here.\n\n")
	p.f("## Rules of hygiene\n\nThe stages in the order in which they run. What the converters do is the last\nstep, in the wire format of the target.\n\n")
	p.table("Stage", "What it is for", "Rules")
	for _, s := range stages() {
		p.row("["+s.name+"]("+s.name+".md)", new(doc.Package).Synopsis(about(s)), ruleIDs(s.rules))
	}
	p.f("\n## Provider rulebook\n\nWhat providers refuse, and in which words. `hygeia explain` quotes it.\n\n")
	p.table("Format or provider", "Rules")
	for _, f := range formats() {
		ids := make([]string, len(f.rules))
		for i, r := range f.rules {
			ids[i] = r.ID
		}
		p.row("["+f.name+"]("+f.file()+")", strings.Join(ids, " "))
	}
	return p.String()
}

func ruleIDs(rules []hygeia.Rule) string {
	ids := make([]string, len(rules))
	for i, r := range rules {
		ids[i] = r.ID
	}
	return strings.Join(ids, " ")
}

// about returns the description of a stage without the words that make it the
// comment of a package.
func about(s *stage) string {
	of, ok := strings.CutPrefix(s.doc, "Package ")
	if !ok {
		return s.doc
	}
	_, does, _ := strings.Cut(of, " ")
	does = strings.TrimPrefix(does, "is the pass that ")
	return strings.ToUpper(does[:1]) + does[1:]
}

func stagePage(s *stage) string {
	var p page
	p.f("# %s\n\n"+generated, s.name)
	p.Write(markdown(about(s)))
	p.f("\n## Rules\n\n")
	p.table("Rule", "Does", "Takes content away", "Invents content", "May change earlier turns later")
	for _, r := range s.rules {
		p.row(r.ID, prose(r.Title), yes(r.Lossy), yes(r.Synthetic), prose(r.Unstable))
	}
	return p.String()
}

func yes(b bool) string {
	if b {
		return "may"
	}
	return ""
}

// markdown turns a doc comment into Markdown.
func markdown(text string) []byte {
	parser := comment.Parser{LookupSym: func(string, string) bool { return true }}
	printer := comment.Printer{HeadingLevel: 2, DocLinkURL: func(*comment.DocLink) string { return "" }}
	return printer.Markdown(parser.Parse(text))
}

func formatPage(f *format) string {
	var p page
	p.f("# %s\n\n"+generated, f.name)
	p.f("Certainty: D documented by the provider, R reported with its text in a public\nissue, U commonly seen, I inferred.\n")
	for _, r := range f.rules {
		p.f("\n## %s\n\n%s.\n\n", r.ID, prose(strings.TrimSuffix(r.Rule, ".")))
		for _, m := range r.Messages {
			p.f("- answer: %s %s\n", strconv.Itoa(r.Status), code(m))
		}
		if len(r.Messages) == 0 {
			p.f("- answer: %d, text unknown\n", r.Status)
		}
		p.f("- source: %s\n- certainty: %s\n", prose(r.Source), r.Certainty)
		if r.On != "yes" {
			p.f("- checked only on demand\n")
		}
	}
	return p.String()
}
