package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"hygeia"
	"hygeia/internal/jsonline"
	"hygeia/payload"
)

// target holds the flags that name the model of the next request.
type target struct {
	to, api   string
	reasoning bool
	noImages  bool
}

func (t *target) flags(c *cobra.Command) {
	c.Flags().StringVar(&t.to, "to", "", "the target as `PROVIDER/MODEL`")
	c.Flags().StringVar(&t.api, "api", "", "the API of the target, where it is not the provider's default")
	c.Flags().BoolVar(&t.reasoning, "reasoning", false, "the model reasons (--reasoning=false: it does not)")
	c.Flags().BoolVar(&t.noImages, "no-images", false, "the model takes no images")
}

func (t *target) resolve() (hygeia.Target, error) {
	if t.to == "" {
		return hygeia.Target{}, usage("--to PROVIDER/MODEL is required")
	}
	target, err := hygeia.ParseTarget(t.to)
	if err != nil {
		return target, usageError{err}
	}
	target.API = t.api
	return target, nil
}

// input holds the flags that say what is replayed.
type input struct {
	target
	format, leaf, prompt string
	thinking             string
	tools, system        string
	maxTokens            int
}

func (in *input) flags(c *cobra.Command) {
	in.target.flags(c)
	f := c.Flags()
	f.StringVar(&in.format, "format", "auto", "form of the input: auto, session, messages")
	f.StringVar(&in.leaf, "leaf", "", "replay the branch that ends at this `ENTRY`")
	f.StringVar(&in.prompt, "prompt", "", "append this user turn")
	f.StringVar(&in.thinking, "thinking", "", "level of thinking: off, minimal, low, medium, high, max")
	f.StringVar(&in.tools, "tools", "", "`FILE` with tool definitions in the target's form, a JSON array")
	f.StringVar(&in.system, "system", "", "`FILE` with the system prompt")
	f.IntVar(&in.maxTokens, "max-tokens", 0, "output limit in tokens (default: the model's own)")
}

// run opens the input and replays it for the target.
func (a *app) run(c *cobra.Command, path string, in *input, messagesOnly bool) (*hygeia.Transcript, *hygeia.Replay, error) {
	target, err := in.resolve()
	if err != nil {
		return nil, nil, err
	}
	o, err := in.options(c, target)
	if err != nil {
		return nil, nil, err
	}
	o.MessagesOnly = messagesOnly
	done := a.progress("reading " + path)
	defer done()
	t, err := a.open(path, in)
	if err != nil {
		return nil, nil, err
	}
	r, err := t.Replay(target, o)
	return t, r, err
}

func (a *app) open(path string, in *input) (*hygeia.Transcript, error) {
	o := hygeia.OpenOptions{Format: hygeia.Format(in.format), Leaf: in.leaf}
	switch o.Format {
	case hygeia.FormatAuto, hygeia.FormatSession, hygeia.FormatMessages:
	default:
		return nil, usage("--format %s: expected auto, session or messages", in.format)
	}
	if path == "-" {
		return hygeia.Read(a.stdin, "standard input", o)
	}
	return hygeia.Open(path, o)
}

func (in *input) options(c *cobra.Command, t hygeia.Target) (hygeia.ReplayOptions, error) {
	o := hygeia.ReplayOptions{Prompt: in.prompt}
	var err error
	if o.Policy, err = in.policyOptions(c, t); err != nil {
		return o, err
	}
	o.Payload.MaxTokens = in.maxTokens
	if in.maxTokens < 0 {
		return o, usage("--max-tokens must not be negative")
	}
	if o.Payload.Thinking = payload.LevelOf(in.thinking); o.Payload.Thinking == "" && in.thinking != "" {
		return o, usage("--thinking %s: expected off, minimal, low, medium, high or max", in.thinking)
	}
	if in.system != "" {
		text, err := os.ReadFile(in.system)
		if err != nil {
			return o, err
		}
		o.Payload.System = string(bytes.ToValidUTF8(text, []byte("\uFFFD")))
	}
	if in.tools != "" {
		if o.Payload.Tools, err = readTools(in.tools); err != nil {
			return o, err
		}
	}
	return o, nil
}

