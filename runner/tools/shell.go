package tools

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// ShellOptions says how commands run. The zero value is useful.
type ShellOptions struct {
	// Dir is where commands begin. It confines nothing.
	Dir string
	// Env are names of variables that commands get besides the ones that every
	// program needs. What is not named stays out: keys of providers, for instance.
	Env []string
	// Timeout ends a command, 0 means 2 minutes.
	Timeout time.Duration
}

// ShellWarning is what people have to be told where the shell is switched on.
const ShellWarning = "the shell is not confined: it runs any command with your rights, wherever it begins"

// Shell is the tool that runs a command.
func Shell(o ShellOptions) Tool { return shell{o} }

type shell struct{ o ShellOptions }

func (shell) Name() string { return "shell" }

func (shell) Description() string {
	return "Run a command with sh -c and return what it prints. The exit code is told when it is not 0."
}

func (shell) Schema() string {
	return `{"type":"object","properties":{"command":{"type":"string"}},"required":["command"]}`
}

const maxOutput = 256 << 10 // bytes of what a command prints

func (t shell) Run(ctx context.Context, c Call) (Result, error) {
	var in struct {
		Command string `json:"command"`
	}
	if err := arguments(c, &in); err != nil {
		return Result{}, err
	}
	if strings.TrimSpace(in.Command) == "" {
		return Result{}, errors.New("the command is empty")
	}
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(t.o.Timeout, 2*time.Minute))
	defer cancel()
	var out tail
	cmd := exec.CommandContext(ctx, "sh", "-c", in.Command)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = t.o.Dir, t.environment(os.LookupEnv), &out, &out
	cmd.WaitDelay = time.Second // for what it started and left behind
	ownGroup(cmd)
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return Result{Text: out.String() + "\n(ended: " + context.Cause(ctx).Error() + ")", Failed: true}, nil
	case errors.As(err, &exit):
		return Result{Text: fmt.Sprintf("%s\n(exit code %d)", out.String(), exit.ExitCode()), Failed: true}, nil
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return Result{}, err
	}
	return Result{Text: cmp.Or(out.String(), "(no output)")}, nil
}

// needed are the variables that programs need to run at all.
var needed = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "LC_CTYPE", "TERM", "TZ", "TMPDIR",
	"SYSTEMROOT", "COMSPEC", "PATHEXT", "TEMP", "TMP", "USERPROFILE",
}

func (t shell) environment(lookup func(string) (string, bool)) []string {
	env := []string{} // not nil, which would mean all of it
	for _, name := range slices.Concat(needed, t.o.Env) {
		if value, ok := lookup(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// tail keeps the last bytes that were printed.
type tail struct {
	b    bytes.Buffer
	lost int
}

func (t *tail) Write(p []byte) (int, error) {
	t.b.Write(p)
	if over := t.b.Len() - maxOutput; over > maxOutput { // seldom, so that moving costs little
		t.lost += len(t.b.Next(over))
	}
	return len(p), nil
}

func (t *tail) String() string {
	if over := t.b.Len() - maxOutput; over > 0 {
		t.lost += len(t.b.Next(over))
	}
	text := strings.ToValidUTF8(t.b.String(), "\uFFFD")
	if t.lost > 0 {
		return fmt.Sprintf("(%d bytes left out)\n%s", t.lost, text)
	}
	return text
}
