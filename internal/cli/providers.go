package cli

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"hygeia/policy"
)

func (a *app) providers() *cobra.Command {
	out := &output{}
	c := &cobra.Command{
		Use:   "providers",
		Short: "List the providers that have a profile",
		Args:  exactly(0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			if err := a.notInput(nil, out.path); err != nil {
				return err
			}
			catalogue, err := userCatalogue()
			if err != nil {
				return err
			}
			list := catalogue.Profiles()
			return a.show(out, list, func(w io.Writer, width int) { printProviders(w, width, list) })
		},
	}
	out.flags(c)
	return c
}

func printProviders(w io.Writer, width int, list []policy.ProfileInfo) {
	rows := table{head: []string{"PROVIDER", "DEFAULT API", "FAMILY", "VERIFIED", "ALIASES"}}
	for _, p := range list {
		rows.add(p.ID, p.DefaultAPI, p.Family, p.Verified, strings.Join(append(p.Aliases, p.AlsoAnswersTo...), " "))
	}
	rows.print(w, width)
}
