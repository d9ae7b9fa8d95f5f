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
	"time"

	"github.com/go-json-experiment/json"
	"github.com/spf13/cobra"

	"hygeia"
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

// runnerOf makes what runs prompts in the session of the flags. With --state the
// session is one of an installation; with the tool send the end waits for what came
// of the messages.
func (a *app) runnerOf(c *cobra.Command, r *running) (run *runner.Runner, end func(), err error) {
	at := slices.Index(r.tools, "send")
	if r.state == "" {
		if at >= 0 {
			return nil, nil, usage("--tool send needs --state DIR")
		}
		return a.runner(c, r)
	}
	peer, ok, err := runner.Sessions{State: r.state}.At(r.session)
	switch {
	case err != nil:
		return nil, nil, err
	case !ok:
		return nil, nil, fmt.Errorf("%s stands in no index below %s", r.session, r.state)
	}
	if at >= 0 {
		r.tools = slices.Delete(slices.Clone(r.tools), at, at+1)
	}
	of, endModel, err := a.runners(c, r)
	if err != nil {
		return nil, nil, err
	}
	if at < 0 {
		if run, err = of(peer.Key, nil); err != nil {
			endModel()
		}
		return run, endModel, err
	}
	post, failed, err := a.post(r.state, of)
	if err == nil {
		var set *tools.Set
		if set, err = tools.New(post.Tool(peer.Key)); err == nil {
			run, err = of(peer.Key, set)
		}
	}
	if err != nil {
		endModel()
		return nil, nil, err
	}
	return run, func() {
		post.Wait()
		if err := failed.err(); err != nil {
			fmt.Fprintln(a.stderr, oneLine(err))
		}
		endModel()
	}, nil
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
	o.Model = model.New(config)
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
		default:
			return nil, usage("--tool %s: expected read, list, shell or send", name)
		}
	}
	return tools.New(list...)
}

// endpointConfig is the part of the user's configuration that says where providers
// are and how they are entered.
type endpointConfig struct {
	Models struct {
		Providers map[string]struct {
			BaseURL      string            `json:"baseUrl"`
			APIKey       string            `json:"apiKey"`
			Headers      map[string]string `json:"headers"`
			Region       string            `json:"region"`
			Location     string            `json:"location"`
			Project      string            `json:"project"`
			AccessKey    string            `json:"accessKey"`
			SecretKey    string            `json:"secretKey"`
			SessionToken string            `json:"sessionToken"`
		} `json:"providers"`
	} `json:"models"`
}

// userEndpoints reads the endpoints from config.json. ${NAME} stands for a variable
// of the environment in keys and headers.
func userEndpoints(catalogue interface{ Fold(string) string }) (map[string]model.Endpoint, error) {
	_, path, err := readConfig()
	if err != nil || path == "" {
		return nil, err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil // there is none
	}
	var c endpointConfig
	if err := json.Unmarshal(text, &c); err != nil {
		return nil, err
	}
	out := map[string]model.Endpoint{}
	for name, p := range c.Models.Providers {
		e := model.Endpoint{
			BaseURL: p.BaseURL, Key: filled(p.APIKey), Region: p.Region, Location: p.Location, Project: p.Project,
			AccessKey: filled(p.AccessKey), SecretKey: filled(p.SecretKey), SessionToken: filled(p.SessionToken),
		}
		for header, value := range p.Headers {
			if e.Header == nil {
				e.Header = map[string]string{}
			}
			e.Header[header] = filled(value)
		}
		out[catalogue.Fold(name)] = e
	}
	return out, nil
}

func filled(text string) string {
	if !strings.Contains(text, "${") {
		return text // a key may hold a lone dollar
	}
	return os.Expand(text, os.Getenv)
}

// userPast reads from config.json how much of the past the session with that key
// takes along, and tells times by the clock of this machine.
func userPast(key string) (*hygeia.Past, error) {
	var c struct {
		Channels map[string]runner.Channel `json:"channels"`
		Agents   struct {
			Defaults struct {
				Heartbeat struct {
					Prompt string `json:"prompt"`
				} `json:"heartbeat"`
			} `json:"defaults"`
		} `json:"agents"`
	}
	past := &hygeia.Past{Zone: time.Local}
	_, path, err := readConfig()
	if err != nil || path == "" {
		return past, err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return past, nil // there is none
	}
	if err := json.Unmarshal(text, &c); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	past.Heartbeat = c.Agents.Defaults.Heartbeat.Prompt
	past.Limit = runner.HistoryLimit(key, c.Channels)
	return past, nil
}
