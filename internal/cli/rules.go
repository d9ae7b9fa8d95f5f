package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"hygeia"
	"hygeia/check"
)

// ruleJSON is a rule of hygiene as scripts read it.
type ruleJSON struct {
	ID        string `json:"id"`
	Title     string `json:"title"`
	Stage     string `json:"stage"`
	Lossy     bool   `json:"lossy"`
	Synthetic bool   `json:"synthetic"`
	Unstable  string `json:"unstable,omitempty"`
	Doc       string `json:"doc,omitempty"`
}

func (a *app) rules() *cobra.Command {
	out := &output{}
	c := &cobra.Command{
		Use:   "rules [ID]",
		Short: "List the rules, or describe one of them or of the provider rulebook",
		Args:  between(0, 1, "at most one ID"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := a.notInput(nil, out.path); err != nil {
				return err
			}
			if len(args) == 1 {
				return a.rule(out, strings.ToUpper(args[0]))
			}
			list := hygeia.Rules()
			return a.show(out, rulesJSON(list, false), func(w io.Writer, width int) { printRules(w, width, list) })
		},
	}
	out.flags(c)
	return c
}

// rule describes a rule: of the provider rulebook, or of hygiene once for each
// stage that carries it out.
func (a *app) rule(out *output, id string) error {
	if r := check.Lookup(id); r != nil {
		return a.show(out, r, func(w io.Writer, _ int) { printProviderRule(w, r) })
	}
	var found []hygeia.Rule
	for _, r := range hygeia.Rules() {
		if r.ID == id {
			found = append(found, r)
		}
	}
	if len(found) == 0 {
		return usage("no rule %s; hygeia rules lists them", id)
	}
	return a.show(out, rulesJSON(found, true), func(w io.Writer, _ int) {
		for i, r := range found {
			if i > 0 {
				fmt.Fprintln(w)
			}
			printRule(w, r)
		}
	})
}

func rulesJSON(rules []hygeia.Rule, doc bool) []ruleJSON {
	list := make([]ruleJSON, len(rules))
	for i, r := range rules {
		list[i] = ruleJSON{ID: r.ID, Title: r.Title, Stage: r.Stage, Lossy: r.Lossy, Synthetic: r.Synthetic, Unstable: r.Unstable}
		if doc {
			list[i].Doc = r.Doc
		}
	}
	return list
}

func printRules(w io.Writer, width int, rules []hygeia.Rule) {
	rows := table{head: []string{"RULE", "STAGE", "KIND", "DOES"}}
	for _, r := range rules {
		rows.add(r.ID, r.Stage, kind(r), r.Title)
	}
	rows.print(w, width)
}

// kind says what a rule may do to content.
func kind(r hygeia.Rule) string {
	var words []string
	if r.Lossy {
		words = append(words, "lossy")
	}
	if r.Synthetic {
		words = append(words, "synthetic")
	}
	if r.Unstable != "" {
		words = append(words, "unstable")
	}
	return strings.Join(words, ",")
}

func printRule(w io.Writer, r hygeia.Rule) {
	fmt.Fprintf(w, "%s (%s): %s\n", r.ID, r.Stage, r.Title)
	if r.Lossy {
		fmt.Fprintln(w, "    may take content away")
	}
	if r.Synthetic {
		fmt.Fprintln(w, "    may put content in that nobody wrote")
	}
	if r.Unstable != "" {
		fmt.Fprintf(w, "    may change earlier turns later: %s\n", r.Unstable)
	}
	fmt.Fprintf(w, "\n%s\n", r.Doc)
}

func printProviderRule(w io.Writer, r *check.Rule) {
	fmt.Fprintf(w, "%s (%s): %s\n", r.ID, r.Format, r.Rule)
	for _, m := range r.Messages {
		fmt.Fprintf(w, "    answer     %d %s\n", r.Status, m)
	}
	fmt.Fprintf(w, "    source     %s\n    certainty  %s\n    on         %s\n", r.Source, r.Certainty, r.On)
}
