// Package cli is the command line: it turns flags into calls of the facade and
// results into text or JSON. It holds no rule of hygiene.
//
// Exit codes: 0 fine, 1 findings or changes pending, 2 wrong use, 3 failure.
package cli

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// The exit codes that scripts depend on.
const (
	exitFine    = 0
	exitPending = 1
	exitUsage   = 2
	exitFailure = 3
)

// errPending ends a command with exit code 1 and no message.
var errPending = errors.New("changes are pending")

// usageError is a wrong use of the command line.
type usageError struct{ err error }

func (e usageError) Error() string { return e.err.Error() }
func (e usageError) Unwrap() error { return e.err }

func usage(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// app is what the commands share.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
}

// Main runs the command line and returns the exit code.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := &app{stdin: stdin, stdout: stdout, stderr: stderr}
	root := a.root()
	root.SetArgs(args)
	err := root.Execute()
	var wrong usageError
	switch {
	case err == nil:
		return exitFine
	case errors.Is(err, errPending):
		return exitPending
	case errors.As(err, &wrong):
		fmt.Fprintf(stderr, "hygeia: %s\n", oneLine(err))
		return exitUsage
	}
	fmt.Fprintf(stderr, "hygeia: %s\n", oneLine(err))
	return exitFailure
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:     "hygeia",
		Version: version(),
		Short:   "Keeps the transcripts of LLM agents healthy",
		Long: `Keeps the transcripts of LLM agents healthy: turns a stored session into a request
that the chosen provider accepts, and says what was changed and why.

Exit codes: 0 fine, 1 findings or changes pending, 2 wrong use, 3 failure.
$HYGEIA_HOME may hold profiles/*.json and config.json.`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noUnknownCommand,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetVersionTemplate("hygeia {{.Version}}\n")
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usage("%s; see %s --help", flagText(err), c.CommandPath())
	})
	root.SetHelpCommand(help())
	root.AddCommand(a.replay(), a.repair(), a.check(), a.explain(), a.policy(), a.rules(), a.providers(), a.images(), a.emulate(), a.runCommand(), a.send())
	root.AddCommand(a.proxy())
	root.AddCommand(a.compact(), a.history(), a.sessions(), a.serve(), a.chat())
	root.AddCommand(a.acp())
	return root
}

// version is that of the module, or of the commit the program was built from.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// flagText says what a flag takes, where its value is none of that kind.
func flagText(err error) string {
	var number *strconv.NumError
	if !errors.As(err, &number) {
		return err.Error()
	}
	want := "expected a whole number"
	switch {
	case number.Func == "ParseBool":
		want = "expected true or false"
	case errors.Is(number, strconv.ErrRange):
		want = "the number is too large"
	}
	return strings.TrimSuffix(err.Error(), number.Error()) + want
}

func help() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Tell about a command",
		RunE: func(c *cobra.Command, args []string) error {
			about, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return noUnknownCommand(c.Root(), args)
			}
			return about.Help()
		},
	}
}

// noUnknownCommand refuses arguments of the root: a command that there is does
// not come here.
func noUnknownCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	root.SuggestionsMinimumDistance = 2
	if near := root.SuggestionsFor(args[0]); len(near) > 0 {
		return usage("unknown command %q; did you mean %s?", args[0], strings.Join(near, " or "))
	}
	return usage("unknown command %q; see hygeia --help", args[0])
}

// exactly demands n arguments, none of them empty, and says what is missing.
func exactly(n int, what string) cobra.PositionalArgs {
	return cobra.MatchAll(between(n, n, what), unnamed)
}

// between demands from least to most arguments.
func between(least, most int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) < least || len(args) > most {
			return usage("%s takes %s, got %s; see %s --help", c.Name(), what, plural(len(args), "argument"), c.CommandPath())
		}
		return nil
	}
}

// unnamed refuses an empty argument, as a variable gives it that is not set.
func unnamed(c *cobra.Command, args []string) error {
	if slices.Contains(args, "") {
		return usage("%s was given an empty argument; see %s --help", c.Name(), c.CommandPath())
	}
	return nil
}

// oneLine returns an error on one line that is safe to show.
func oneLine(err error) string {
	return safe(strings.Join(strings.FieldsFunc(err.Error(), func(r rune) bool { return r == '\n' || r == '\r' }), "; "))
}
