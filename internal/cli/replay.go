package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"hygeia"
	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/policy"
	"hygeia/session"
	"hygeia/wire"
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
		return hygeia.Target{}, usage("--to PROVIDER/MODEL is missing; hygeia providers lists the providers")
	}
	if !utf8.ValidString(t.to + t.api) {
		return hygeia.Target{}, usage("--to and --api must be UTF-8")
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
	images               imageFlags
	attached             []string
	session              session.OpenOptions // how a session file is opened
}

func (in *input) flags(c *cobra.Command) {
	in.target.flags(c)
	in.images.flags(c)
	f := c.Flags()
	f.StringVar(&in.format, "format", "auto", "form of the input: auto, session, messages, request:API")
	f.StringVar(&in.leaf, "leaf", "", "replay the branch that ends at this `ENTRY`")
	f.StringVar(&in.prompt, "prompt", "", "append this user turn")
	f.StringArrayVar(&in.attached, "image", nil, "attach the picture in `FILE` to the prompt; may be repeated")
	f.StringVar(&in.thinking, "thinking", "", "level of thinking: off, minimal, low, medium, high, max")
	f.StringVar(&in.tools, "tools", "", "`FILE` with tool definitions in the target's form, a JSON array")
	f.StringVar(&in.system, "system", "", "`FILE` with the system prompt")
	f.IntVar(&in.maxTokens, "max-tokens", 0, "output limit in tokens (default: the model's own)")
}

// files are the files that are read.
func (in *input) files(path string) []string {
	return append([]string{path, in.tools, in.system}, in.attached...)
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
	if err != nil && t.Repair != nil && t.Repair.Repaired {
		done()
		printProblems(a.stderr, terminalWidth(a.stderr), t) // that is done all the same
	}
	return t, r, err
}

// checkFormat demands a format that there is.
func (in *input) checkFormat() error {
	switch f := hygeia.Format(in.format); f {
	case hygeia.FormatAuto, hygeia.FormatSession, hygeia.FormatMessages:
		return nil
	default:
		switch api, ok := f.API(); {
		case ok && api == "":
			return usage("--format %s names no API: expected auto, session, messages or request:API", in.format)
		case !ok:
			return usage("--format %s: expected auto, session, messages or request:API", in.format)
		case !slices.Contains(policy.APIs(), api):
			return usage("--format %s: no such API; expected one of %s", in.format, strings.Join(policy.APIs(), ", "))
		}
		return nil
	}
}

func (a *app) open(path string, in *input) (*hygeia.Transcript, error) {
	if err := in.checkFormat(); err != nil {
		return nil, err
	}
	o := hygeia.OpenOptions{Format: hygeia.Format(in.format), Leaf: in.leaf, Session: in.session}
	if path == "-" {
		return written(hygeia.Read(a.stdin, "standard input", o))
	}
	return written(hygeia.Open(path, o))
}

// written calls it a wrong use to write what cannot be written, and to leave out the
// format where the input may have several.
func written(t *hygeia.Transcript, err error) (*hygeia.Transcript, error) {
	switch {
	case errors.Is(err, hygeia.ErrWrite):
		err = usage("--write: %w", err)
	case errors.Is(err, wire.ErrAmbiguous):
		err = usage("%w: --format request:API, with one of %s", err, strings.Join(policy.APIs(), ", "))
	}
	return t, err
}

func (in *input) options(c *cobra.Command, t hygeia.Target) (hygeia.ReplayOptions, error) {
	o := hygeia.ReplayOptions{Prompt: in.prompt}
	var err error
	if o.Policy, err = in.policyOptions(c, t); err != nil {
		return o, err
	}
	if o.Images, err = in.images.limits(c); err != nil {
		return o, err
	}
	if o.Attach, err = readPictures(in.attached); err != nil {
		return o, err
	}
	if o.Payload.Identity, err = identity(o.Policy.Catalogue, t); err != nil {
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
		if res, err := policy.Resolve(t, o.Policy); err == nil {
			if err := payload.CheckTools(res.Target.API, o.Payload.Tools); err != nil {
				return o, usage("--tools %s: %w", in.tools, err)
			}
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
		return v, fmt.Errorf("--tools %s: expected a JSON array of tool definitions", path)
	}
	return v, nil
}

func (a *app) replay() *cobra.Command {
	in, out := &input{}, &reporting{}
	c := &cobra.Command{
		Use:   "replay FILE --to PROVIDER/MODEL",
		Short: "Turn a stored session into a request that the provider accepts",
		Long: `Reads a session file, a list of messages or the body of a request (FILE, or -
for standard input), builds the context of its active branch, applies what the
target needs, and prints the request body on standard output. A request keeps
its own parameters in the format that it came in (--format request:API, found by
its shape where that is plain). The report of every change goes to standard
error. A damaged session file is repaired before: in memory, and with --write on
the disk as repair does it. Else nothing is written to FILE.`,
		Args: exactly(1, "one FILE or -"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := out.settle(a); err != nil {
				return err
			}
			if err := a.notInput(in.files(args[0]), out.path, out.file); err != nil {
				return err
			}
			run := func(lock func(string) (session.Held, error)) error {
				in.session.Lock = lock
				t, r, err := a.run(c, args[0], in, out.emit != "payload")
				if err != nil {
					return noBody(err, in.api)
				}
				if in.session.Write {
					a.unwritten(t)
				}
				return a.emit(out, t, r)
			}
			if in.session.Write {
				return a.locking(run)
			}
			return run(nil)
		},
	}
	in.flags(c)
	c.Flags().BoolVar(&in.session.Write, "write", false, "repair a damaged session file on the disk, not in memory only")
	out.flags(c)
	return c
}

// unwritten says that a repair that was asked for did not come to the disk (F-B17),
// which no other report need show.
func (a *app) unwritten(t *hygeia.Transcript) {
	if r := t.Repair; r != nil && r.InMemoryOnly {
		fmt.Fprintf(a.stderr, "hygeia: %s was repaired in memory only: %s\n", safe(t.Name), safe(r.Reason))
	}
}

// noBody says what to do where no body can be built.
func noBody(err error, api string) error {
	switch {
	case !errors.Is(err, hygeia.ErrNoConverter):
		return err
	case api != "" && !slices.Contains(policy.APIs(), policy.FoldAPI(api)):
		return usage("--api %s is unknown, so no body can be built; use --emit messages, or one of %s", api, strings.Join(policy.APIs(), ", "))
	}
	return fmt.Errorf("%w; use --emit messages", err)
}
