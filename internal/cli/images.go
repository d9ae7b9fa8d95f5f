package cli

import (
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"hygeia/hygiene/passes/images"
	"hygeia/imaging"
	"hygeia/policy"
	"hygeia/session"
)

func (a *app) images() *cobra.Command {
	in, out := &input{session: session.OpenOptions{AsIs: true}}, &output{}
	var extract string
	c := &cobra.Command{
		Use:   "images FILE",
		Short: "List the pictures of a session and what would become of them",
		Long: `Lists the pictures of every message in FILE (or - for standard input): what they
are, what they are declared to be, and how they would go out to a provider, or to
the one that --to names. --extract DIR writes them to files as they are stored.`,
		Args: exactly(1, "one FILE or -"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := a.notInput(in.files(args[0]), out.path); err != nil {
				return err
			}
			limits, blind, err := in.pictureLimits(c)
			if err != nil {
				return err
			}
			done := a.progress("reading " + args[0])
			defer done()
			t, err := a.open(args[0], in)
			if err != nil {
				return err
			}
			list := pictures(t)
			judge(list, limits, blind)
			if extract != "" {
				if err := writePictures(extract, list); err != nil {
					return err
				}
			}
			answer := struct {
				Pictures []*picture `json:"pictures"`
			}{list}
			return a.show(out, answer, func(w io.Writer, width int) { printPictures(w, width, list) })
		},
	}
	in.target.flags(c)
	in.images.flags(c)
	c.Flags().StringVar(&in.format, "format", "auto", "form of the input: auto, session, messages, request:API")
	c.Flags().StringVar(&extract, "extract", "", "write the pictures, as they are stored, to files in `DIR`")
	out.flags(c)
	return c
}

// pictureLimits are those of the user and, if there is one, of the target; blind
// says that it takes no pictures.
func (in *input) pictureLimits(c *cobra.Command) (l imaging.Limits, blind bool, err error) {
	if l, err = in.images.limits(c); err != nil || in.to == "" {
		return l, in.noImages, err
	}
	target, err := in.resolve()
	if err != nil {
		return l, false, err
	}
	o, err := in.policyOptions(c, target)
	if err != nil {
		return l, false, err
	}
	res, err := policy.Resolve(target, o)
	if err != nil {
		return l, false, err
	}
	return images.Limits(l, res.Policy), !res.Policy.Model.Images, nil
}

func printPictures(w io.Writer, width int, list []*picture) {
	rows := table{head: []string{"#", "ENTRY", "TYPE", "DECLARED", "PIXELS", "BYTES", "GOES OUT"}}
	for _, p := range list {
		entry := p.Entry
		if entry == "" {
			entry = strconv.Itoa(p.Message)
		}
		pixels, bytes := "", ""
		if p.Width > 0 {
			pixels = fmt.Sprintf("%dx%d", p.Width, p.Height)
		}
		if p.Type != "" {
			bytes = imaging.Size(p.Bytes)
		}
		rows.add(strconv.Itoa(p.Number), fmt.Sprintf("%s/%d", entry, p.Block), p.Type, p.Declared, pixels, bytes, p.outcome())
	}
	if len(list) > 0 {
		rows.print(w, width)
	}
	fmt.Fprintln(w, plural(len(list), "picture"))
}

// outcome says in a few words what would become of a picture, and why.
func (p *picture) outcome() string {
	switch p.Action {
	case "keep":
		if p.Type != p.Declared {
			return "as it is, named " + p.Type
		}
		return "as it is"
	case "change":
		return fmt.Sprintf("%s %dx%d %s: %s", p.Out.Type, p.Out.Width, p.Out.Height, imaging.Size(p.Out.Bytes), p.Reason)
	case "omit":
		return "not at all: " + p.Reason
	}
	return p.Reason
}
