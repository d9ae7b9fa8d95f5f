package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/spf13/cobra"

	"hygeia"
	"hygeia/policy"
)

func isNoConverter(err error) bool { return errors.Is(err, hygeia.ErrNoConverter) }

// policyOptions collects what the user's configuration and flags say about the
// model (D-29).
func (t *target) policyOptions(c *cobra.Command, to hygeia.Target) (policy.Options, error) {
	o, err := userConfig(to)
	if err != nil {
		return o, err
	}
	if c.Flags().Changed("reasoning") {
		o.Reasoning = &t.reasoning
	}
	if t.noImages {
		images := false
		o.Images = &images
	}
	return o, nil
}

func (a *app) policy() *cobra.Command {
	t := &target{}
	var asJSON bool
	var out string
	c := &cobra.Command{
		Use:   "policy --to PROVIDER/MODEL",
		Short: "Show the policy of a target and what set each field",
		Args:  exactly(0, "no arguments"),
		RunE: func(c *cobra.Command, _ []string) error {
			to, err := t.resolve()
			if err != nil {
				return err
			}
			o, err := t.policyOptions(c, to)
			if err != nil {
				return err
			}
			res, err := policy.Resolve(to, o)
			if err != nil {
				return err
			}
			text, err := policyText(res, asJSON)
			if err != nil {
				return err
			}
			return a.output(out, text)
		},
	}
	t.flags(c)
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	c.Flags().StringVarP(&out, "output", "o", "", "write to `FILE` what would go to standard output")
	return c
}

func policyText(res *policy.Resolution, asJSON bool) ([]byte, error) {
	if asJSON {
		text, err := json.Marshal(res, json.Deterministic(true))
		return append(text, '\n'), err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "target  %s/%s (%s), family %s\n", safe(res.Target.Provider), safe(res.Target.Model), safe(res.Target.API), res.Family)
	rows := table{head: []string{"FIELD", "VALUE", "FROM", "SOURCE", "VERIFIED"}}
	for _, e := range res.Trace {
		rows.add(e.Field, string(e.Value), e.From, e.Source, e.Verified)
	}
	rows.print(&b)
	b.WriteString("every other field has its default\n")
	return []byte(b.String()), nil
}

func (a *app) providers() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "providers",
		Short: "List the providers that have a profile",
		Args:  exactly(0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			catalogue, err := userCatalogue()
			if err != nil {
				return err
			}
			if asJSON {
				text, err := json.Marshal(catalogue.Profiles(), json.Deterministic(true))
				if err != nil {
					return err
				}
				return a.output("", append(text, '\n'))
			}
			rows := table{head: []string{"PROVIDER", "ALIASES", "DEFAULT API", "FAMILY", "VERIFIED"}}
			for _, p := range catalogue.Profiles() {
				rows.add(p.ID, strings.Join(p.Aliases, " "), p.DefaultAPI, p.Family, p.Verified)
			}
			rows.print(a.stdout)
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}