func readTools(path string) (jsonline.Value, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return jsonline.Value{}, err
	}
	v := jsonline.Parse(text)
	if v.Kind != jsonline.Array {
		return v, usage("--tools %s: expected a JSON array of tool definitions", path)
	}
	return v, nil
}

func (a *app) replay() *cobra.Command {
	in := &input{}
	var emit, report, reportFile, out string
	var asJSON bool
	c := &cobra.Command{
		Use:   "replay FILE --to PROVIDER/MODEL",
		Short: "Turn a stored session into a request that the provider accepts",
		Long: `Reads a session file or a list of messages (FILE, or - for standard input),
builds the context of its active branch, applies what the target needs, and
prints the request body on standard output. The report of every change goes to
standard error. Nothing is written to FILE.`,
		Args: exactly(1, "one FILE or -"),
		RunE: func(c *cobra.Command, args []string) error {
			if asJSON {
				report = "json"
			}
			if err := oneOf("--emit", emit, "payload", "messages", "report"); err != nil {
				return err
			}
			if err := oneOf("--report", report, "", "text", "json", "none"); err != nil {
				return err
			}
			if err := notInput(args[0], out, reportFile); err != nil {
				return err
			}
			t, r, err := a.run(c, args[0], in, emit != "payload")
			if err != nil {
				return err
			}
			return a.emit(t, r, emit, report, reportFile, out)
		},
	}
	in.flags(c)
	f := c.Flags()
	f.StringVar(&emit, "emit", "payload", "what goes to standard output: payload, messages, report")
	f.StringVar(&report, "report", "", "form of the report: text, json, none (default text)")
	f.BoolVar(&asJSON, "json", false, "short for --report json")
	f.StringVar(&reportFile, "report-file", "", "write the report to `FILE` instead of standard error")
	f.StringVarP(&out, "output", "o", "", "write to `FILE` what would go to standard output")
	return c
}

func oneOf(flag, value string, legal ...string) error {
	for _, l := range legal {
		if value == l {
			return nil
		}
	}
	return usage("%s %s: expected one of %v", flag, value, legal)
}

// emit writes the result and the report to their places.
func (a *app) emit(t *hygeia.Transcript, r *hygeia.Replay, emit, report, reportFile, out string) error {
	if emit == "report" {
		text, err := a.report(t, r, report)
		if err != nil {
			return err
		}
		return a.output(out, text)
	}
	body := r.Body
	if emit == "messages" {
		body = r.MessagesJSON()
	}
	if err := a.output(out, append(body, '\n')); err != nil {
		return err
	}
	if report == "none" {
		return nil
	}
	text, err := a.report(t, r, report)
	if err != nil {
		return err
	}
	if reportFile != "" {
		return os.WriteFile(reportFile, text, 0o600)
	}
	_, err = a.stderr.Write(text)
	return err
}

func (a *app) report(t *hygeia.Transcript, r *hygeia.Replay, form string) ([]byte, error) {
	if form == "json" {
		text, err := t.ReportJSON(r)
		return append(text, '\n'), err
	}
	var b bytes.Buffer
	printReport(&b, t, r)
	return b.Bytes(), nil
}

// printReport writes the report as a table for people.
func printReport(w io.Writer, t *hygeia.Transcript, r *hygeia.Replay) {
	printProblems(w, t)
	rows := table{head: []string{"MESSAGE", "ENTRY", "RULE", "CHANGE", "REASON"}}
	for i := range r.Report.Changes {
		c := &r.Report.Changes[i]
		rows.add(place(c), c.Entry, c.Rule, changeText(c), c.Reason)
	}
	if len(rows.rows) > 0 {
		rows.print(w)
	}
	target := r.Resolution.Target
	fmt.Fprintf(w, "%s to %s/%s (%s)\n", plural(len(rows.rows), "change"), safe(target.Provider), safe(target.Model), safe(target.API))
	for _, n := range r.Report.Notes {
		fmt.Fprintf(w, "note: %s\n", safe(n))
	}
}
