package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"hygeia"
	"hygeia/runner"
	"hygeia/runner/model"
	"hygeia/session"
)

// running holds the flags of the commands that let a model answer.
type running struct {
	input
	session string
	state   string
	hidden  string
	tools   []string
	dir     string
	script  string
	json    bool
}

func (r *running) flags(c *cobra.Command) {
	r.target.flags(c)
	r.images.flags(c)
	f := c.Flags()
	f.StringVar(&r.thinking, "thinking", "", "level of thinking: off, minimal, low, medium, high, max")
	f.StringVar(&r.system, "system", "", "`FILE` with the system prompt")
	f.IntVar(&r.maxTokens, "max-tokens", 0, "output limit in tokens (default: the model's own)")
	f.StringArrayVar(&r.tools, "tool", nil, "a `TOOL` that the model may call: read, list, shell, send; may be repeated")
	f.StringVar(&r.dir, "dir", ".", "the `FOLDER` of the tools: read and list see nothing else, shell only begins there")
	f.StringVar(&r.script, "script", "", "`FILE` with answers for --to emulator, as hygeia emulate takes them")
	f.BoolVar(&r.json, "json", false, "print the result as JSON when the run is over, and no stream")
}

func (a *app) runCommand() *cobra.Command {
	r := &running{}
	c := &cobra.Command{
		Use:   "run --session FILE --to PROVIDER/MODEL [PROMPT]",
		Short: "Put a prompt into a session and let the model answer",
		Long: `Puts PROMPT (without one: standard input) into a session file, which need not be
there, and lets the model answer. The answer streams on standard output, all else
goes to standard error. The file is repaired before if it needs that, and holds
afterwards what was said: the prompt and nothing that programs added to it.

A request that the provider refuses in words that the rulebook knows is sent once
more with what that rule asks for; one that is too large is sent again after a
compaction. Ctrl-C ends the answer; what was said so far stays.

Keys come from the environment (ANTHROPIC_API_KEY and so on) or from config.json in
$HYGEIA_HOME (models.providers.NAME.apiKey, baseUrl). --to emulator works offline:
a strict fake provider in this process that echoes or follows --script;
--to emulator/PROVIDER/MODEL is that of another provider.

The model may call no tools unless --tool names them. read and list are confined to
--dir. shell is not confined: it runs any command with your rights; of the
environment it gets PATH and the like, and no keys. send sends messages to other
sessions of --state, as hygeia send does.`,
		Args: between(0, 1, "one PROMPT, or none for standard input"),
		RunE: func(c *cobra.Command, args []string) error {
			prompt, err := a.prompt(r, args)
			if err != nil {
				return err
			}
			return a.converse(c, r, prompt)
		},
	}
	r.flags(c)
	f := c.Flags()
	f.StringVar(&r.session, "session", "", "the session `FILE`")
	f.StringVar(&r.state, "state", "", "the root `DIR` of the state in whose index the session stands: for --tool send, and for limits of its channel")
	f.StringVar(&r.hidden, "context", "", "`FILE` with context for this answer alone, which is not stored")
	f.StringArrayVar(&r.attached, "image", nil, "attach the picture in `FILE`; may be repeated")
	return c
}

// maxPrompt is the longest prompt, in bytes.
const maxPrompt = 16 << 20

func (a *app) prompt(r *running, args []string) (p runner.Prompt, err error) {
	if r.session == "" {
		return p, usage("--session FILE is missing")
	}
	if len(args) > 0 {
		p.Body = args[0]
	} else {
		text, err := io.ReadAll(io.LimitReader(a.stdin, maxPrompt))
		if err != nil {
			return p, err
		}
		p.Body = strings.TrimRight(string(text), "\r\n")
	}
	p.Body = strings.ToValidUTF8(p.Body, "\uFFFD")
	if p.Pictures, err = readPictures(r.attached); err != nil {
		return p, err
	}
	if r.hidden != "" {
		text, err := readUpTo(r.hidden, maxPrompt)
		if err != nil {
			return p, err
		}
		p.Hidden = strings.ToValidUTF8(string(text), "\uFFFD")
	}
	if strings.TrimSpace(p.Body) == "" && len(p.Pictures) == 0 && p.Hidden == "" {
		return p, usageError{runner.ErrNothing}
	}
	return p, nil
}

