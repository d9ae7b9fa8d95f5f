package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"hygeia/runner"
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
	patient time.Duration
}

func (r *running) flags(c *cobra.Command) {
	r.target.flags(c)
	r.images.flags(c)
	f := c.Flags()
	f.StringVar(&r.thinking, "thinking", "", "level of thinking: off, minimal, low, medium, high, max")
	f.StringVar(&r.system, "system", "", "`FILE` with the system prompt")
	f.IntVar(&r.maxTokens, "max-tokens", 0, "output limit in tokens (default: the model's own)")
	f.StringArrayVar(&r.tools, "tool", nil, "a `TOOL` that the model may call: read, list, shell, send, sessions; may be repeated")
	f.StringVar(&r.dir, "dir", ".", "the `FOLDER` of the tools: read and list see nothing else, shell only begins there")
	f.StringVar(&r.script, "script", "", "`FILE` with answers for --to emulator, as hygeia emulate takes them")
	f.DurationVar(&r.patient, "wait", 10*time.Minute, "how long to wait while another process runs in the session")
	f.BoolVar(&r.json, "json", false, "print the result as JSON when the run is over, and no stream")
}

func (a *app) runCommand() *cobra.Command {
	r := &running{}
	c := &cobra.Command{
		Use:   "run --session FILE --to PROVIDER/MODEL [PROMPT]",
		Short: "Put a prompt into a session and let the model answer",
		Long: `Puts PROMPT (without one, or with -: standard input) into a session file, which
need not be there, and lets the model answer. The answer streams on standard output,
all else goes to standard error. The file is repaired before if it needs that, and
holds afterwards what was said: the prompt and nothing that programs added to it.

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
sessions of --state, as hygeia send does, and sessions reads them: those that may be
sent to.`,
		Args: between(0, 1, "one PROMPT, or - or none for standard input"),
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
	f.StringVar(&r.state, "state", "", "the root `DIR` of the state in whose index the session stands: for --tool send and sessions, and for limits of its channel")
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
	if p.Body, err = a.words(args); err != nil {
		return p, err
	}
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

// words returns what is to be said: the argument, or standard input for - or none.
func (a *app) words(args []string) (string, error) {
	if len(args) > 0 && args[0] != "-" {
		return strings.ToValidUTF8(args[0], "\uFFFD"), nil
	}
	text, err := io.ReadAll(io.LimitReader(a.stdin, maxPrompt))
	return strings.ToValidUTF8(strings.TrimRight(string(text), "\r\n"), "\uFFFD"), err
}

// converse runs one prompt.
func (a *app) converse(c *cobra.Command, r *running, p runner.Prompt) error {
	run, end, err := a.runnerOf(c, r)
	if err != nil {
		return err
	}
	defer end()
	ctx, stop := untilTold()
	defer stop()
	defer surviveClosedPipes()()
	show := &stream{a: a, quiet: r.json, stop: stop}
	result, err := run.Run(ctx, r.session, p, show.event)
	show.end(result)
	a.tell(result)
	if err != nil && !errors.Is(err, runner.ErrNotStored) {
		err = fmt.Errorf("%w; the prompt is stored", err) // whoever sends it again sends it twice
	}
	if show.failed != nil {
		return show.failed
	}
	if r.json {
		if err := a.printResult(run.Target(), result, err); err != nil {
			return err
		}
	}
	return err
}

// surviveClosedPipes lets a write to a closed pipe fail where it would end the
// program with what the model said unstored. The returned function undoes it.
func surviveClosedPipes() func() {
	told := make(chan os.Signal, 1)
	signal.Notify(told, syscall.SIGPIPE) // not ignored: a shell that is a tool would inherit that
	return func() { signal.Stop(told) }
}
