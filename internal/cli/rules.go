package cli

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/spf13/cobra"

	"hygeia"
	"hygeia/check"
)

// ruleJSON is a rule as scripts read it.
type ruleJSON struct {
	ID        string `json:"id"`
	Title     string `json:"title"`
	Stage     string `json:"stage"`
	Lossy     bool   `json:"lossy"`
	Synthetic bool   `json:"synthetic"`
	Unstable  string `json:"unstable,omitempty"`
}

func (a *app) rules() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "rules [ID]",
		Short: "List the rules, or describe one of them or of the provider rulebook",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 {
				return a.rule(strings.ToUpper(args[0]), asJSON)
			}
			return a.ruleList(asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func (a *app) ruleList(asJSON bool) error {
	if asJSON {
		return a.json(rulesJSON(func(hygeia.Rule) bool { return true }))
	}
	rows := table{head: []string{"RULE", "STAGE", "KIND", "DOES"}}
	for _, r := range hygeia.Rules() {
		rows.add(r.ID, r.Stage, kind(r), r.Title)
	}
	rows.print(a.stdout)
	return nil
}

func rulesJSON(want func(hygeia.Rule) bool) []ruleJSON {
	var list []ruleJSON
	for _, r := range hygeia.Rules() {
		if want(r) {
			list = append(list, ruleJSON{r.ID, r.Title, r.Stage, r.Lossy, r.Synthetic, r.Unstable})
		}
	}
	return list
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

func (a *app) rule(id string, asJSON bool) error {
	found := rulesJSON(func(r hygeia.Rule) bool { return r.ID == id })
	provider := check.Lookup(id)
	switch {
	case len(found) == 0 && provider == nil:
		return usage("no rule %s; hygeia rules lists them", id)
	case asJSON && provider != nil:
		return a.json(provider)
	case asJSON:
		return a.json(found)
	case provider != nil:
		printProviderRule(a, provider)
		return nil
	}
	for _, r := range hygeia.Rules() {
		if r.ID == id {
			printRule(a, r)
		}
	}
	return nil
}

func printRule(a *app, r hygeia.Rule) {
	fmt.Fprintf(a.stdout, "%s (%s): %s\n", r.ID, r.Stage, r.Title)
	if r.Lossy {
		fmt.Fprintln(a.stdout, "    may take content away")
	}
	if r.Synthetic {
		fmt.Fprintln(a.stdout, "    may put content in that nobody wrote")
	}
	if r.Unstable != "" {
		fmt.Fprintf(a.stdout, "    may change earlier turns later: %s\n", r.Unstable)
	}
	fmt.Fprintf(a.stdout, "\n%s\n\n", r.Doc)
}

func printProviderRule(a *app, r *check.Rule) {
	fmt.Fprintf(a.stdout, "%s (%s): %s\n", r.ID, r.Format, r.Rule)
	for _, m := range r.Messages {
		fmt.Fprintf(a.stdout, "    answer     %d %s\n", r.Status, m)
	}
	fmt.Fprintf(a.stdout, "    source     %s\n    certainty  %s\n    on         %s\n", r.Source, r.Certainty, r.On)
}

func (a *app) json(v any) error {
	text, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		return err
	}
	return a.output("", append(text, '\n'))
}
