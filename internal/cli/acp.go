package cli

import (
	"path/filepath"
	"sync"

	"github.com/spf13/cobra"

	"hygeia/acp"
	"hygeia/runner"
)

// editing holds the flags of acp.
type editing struct {
	model      running
	state      string
	provenance string
}

func (a *app) acp() *cobra.Command {
	o := &editing{}
	c := &cobra.Command{
		Use:   "acp --to PROVIDER/MODEL",
		Short: "Let an editor talk to sessions over the Agent Client Protocol",
		Long: `Speaks the Agent Client Protocol with an editor: JSON-RPC on standard input and
output, one message a line. Sessions are kept below --state (default: the folder
state in $HYGEIA_HOME), as hygeia serve keeps them, and can be loaded again.

The folder in which the editor works is told to the model and stands in nobody's
words; the tools read, list and shell begin there. --provenance meta notes with each
prompt that it came from an editor, meta+receipt tells the model as well.

--to emulator works offline.`,
		Args: exactly(0, "no arguments"),
		RunE: func(c *cobra.Command, _ []string) error { return a.serveEditor(c, o) },
	}
	o.model.flags(c)
	f := c.Flags()
	f.StringVar(&o.state, "state", "", "the root `DIR` of the sessions")
	f.StringVar(&o.provenance, "provenance", string(acp.NoProvenance), "what is noted of where prompts come from: off, meta, meta+receipt")
	for _, name := range notHere {
		_ = f.MarkHidden(name)
	}
	return c
}

// notHere are flags of other commands that let a model answer: an editor says itself
// where it works, and all output is JSON.
var notHere = []string{"dir", "json"}

func (a *app) serveEditor(c *cobra.Command, o *editing) error {
	for _, name := range notHere {
		if c.Flags().Changed(name) {
			return usage("--%s: not for acp", name)
		}
	}
	config := acp.Config{State: o.state, Version: version(), Provenance: acp.Provenance(o.provenance)}
	switch config.Provenance {
	case acp.NoProvenance, acp.Meta, acp.MetaReceipt:
	default:
		return usage("--provenance %s: expected off, meta or meta+receipt", o.provenance)
	}
	if config.State == "" {
		dir, err := configDir()
		if err != nil {
			return err
		}
		config.State = filepath.Join(dir, "state")
	}
	run, end, err := a.runnersIn(c, &o.model)
	if err != nil {
		return err
	}
	defer end()
	config.Run = run
	ctx, stop := untilTold()
	defer stop()
	return acp.Serve(ctx, config, a.stdin, a.stdout)
}

// runnersIn returns what makes a runner for a folder, each once: its tools begin
// there, and its sessions say that they work there.
func (a *app) runnersIn(c *cobra.Command, r *running) (of func(cwd string) (*runner.Runner, error), end func(), err error) {
	names := r.tools
	r.tools = nil
	for _, name := range names {
		if name != "read" && name != "list" && name != "shell" {
			return nil, nil, usage("--tool %s: expected read, list or shell", name)
		}
	}
	o, end, err := a.runnerOptions(c, r)
	if err != nil {
		return nil, nil, err
	}
	var mu sync.Mutex
	made := map[string]*runner.Runner{}
	return func(cwd string) (*runner.Runner, error) {
		mu.Lock()
		defer mu.Unlock()
		if run := made[cwd]; run != nil {
			return run, nil
		}
		set, err := a.toolSet(names, cwd)
		if err != nil {
			return nil, err
		}
		here := o
		here.Tools, here.Write.CWD = set, cwd
		run, err := runner.New(here)
		if err != nil {
			return nil, err
		}
		const most = 64
		if len(made) >= most {
			clear(made) // sessions that are open keep theirs
		}
		made[cwd] = run
		return run, nil
	}, end, nil
}