// converse runs one prompt.
func (a *app) converse(c *cobra.Command, r *running, p runner.Prompt) error {
	run, end, err := a.runnerOf(c, r)
	if err != nil {
		return err
	}
	defer end()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	show := &stream{a: a, quiet: r.json}
	result, err := run.Run(ctx, r.session, p, show.event)
	show.end(result)
	a.tell(result)
	if r.json {
		if err := a.printResult(run.Target(), result, err); err != nil {
			return err
		}
	}
	return err
}

// stream prints an answer while it comes.
type stream struct {
	a     *app
	quiet bool
	open  bool // the line is not over
	shown bool
}

func (s *stream) event(e runner.Event) {
	switch {
	case e.Kind == runner.Said && e.Model.Kind == model.Text && !s.quiet:
		s.print(e.Model.Text)
	case e.Kind == runner.Called:
		s.line()
		note := "done"
		if e.Result.Failed {
			note = "failed"
		}
		fmt.Fprintf(s.a.stderr, "tool %s: %s\n", safe(e.Call.Name), note)
	case e.Kind == runner.Said && e.Model.Kind == model.Retrying:
		fmt.Fprintf(s.a.stderr, "the provider is overloaded; trying again in %s\n", e.Model.Wait)
	case e.Kind == runner.Resent:
		fmt.Fprintf(s.a.stderr, "refused by the provider, sent again: %s\n", safe(e.Text))
	case e.Kind == runner.Compacted:
		fmt.Fprintf(s.a.stderr, "compacted: %s\n", safe(e.Text))
	}
}

func (s *stream) print(text string) {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.ReplaceAll(safe(lines[i]), `\u0009`, "\t")
	}
	fmt.Fprint(s.a.stdout, strings.Join(lines, "\n"))
	if text != "" {
		s.open, s.shown = lines[len(lines)-1] != "", true
	}
}

// line ends the line on which the answer stands.
func (s *stream) line() {
	if s.open {
		fmt.Fprintln(s.a.stdout)
		s.open = false
	}
}

// end prints an answer that was there before (X-08, F-44), and ends the last line.
func (s *stream) end(r *runner.Result) {
	if r.Repeated && !s.shown && !s.quiet {
		s.print(r.Text)
	}
	s.line()
}

// tell says on standard error what people have to know of a run.
func (a *app) tell(r *runner.Result) {
	if r.Repair != nil {
		fmt.Fprintf(a.stderr, "the session file was repaired: %s\n", plural(r.Repair.Changes, "change"))
		for _, path := range []string{r.Repair.BackupPath, r.Repair.QuarantinePath} {
			if path != "" {
				fmt.Fprintf(a.stderr, "kept: %s\n", safe(path))
			}
		}
	}
	for _, note := range r.Notes {
		fmt.Fprintln(a.stderr, safe(note))
	}
}

// resultJSON is a result as scripts read it.
type resultJSON struct {
	Target      hygeia.Target         `json:"target"`
	Text        string                `json:"text"`
	StopReason  string                `json:"stopReason"`
	Entry       string                `json:"entry,omitzero"`
	Repeated    bool                  `json:"repeated,omitzero"`
	Requests    int                   `json:"requests"`
	Usage       usageJSON             `json:"usage"`
	Resent      []string              `json:"resent"`
	Notes       []string              `json:"notes"`
	Compactions int                   `json:"compactions,omitzero"`
	Report      jsontext.Value        `json:"report,omitzero"`
	Repair      *session.RepairReport `json:"repair,omitzero"`
	Error       string                `json:"error,omitzero"`
}

type usageJSON struct {
	Input      int64 `json:"input"`
	Output     int64 `json:"output"`
	CacheRead  int64 `json:"cacheRead"`
	CacheWrite int64 `json:"cacheWrite"`
}

func (a *app) printResult(target hygeia.Target, r *runner.Result, failed error) error {
	out := resultJSON{
		Target: target, Text: r.Text, StopReason: r.StopReason, Entry: r.Entry, Repeated: r.Repeated, Requests: r.Requests,
		Usage: usageJSON(r.Usage), Resent: append([]string{}, r.Resent...), Notes: append([]string{}, r.Notes...),
		Compactions: r.Compactions, Repair: r.Repair,
	}
	if r.Report != nil {
		var err error
		if out.Report, err = (&hygeia.Transcript{}).ReportJSON(&hygeia.Replay{Report: r.Report}); err != nil {
			return err
		}
	}
	if failed != nil {
		out.Error = oneLine(failed)
	}
	line, err := jsonLine(out)
	if err != nil {
		return err
	}
	_, err = a.stdout.Write(line)
	return err
}
