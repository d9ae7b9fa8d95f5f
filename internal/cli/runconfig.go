package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"hygeia/emulator"
	"hygeia/runner"
	"hygeia/runner/model"
	"hygeia/runner/tools"
	"hygeia/session"
)

// emulated is what --to says for a provider in this process.
const emulated = "emulator"

// emulatedTarget is the provider that it is where nobody names another one.
const emulatedTarget = "anthropic/claude-opus-4-6"

// runner makes what runs prompts, and the function that ends it.
func (a *app) runner(c *cobra.Command, r *running) (run *runner.Runner, end func(), err error) {
	o, end, err := a.runnerOptions(c, r)
	if err != nil {
		return nil, nil, err
	}
	if run, err = runner.New(o); err != nil {
		end()
		return nil, nil, err
	}
	return run, end, nil
}

// Tools that reach other sessions of an installation.
const (
	sendTool     = "send"
	sessionsTool = "sessions"
)

// runnerOf makes what runs prompts in the session of the flags. With --state the
// session is one of an installation; with the tool send the end waits for what came
// of the messages.
func (a *app) runnerOf(c *cobra.Command, r *running) (run *runner.Runner, end func(), err error) {
	if r.state == "" {
		for _, name := range []string{sendTool, sessionsTool} {
			if slices.Contains(r.tools, name) {
				return nil, nil, usage("--tool %s needs --state DIR", name)
			}
		}
		return a.runner(c, r)
	}
	if err := stateFolder(r.state); err != nil {
		return nil, nil, err
	}
	peer, ok, err := runner.Sessions{State: r.state}.At(r.session)
	switch {
	case err != nil:
		return nil, nil, err
	case !ok:
		return nil, nil, fmt.Errorf("%s stands in no index below %s", r.session, r.state)
	}
	names := r.tools
	r.tools = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == sendTool || name == sessionsTool })
	of, endModel, err := a.runners(c, r)
	if err != nil {
		return nil, nil, err
	}
	set, endTools, err := a.reaching(r, names, peer, of)
	if err == nil {
		run, err = of(peer.Key, set)
	}
	if err != nil {
		endModel()
		return nil, nil, err
	}
	return run, func() { endTools(); endModel() }, nil
}

// reaching returns the tools among those that names with which a session reaches others.
func (a *app) reaching(r *running, names []string, peer runner.Peer, of func(string, *tools.Set) (*runner.Runner, error)) (set *tools.Set, end func(), err error) {
	var list []tools.Tool
	end = func() {}
	if slices.Contains(names, sessionsTool) {
		o, err := postConfig(r.state)
		if err != nil {
			return nil, nil, err
		}
		if list, err = runner.HistoryTools(runner.Sessions{State: r.state}, o.Access, peer.Key); err != nil {
			return nil, nil, err
		}
	}
	if slices.Contains(names, sendTool) {
		post, failed, err := a.post(r.state, a.prose(r), of)
		if err != nil {
			return nil, nil, err
		}
		list = append(list, post.Tool(peer.Key))
		end = func() {
			post.Wait()
			if err := failed.err(); err != nil {
				fmt.Fprintln(a.stderr, oneLine(err))
			}
		}
	}
	set, err = tools.New(list...)
	return set, end, err
}

// runnerOptions reads flags and configuration, and starts the provider in this
// process where that is asked for.
func (a *app) runnerOptions(c *cobra.Command, r *running) (o runner.Options, end func(), err error) {
	config := model.Config{}
	end = func() {}
	if rest, ok := strings.CutPrefix(r.to, emulated); ok && (rest == "" || rest[0] == '/') {
		r.to = cmp.Or(strings.TrimPrefix(rest, "/"), emulatedTarget)
		server, err := a.inProcess(r.script)
		if err != nil {
			return o, nil, err
		}
		config.Emulator, end = server.URL, server.Close
	} else if r.script != "" {
		return o, nil, usage("--script is for --to emulator")
	}
	if o, err = a.runOptions(c, r); err == nil {
		config.Endpoints, err = userEndpoints(o.Replay.Policy.Catalogue)
	}
	if err != nil {
		end()
		return o, nil, err
	}
	client := model.New(config)
	o.Model, o.Replay.Payload.Identity = client, client.Identity(o.Replay.Policy.Catalogue.Fold(o.Target.Provider))
	return o, end, nil
}

func (a *app) inProcess(script string) (*emulator.Server, error) {
	var o emulator.Options
	if script != "" {
		steps, err := a.readScript(script)
		if err != nil {
			return nil, err
		}
		o.Respond = emulator.Script(steps...)
	}
	// What another process with the same answers has signed is taken for genuine, so
	// that a session can go on.
	return emulator.NewServer(o), nil
}

func (a *app) runOptions(c *cobra.Command, r *running) (o runner.Options, err error) {
	if o.Target, err = r.resolve(); err != nil {
		return o, err
	}
	if err := sessionFolder(r.session); err != nil {
		return o, err
	}
	if r.patient < 0 {
		return o, usage("--wait must not be negative")
	}
	o.Wait = max(r.patient, 1) // 0 is not to wait
	attached := r.attached
	r.attached = nil // they belong to the prompt, not to the replay
	o.Replay, err = r.options(c, o.Target)
	r.attached = attached
	if err != nil {
		return o, err
	}
	if o.Tools, err = a.toolSet(r.tools, r.dir); err != nil {
		return o, err
	}
	o.Write.Lock = session.LockOptions{}.WithEnv(os.Getenv)
	if o.Write.Repair.Log, err = a.log(); err != nil {
		return o, err
	}
	if _, err := os.Stat(r.session); errors.Is(err, fs.ErrNotExist) {
		o.Write.CWD, _ = os.Getwd() // an old file keeps its own
	}
	if o.Replay.Past, err = userPast(""); err != nil {
		return o, err
	}
	o.Limits.Embedded = true
	if dir, err := configDir(); err == nil {
		o.Unknown = runner.NewUnknown(filepath.Join(dir, "unknown-answers.jsonl"), 0)
	}
	return o, nil
}

// toolSet returns the tools of that names.
func (a *app) toolSet(names []string, dir string) (*tools.Set, error) {
	if len(names) == 0 {
		return nil, nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	var list []tools.Tool
	for _, name := range names {
		switch name {
		case "read":
			list = append(list, tools.Read(root))
		case "list":
			list = append(list, tools.List(root))
		case "shell":
			list = append(list, tools.Shell(tools.ShellOptions{Dir: dir}))
			if _, err := a.stderr.Write([]byte("warning: " + tools.ShellWarning + "\n")); err != nil {
				return nil, err
			}
		case sendTool, sessionsTool:
			return nil, usage("--tool %s: hygeia run has it, with --state DIR", name)
		default:
			return nil, usage("--tool %s: expected read, list, shell, send or sessions", name)
		}
	}
	return tools.New(list...)
}
