package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"hygeia"
	"hygeia/policy"
)

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
	t, out := &target{}, &output{}
	c := &cobra.Command{
		Use:   "policy --to PROVIDER/MODEL",
		Short: "Show the policy of a target and what set each field",
		Args:  exactly(0, "no arguments"),
		RunE: func(c *cobra.Command, _ []string) error {
			if err := a.notInput(nil, out.path); err != nil {
				return err
			}
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
			return a.show(out, res, func(w io.Writer, width int) { printPolicy(w, width, res) })
		},
	}
	t.flags(c)
	out.flags(c)
	return c
}

func printPolicy(w io.Writer, width int, res *policy.Resolution) {
	fmt.Fprintf(w, "policy for %s, family %s\n\n", targetText(res.Target), safe(res.Family))
	rows := table{head: []string{"FIELD", "VALUE", "FROM", "VERIFIED", "SOURCE"}}
	for _, e := range res.Trace {
		rows.add(e.Field, string(e.Value), e.From, e.Verified, e.Source)
	}
	rows.print(w, width)
	fmt.Fprintln(w, "every other field has its default")
	if res.UnknownProvider != "" {
		fmt.Fprintf(w, "note: provider %s is unknown: the fallback policy of its API applies\n", safe(res.UnknownProvider))
	}
}
