package cli

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"hygeia"
	"hygeia/session"
)

func (a *app) check() *cobra.Command {
	in, out := &input{session: session.OpenOptions{AsIs: true}}, &output{}
	var all, asSARIF bool
	c := &cobra.Command{
		Use:   "check FILE --to PROVIDER/MODEL",
		Short: "Say what the provider would refuse in a session, a list of messages or a request",
		Long: `Holds FILE (or - for standard input) against the rulebook of the provider. For a
session or a list of messages the findings are what the provider would answer if
it were sent as it is stored, and their paths point into the list of messages; for
the body of a request (--format request:API) they point into the body. The exit
code is 1 when there are findings. --all asks one target of each kind of provider.`,
		Args: exactly(1, "one FILE or -"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := a.notInput(in.files(args[0]), out.path); err != nil {
				return err
			}
			if all {
				if asSARIF {
					return usage("--all prints verdicts about many targets, which are no SARIF: leave out one of --all and --sarif")
				}
				return a.checkAll(c, args[0], in, out)
			}
			findings, err := a.findings(c, args[0], in)
			if err != nil {
				return err
			}
			if asSARIF {
				err = a.sarif(out, args[0], findings)
			} else {
				err = a.show(out, findingsJSON{findings}, func(w io.Writer, width int) { printFindings(w, width, findings) })
			}
			if err == nil && len(findings) > 0 {
				return errPending
			}
			return err
		},
	}
	in.flags(c)
	out.flags(c)
	c.Flags().BoolVar(&all, "all", false, "ask one target of each kind of provider")
	c.Flags().BoolVar(&asSARIF, "sarif", false, "print SARIF 2.1.0")
	return c
}

// findingsJSON are findings as scripts read them (design §8).
type findingsJSON struct {
	Findings []hygeia.Finding `json:"findings"`
}

// findings checks the body of a request as it stands, or what a transcript would
// be answered.
func (a *app) findings(c *cobra.Command, path string, in *input) ([]hygeia.Finding, error) {
	target, err := in.resolve()
	if err != nil {
		return nil, err
	}
	if err := in.checkFormat(); err != nil {
		return nil, err
	}
	api, isBody := hygeia.Format(in.format).API()
	var read []byte // the body, where its shape had to be looked at
	if !isBody {
		t, err := a.open(path, in)
		if err != nil {
			return nil, err
		}
		if t.Format == hygeia.FormatSession || t.Format == hygeia.FormatMessages {
			o, err := in.options(c, target)
			if err != nil {
				return nil, err
			}
			return t.Check(target, o)
		}
		api, _ = t.Format.API() // found by its shape
		read = t.Request.Body.AppendTo(nil)
	}
	if target.API == "" {
		target.API = api
	}
	o, err := in.policyOptions(c, target)
	if err != nil {
		return nil, err
	}
	if read != nil {
		return hygeia.CheckBody(bytes.NewReader(read), target, o)
	}
	if path == "-" {
		return hygeia.CheckBody(a.stdin, target, o)
	}
	return hygeia.CheckFile(path, target, o)
}

func printFindings(w io.Writer, width int, findings []hygeia.Finding) {
	rows := table{head: []string{"RULE", "STATUS", "PATH", "ANSWER"}}
	for _, f := range findings {
		rows.add(f.Rule, strconv.Itoa(f.Status), f.Path, f.Message)
	}
	if len(findings) > 0 {
		rows.print(w, width)
	}
	fmt.Fprintln(w, plural(len(findings), "finding"))
}

// checkAll prints the matrix of targets and verdicts.
func (a *app) checkAll(c *cobra.Command, path string, in *input, out *output) error {
	if in.to != "" || in.api != "" {
		return usage("--all asks many targets: leave out --to and --api")
	}
	o, err := in.options(c, hygeia.Target{})
	if err != nil {
		return err
	}
	t, err := a.open(path, in)
	if err != nil {
		return err
	}
	verdicts, err := t.Matrix(o)
	if err != nil {
		return err
	}
	pending := false
	for _, v := range verdicts {
		pending = pending || len(v.Rules) > 0
	}
	if err := a.show(out, verdicts, func(w io.Writer, width int) { printMatrix(w, width, verdicts) }); err != nil {
		return err
	}
	if pending {
		return errPending
	}
	return nil
}

func printMatrix(w io.Writer, width int, verdicts []hygeia.Verdict) {
	rows := table{head: []string{"TARGET", "API", "VERDICT", "CHANGES", "RULES"}}
	for _, v := range verdicts {
		verdict := "accepts"
		switch {
		case v.Empty:
			verdict = "nothing to send"
		case len(v.Rules) > 0:
			verdict = "refuses"
		}
		rows.add(v.Target.Provider+"/"+v.Target.Model, v.Target.API, verdict, strconv.Itoa(v.Changes), strings.Join(v.Rules, " "))
	}
	rows.print(w, width)
}
